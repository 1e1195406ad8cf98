#include "say.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct iovec part(const char *text) {
  /* writev does not write to what it is given; its type has no const. */
  return (struct iovec){.iov_base = (void *)(unsigned long)text, .iov_len = strlen(text)};
}

void say(const char *text) {
  const struct iovec line[] = {part("symbolon: "), part(text), part("\n")};
  /* Nobody is left to tell of a console that does not take it. */
  if (writev(STDERR_FILENO, line, 3) < 0) return;
}

_Noreturn void fail(const char *text) {
  const char *reason = strerror(errno);
  const struct iovec line[] = {part("symbolon: "), part(text), part(": "), part(reason), part("\n")};
  if (writev(STDERR_FILENO, line, 5) < 0) _exit(1);
  _exit(1);
}
