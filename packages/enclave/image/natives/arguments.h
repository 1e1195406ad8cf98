/* What the functions of the addon share: their arguments are byte arrays of known lengths, their faults exceptions. */
#ifndef SYMBOLON_ARGUMENTS_H
#define SYMBOLON_ARGUMENTS_H

#include <node_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { arguments_max = 8 };

/* A view of the caller's memory; nothing of it is copied. `is_bytes` is false for what is no Uint8Array. */
struct bytes {
  uint8_t *data;
  size_t length;
  bool is_bytes;
};

struct arguments {
  size_t count;
  napi_value values[arguments_max];
  struct bytes bytes[arguments_max];
};

/* Reads all arguments. */
struct arguments arguments_of(napi_env env, napi_callback_info info);

/* Whether an argument is a Uint8Array of `length` bytes. */
bool is_of(const struct arguments *arguments, size_t index, size_t length);

/* Throws; the answer is for the function to return. */
napi_value refuse(napi_env env, const char *message);

napi_value yes_or_no(napi_env env, bool value);

/* A function of the addon, by the name under which it is called. */
struct entry {
  const char *name;
  napi_callback call;
};

/* Puts an object with these functions under `name` into `exports`; false where Node does not let it. */
bool put(napi_env env, napi_value exports, const char *name, const struct entry *entries, size_t count);

/* libsodium's part and libsecp256k1's; false where the library does not start. */
bool put_sodium(napi_env env, napi_value exports);
bool put_secp256k1(napi_env env, napi_value exports);

#endif
