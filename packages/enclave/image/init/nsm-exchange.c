#include "nsm-exchange.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { length_bytes = 4 };

/* CBOR of a map with one member, "Attestation". */
static const uint8_t attestation[] = {0xa1, 0x6b, 'A', 't', 't', 'e', 's', 't', 'a', 't', 'i', 'o', 'n'};

static bool read_all(int stream, uint8_t *into, size_t bytes) {
  while (bytes > 0) {
    const ssize_t done = read(stream, into, bytes);
    if (done <= 0) return false;
    into += done;
    bytes -= (size_t)done;
  }
  return true;
}

static bool write_all(int stream, const uint8_t *from, size_t bytes) {
  while (bytes > 0) {
    const ssize_t done = write(stream, from, bytes);
    if (done <= 0) return false;
    from += done;
    bytes -= (size_t)done;
  }
  return true;
}

bool nsm_exchange(int stream, nsm_call *call, void *module) {
  uint8_t request[nsm_request_max];
  uint8_t answer[length_bytes + nsm_response_max];
  uint8_t head[length_bytes];
  if (!read_all(stream, head, sizeof head)) return false;
  const uint32_t length =
      (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | (uint32_t)head[3];
  if (length < sizeof attestation || length > sizeof request) return false;
  if (!read_all(stream, request, length)) return false;
  if (memcmp(request, attestation, sizeof attestation) != 0) return false;

  const ptrdiff_t bytes = call(module, request, length, answer + length_bytes);
  if (bytes < 1 || bytes > nsm_response_max) return false;
  for (int i = 0; i < length_bytes; i++) answer[i] = (uint8_t)((size_t)bytes >> (8 * (3 - i)));
  return write_all(stream, answer, length_bytes + (size_t)bytes);
}
