/* AF_VSOCK, as include/uapi/linux/vm_sockets.h of the kernel has it; musl brings no kernel headers. */
#ifndef SYMBOLON_VSOCK_H
#define SYMBOLON_VSOCK_H

#include <stdint.h>

enum { vsock_family = 40, vsock_parent_cid = 3 };

static const uint32_t vsock_cid_any = UINT32_MAX;

/* _IO(7, 0xb9): the address of this machine, vsock_cid_any where it has no vsock. */
static const int vsock_get_local_cid = 0x7b9;

struct vsock_address {
  uint16_t family;
  uint16_t reserved;
  uint32_t port;
  uint32_t cid;
  uint8_t flags;
  uint8_t zero[3];
};

_Static_assert(sizeof(struct vsock_address) == 16, "a socket address of 16 bytes");

#endif
