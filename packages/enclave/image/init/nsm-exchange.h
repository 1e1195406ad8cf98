/* One exchange with the Nitro Secure Module over a stream: one frame in, one frame out. */
#ifndef SYMBOLON_NSM_EXCHANGE_H
#define SYMBOLON_NSM_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest messages of the module's driver (include/uapi/linux/nsm.h). */
enum { nsm_request_max = 0x1000, nsm_response_max = 0x3000 };

/*
 * Asks the module. `response` has room for nsm_response_max bytes; answers how many of them were written, or -1.
 */
typedef ptrdiff_t nsm_call(void *module, const uint8_t *request, size_t request_bytes, uint8_t *response);

/*
 * Reads one frame (u32 length, big-endian, and as many bytes) from `stream`, asks the module, and writes its answer in one frame. Only
 * requests for an attestation document pass: whoever holds the socket shall not extend or lock a register. Answers false, with nothing
 * written, for any other request, a malformed or late frame, and a module that does not answer.
 */
bool nsm_exchange(int stream, nsm_call *call, void *module);

#endif
