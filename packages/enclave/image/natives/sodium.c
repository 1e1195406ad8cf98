/* The functions of libsodium that `packages/enclave/src/native.ts` names, with the same arguments. */
#include <sodium.h>

#include "arguments.h"

enum { memory_max = 1 << 24 };

static void release(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  sodium_free(data);
}

static napi_value allocate(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  uint32_t length = 0;
  if (given.count != 1 || napi_get_value_uint32(env, given.values[0], &length) != napi_ok || length == 0 ||
      length > memory_max)
    return refuse(env, "sodium_malloc takes a number of bytes");
  void *data = sodium_malloc(length);
  if (data == NULL) return refuse(env, "there is no locked memory");
  sodium_memzero(data, length);
  napi_value buffer = NULL;
  napi_value array = NULL;
  if (napi_create_external_arraybuffer(env, data, length, release, NULL, &buffer) != napi_ok) {
    sodium_free(data);
    return refuse(env, "there is no locked memory");
  }
  return napi_create_typedarray(env, napi_uint8_array, length, buffer, 0, &array) == napi_ok ? array : NULL;
}

static napi_value zero(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 1 || !given.bytes[0].is_bytes) return refuse(env, "sodium_memzero takes bytes");
  sodium_memzero(given.bytes[0].data, given.bytes[0].length);
  return NULL;
}

static napi_value random_bytes(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 1 || !given.bytes[0].is_bytes) return refuse(env, "randombytes_buf takes bytes");
  randombytes_buf(given.bytes[0].data, given.bytes[0].length);
  return NULL;
}

/* (out, input, key) */
static napi_value generic_hash(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  const struct bytes *out = &given.bytes[0], *input = &given.bytes[1], *key = &given.bytes[2];
  if (given.count != 3 || !out->is_bytes || !input->is_bytes || !key->is_bytes)
    return refuse(env, "crypto_generichash takes bytes");
  if (out->length < crypto_generichash_BYTES_MIN || out->length > crypto_generichash_BYTES_MAX ||
      key->length < crypto_generichash_KEYBYTES_MIN || key->length > crypto_generichash_KEYBYTES_MAX)
    return refuse(env, "crypto_generichash takes an output and a key of 16 to 64 bytes");
  if (crypto_generichash(out->data, out->length, input->data, input->length, key->data, key->length) != 0)
    return refuse(env, "crypto_generichash failed");
  return NULL;
}

/* (sealed, plaintext, aad, null, nonce, key) -> the length of `sealed` */
static napi_value encrypt(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  const struct bytes *sealed = &given.bytes[0], *plaintext = &given.bytes[1], *aad = &given.bytes[2];
  if (given.count != 6 || !sealed->is_bytes || !plaintext->is_bytes || !aad->is_bytes ||
      !is_of(&given, 4, crypto_aead_chacha20poly1305_ietf_NPUBBYTES) ||
      !is_of(&given, 5, crypto_aead_chacha20poly1305_ietf_KEYBYTES) ||
      sealed->length < crypto_aead_chacha20poly1305_ietf_ABYTES ||
      sealed->length - crypto_aead_chacha20poly1305_ietf_ABYTES != plaintext->length)
    return refuse(env, "crypto_aead_chacha20poly1305_ietf_encrypt takes bytes of other lengths");
  unsigned long long written = 0;
  if (crypto_aead_chacha20poly1305_ietf_encrypt(sealed->data, &written, plaintext->data, plaintext->length,
                                                aad->data, aad->length, NULL, given.bytes[4].data,
                                                given.bytes[5].data) != 0)
    return refuse(env, "crypto_aead_chacha20poly1305_ietf_encrypt failed");
  napi_value answer = NULL;
  return napi_create_double(env, (double)written, &answer) == napi_ok ? answer : NULL;
}

/* (plaintext, null, ciphertext, tag, aad, nonce, key) */
static napi_value decrypt(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  const struct bytes *plaintext = &given.bytes[0], *ciphertext = &given.bytes[2], *aad = &given.bytes[4];
  if (given.count != 7 || !plaintext->is_bytes || !ciphertext->is_bytes || !aad->is_bytes ||
      plaintext->length != ciphertext->length || !is_of(&given, 3, crypto_aead_chacha20poly1305_ietf_ABYTES) ||
      !is_of(&given, 5, crypto_aead_chacha20poly1305_ietf_NPUBBYTES) ||
      !is_of(&given, 6, crypto_aead_chacha20poly1305_ietf_KEYBYTES))
    return refuse(env, "crypto_aead_chacha20poly1305_ietf_decrypt_detached takes bytes of other lengths");
  if (crypto_aead_chacha20poly1305_ietf_decrypt_detached(plaintext->data, NULL, ciphertext->data,
                                                         ciphertext->length, given.bytes[3].data, aad->data,
                                                         aad->length, given.bytes[5].data,
                                                         given.bytes[6].data) != 0) {
    sodium_memzero(plaintext->data, plaintext->length);
    return refuse(env, "the tag is wrong");
  }
  return NULL;
}

/* (publicKey, secretKey, seed) */
static napi_value key_pair(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  if (given.count != 3 || !is_of(&given, 0, crypto_sign_PUBLICKEYBYTES) ||
      !is_of(&given, 1, crypto_sign_SECRETKEYBYTES) || !is_of(&given, 2, crypto_sign_SEEDBYTES))
    return refuse(env, "crypto_sign_seed_keypair takes 32, 64 and 32 bytes");
  if (crypto_sign_seed_keypair(given.bytes[0].data, given.bytes[1].data, given.bytes[2].data) != 0)
    return refuse(env, "crypto_sign_seed_keypair failed");
  return NULL;
}

/* (signature, message, secretKey) */
static napi_value sign(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  const struct bytes *message = &given.bytes[1];
  if (given.count != 3 || !is_of(&given, 0, crypto_sign_BYTES) || !message->is_bytes ||
      !is_of(&given, 2, crypto_sign_SECRETKEYBYTES))
    return refuse(env, "crypto_sign_detached takes 64 bytes, a message and 64 bytes");
  if (crypto_sign_detached(given.bytes[0].data, NULL, message->data, message->length, given.bytes[2].data) != 0)
    return refuse(env, "crypto_sign_detached failed");
  return NULL;
}

/* (signature, message, publicKey) -> boolean */
static napi_value verify(napi_env env, napi_callback_info info) {
  const struct arguments given = arguments_of(env, info);
  const struct bytes *message = &given.bytes[1];
  if (given.count != 3 || !is_of(&given, 0, crypto_sign_BYTES) || !message->is_bytes ||
      !is_of(&given, 2, crypto_sign_PUBLICKEYBYTES))
    return refuse(env, "crypto_sign_verify_detached takes 64 bytes, a message and 32 bytes");
  return yes_or_no(env, crypto_sign_verify_detached(given.bytes[0].data, message->data, message->length,
                                                    given.bytes[2].data) == 0);
}

bool put_sodium(napi_env env, napi_value exports) {
  static const struct entry entries[] = {
      {"sodium_malloc", allocate},
      {"sodium_memzero", zero},
      {"randombytes_buf", random_bytes},
      {"crypto_generichash", generic_hash},
      {"crypto_aead_chacha20poly1305_ietf_encrypt", encrypt},
      {"crypto_aead_chacha20poly1305_ietf_decrypt_detached", decrypt},
      {"crypto_sign_seed_keypair", key_pair},
      {"crypto_sign_detached", sign},
      {"crypto_sign_verify_detached", verify},
  };
  return sodium_init() >= 0 && put(env, exports, "sodium", entries, sizeof entries / sizeof *entries);
}
