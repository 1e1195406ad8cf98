/* The enclave's native code: libsodium and libsecp256k1 as functions on byte arrays, which are read and written in place. */
#include "arguments.h"

NAPI_MODULE_INIT() {
  if (!put_sodium(env, exports) || !put_secp256k1(env, exports)) return refuse(env, "the natives do not start");
  return exports;
}
