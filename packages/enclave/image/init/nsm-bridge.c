/*
 * The Nitro Secure Module for a program that has no ioctl: serves its device, /dev/nsm, at a unix socket, one exchange per connection.
 *
 *     nsm-bridge <socket>
 *
 * Writes one byte to descriptor 3 once it listens. Ends with one sentence where there is no module.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "nsm-exchange.h"
#include "say.h"

/* include/uapi/linux/nsm.h of the kernel; musl brings no kernel headers. */
struct nsm_iovec {
  uint64_t address;
  uint64_t bytes;
};
struct nsm_raw {
  struct nsm_iovec request;
  struct nsm_iovec response;
};
#define NSM_IOCTL_RAW _IOWR(0x0a, 0x0, struct nsm_raw)

enum { ready_descriptor = 3, limit_seconds = 2, waiting_max = 32 };

static ptrdiff_t ask(void *module, const uint8_t *request, size_t request_bytes, uint8_t *response) {
  const int device = *(const int *)module;
  struct nsm_raw raw = {
      .request = {.address = (uint64_t)(uintptr_t)request, .bytes = request_bytes},
      .response = {.address = (uint64_t)(uintptr_t)response, .bytes = nsm_response_max},
  };
  if (ioctl(device, (int)NSM_IOCTL_RAW, &raw) != 0) return -1;
  return raw.response.bytes > nsm_response_max ? -1 : (ptrdiff_t)raw.response.bytes;
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(path);
  }
  strcpy(address.sun_path, path);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  if (bind(listener, (const struct sockaddr *)&address, sizeof address) != 0) fail(path);
  /* The enclave program is another user. */
  if (chmod(path, 0666) != 0 || listen(listener, waiting_max) != 0) fail(path);
  return listener;
}

int main(int count, char **arguments) {
  if (count != 2) {
    say("usage: nsm-bridge <socket>");
    return 2;
  }
  int device = open("/dev/nsm", O_RDWR | O_CLOEXEC);
  if (device < 0) {
    say("the Nitro Secure Module is absent: this image runs in a Nitro Enclave only");
    return 1;
  }
  const int listener = listen_at(arguments[1]);
  if (write(ready_descriptor, "", 1) != 1 || close(ready_descriptor) != 0) fail("ready");

  for (;;) {
    const int stream = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (stream < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      fail("accept");
    }
    const struct timeval limit = {.tv_sec = limit_seconds};
    if (setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
        setsockopt(stream, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
        !nsm_exchange(stream, ask, &device))
      say("the secure module gave no answer");
    close(stream);
  }
}
