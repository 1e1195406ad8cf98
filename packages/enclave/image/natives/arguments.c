#include "arguments.h"

static struct bytes bytes_of(napi_env env, napi_value value) {
  struct bytes bytes = {.data = NULL, .length = 0, .is_bytes = false};
  bool is_array = false;
  napi_typedarray_type type = napi_int8_array;
  void *data = NULL;
  if (napi_is_typedarray(env, value, &is_array) != napi_ok || !is_array) return bytes;
  if (napi_get_typedarray_info(env, value, &type, &bytes.length, &data, NULL, NULL) != napi_ok) return bytes;
  bytes.data = data;
  bytes.is_bytes = type == napi_uint8_array && (data != NULL || bytes.length == 0);
  return bytes;
}

struct arguments arguments_of(napi_env env, napi_callback_info info) {
  struct arguments arguments = {.count = arguments_max};
  if (napi_get_cb_info(env, info, &arguments.count, arguments.values, NULL, NULL) != napi_ok) arguments.count = 0;
  if (arguments.count > arguments_max) arguments.count = arguments_max;
  for (size_t i = 0; i < arguments.count; i++) arguments.bytes[i] = bytes_of(env, arguments.values[i]);
  return arguments;
}

bool is_of(const struct arguments *arguments, size_t index, size_t length) {
  return index < arguments->count && arguments->bytes[index].is_bytes && arguments->bytes[index].length == length;
}

napi_value refuse(napi_env env, const char *message) {
  /* Where even that fails, an exception is already on its way. */
  if (napi_throw_error(env, NULL, message) != napi_ok) return NULL;
  return NULL;
}

napi_value yes_or_no(napi_env env, bool value) {
  napi_value answer = NULL;
  return napi_get_boolean(env, value, &answer) == napi_ok ? answer : NULL;
}

bool put(napi_env env, napi_value exports, const char *name, const struct entry *entries, size_t count) {
  napi_value object;
  if (napi_create_object(env, &object) != napi_ok) return false;
  for (size_t i = 0; i < count; i++) {
    napi_value call;
    if (napi_create_function(env, entries[i].name, NAPI_AUTO_LENGTH, entries[i].call, NULL, &call) != napi_ok ||
        napi_set_named_property(env, object, entries[i].name, call) != napi_ok)
      return false;
  }
  return napi_set_named_property(env, exports, name, object) == napi_ok;
}
