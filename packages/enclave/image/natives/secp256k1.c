/* The functions of libsecp256k1 that `packages/enclave/src/signer-secp256k1.ts` names, with the same arguments. */
#include <secp256k1.h>
#include <secp256k1_recovery.h>

#include <stdio.h>

#include "arguments.h"

/*
 * Debian's static library is compiled for programs and finds `stderr` in their own memory, where no shared object can have it. The build
 * gives it this name there; the library writes to it before it aborts.
 */
extern FILE *symbolon_stderr;
FILE *symbolon_stderr;

enum { key_bytes = 32, digest_bytes = 32, signature_bytes = 64, point_bytes = 33 };

/* One for the process, made before the addon can be called and then only blinded anew. */
static secp256k1_context *context;

/* (seed) */
static napi_value randomize(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 1 || !is_of(&given, 0, key_bytes)) return refuse(env, "contextRandomize takes 32 bytes");
  if (secp256k1_context_randomize(context, given.bytes[0].data) != 1) return refuse(env, "contextRandomize failed");
  return NULL;
}

/* (key) -> boolean */
static napi_value verify_key(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 1 || !is_of(&given, 0, key_bytes)) return refuse(env, "privateKeyVerify takes 32 bytes");
  return yes_or_no(env, secp256k1_ec_seckey_verify(context, given.bytes[0].data) == 1);
}

/* (key, true, output) -> output */
static napi_value public_key(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  bool is_compressed = false;
  if (given.count != 3 || !is_of(&given, 0, key_bytes) || !is_of(&given, 2, point_bytes) ||
      napi_get_value_bool(env, given.values[1], &is_compressed) != napi_ok || !is_compressed)
    return refuse(env, "publicKeyCreate takes 32 bytes, true and 33 bytes");
  secp256k1_pubkey point;
  size_t length = point_bytes;
  if (secp256k1_ec_pubkey_create(context, &point, given.bytes[0].data) != 1) return refuse(env, "no private key");
  if (secp256k1_ec_pubkey_serialize(context, given.bytes[2].data, &length, &point, SECP256K1_EC_COMPRESSED) != 1)
    return refuse(env, "publicKeyCreate failed");
  return given.values[2];
}

static napi_value signed_of(napi_env env, const secp256k1_ecdsa_recoverable_signature *signed_digest) {
  void *data = NULL;
  int recovery = 0;
  napi_value buffer, signature, number, answer;
  if (napi_create_arraybuffer(env, signature_bytes, &data, &buffer) != napi_ok ||
      secp256k1_ecdsa_recoverable_signature_serialize_compact(context, data, &recovery, signed_digest) != 1 ||
      napi_create_typedarray(env, napi_uint8_array, signature_bytes, buffer, 0, &signature) != napi_ok ||
      napi_create_int32(env, recovery, &number) != napi_ok || napi_create_object(env, &answer) != napi_ok ||
      napi_set_named_property(env, answer, "signature", signature) != napi_ok ||
      napi_set_named_property(env, answer, "recid", number) != napi_ok)
    return refuse(env, "ecdsaSign failed");
  return answer;
}

/* (digest, key) -> {signature, recid} */
static napi_value sign(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 2 || !is_of(&given, 0, digest_bytes) || !is_of(&given, 1, key_bytes))
    return refuse(env, "ecdsaSign takes 32 and 32 bytes");
  secp256k1_ecdsa_recoverable_signature signed_digest;
  /* No nonce function: the nonce of RFC 6979. The library makes s low. */
  if (secp256k1_ecdsa_sign_recoverable(context, &signed_digest, given.bytes[0].data, given.bytes[1].data, NULL,
                                       NULL) != 1)
    return refuse(env, "no private key");
  return signed_of(env, &signed_digest);
}

/* (signature, digest, publicKey) -> boolean */
static napi_value verify(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 3 || !is_of(&given, 0, signature_bytes) || !is_of(&given, 1, digest_bytes) ||
      !is_of(&given, 2, point_bytes))
    return refuse(env, "ecdsaVerify takes 64, 32 and 33 bytes");
  secp256k1_ecdsa_signature signature;
  secp256k1_pubkey point;
  if (secp256k1_ecdsa_signature_parse_compact(context, &signature, given.bytes[0].data) != 1)
    return refuse(env, "no signature");
  if (secp256k1_ec_pubkey_parse(context, &point, given.bytes[2].data, point_bytes) != 1)
    return refuse(env, "no public key");
  return yes_or_no(env, secp256k1_ecdsa_verify(context, &signature, given.bytes[1].data, &point) == 1);
}

bool put_secp256k1(napi_env env, napi_value exports) {
  static const struct entry entries[] = {
      {"contextRandomize", randomize},
      {"privateKeyVerify", verify_key},
      {"publicKeyCreate", public_key},
      {"ecdsaSign", sign},
      {"ecdsaVerify", verify},
  };
  symbolon_stderr = stderr;
  if (context == NULL) context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
  return context != NULL && put(env, exports, "secp256k1", entries, sizeof entries / sizeof *entries);
}
