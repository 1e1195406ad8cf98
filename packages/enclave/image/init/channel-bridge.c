/*
 * Carries the enclave's channel between the parent and the program: connections to a vsock port, or the stream of a virtio serial port where
 * the machine has no vsock, each to a connection of its own at the program's unix socket. It reads nothing of what it carries: the channel
 * is sealed end to end.
 *
 *     channel-bridge <vsock port> <virtio port> <socket>
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "say.h"
#include "vsock.h"

/* As many as the program takes. */
enum { pairs_max = 64, flow_bytes = 65536, port_look_ms = 50, none = -1 };

/* Bytes on their way in one direction. */
struct flow {
  size_t start, end;
  bool is_ended;
  unsigned char bytes[flow_bytes];
};

/* `outer` is the parent's side, `inner` the program's; a pair without `outer` is free. */
struct pair {
  int outer, inner;
  struct flow in, out;
};

/* The first pair is the virtio port's, whether there is one or not. */
static struct pair pairs[pairs_max];
static struct sockaddr_un program = {.sun_family = AF_UNIX};

static int listen_at_vsock(uint32_t port) {
  const struct vsock_address address = {.family = vsock_family, .port = port, .cid = vsock_cid_any};
  const int listener = socket(vsock_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) fail("vsock");
  if (bind(listener, (const struct sockaddr *)&address, sizeof address) != 0) fail("vsock");
  if (listen(listener, pairs_max) != 0) fail("vsock");
  return listener;
}

static int open_port(const char *path) {
  const int port = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (port < 0 && errno != ENOENT) fail(path);
  return port;
}

static int connect_to_program(void) {
  const int stream = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (stream < 0) fail("socket");
  if (connect(stream, (const struct sockaddr *)&program, sizeof program) == 0) return stream;
  close(stream);
  return none;
}

static void clear(struct flow *flow) {
  flow->start = flow->end = 0;
  flow->is_ended = false;
}

static void open_pair(struct pair *pair, int outer, int inner) {
  pair->outer = outer;
  pair->inner = inner;
  clear(&pair->in);
  clear(&pair->out);
}

static bool is_empty(const struct flow *flow) { return flow->start == flow->end; }

/* Moves what can be moved now; false where the other side takes no more. */
static bool move(int from, int to, short from_events, struct flow *flow) {
  if (is_empty(flow) && !flow->is_ended && (from_events & (POLLIN | POLLHUP | POLLERR)) != 0) {
    const ssize_t bytes = read(from, flow->bytes, flow_bytes);
    flow->start = 0;
    flow->end = bytes > 0 ? (size_t)bytes : 0;
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN && errno != EINTR)) flow->is_ended = true;
  }
  if (is_empty(flow)) return true;
  const ssize_t bytes = write(to, flow->bytes + flow->start, flow->end - flow->start);
  if (bytes < 0) return errno == EAGAIN || errno == EINTR;
  flow->start += (size_t)bytes;
  return true;
}

/* True where the pair has to be closed: one side has ended and the other has all of it. */
static bool carry(struct pair *pair, short outer_events, short inner_events) {
  if (!move(pair->outer, pair->inner, outer_events, &pair->in)) return true;
  if (!move(pair->inner, pair->outer, inner_events, &pair->out)) return true;
  return (pair->in.is_ended && is_empty(&pair->in)) || (pair->out.is_ended && is_empty(&pair->out));
}

static void close_pair(struct pair *pair, const char *port_path) {
  close(pair->inner);
  close(pair->outer);
  open_pair(pair, none, none);
  /* To close a port forgets what was not read of it. */
  if (pair == &pairs[0]) pair->outer = open_port(port_path);
}

static void accept_at(int listener) {
  for (struct pair *pair = &pairs[1]; pair < &pairs[pairs_max]; pair++) {
    if (pair->outer != none) continue;
    const int outer = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (outer < 0) return;
    const int inner = connect_to_program();
    if (inner == none) close(outer);
    else open_pair(pair, outer, inner);
  }
}

/* A port says that it is hung up for as long as nobody is at its other end, so that waiting for it would never rest. */
static void look_at_port(void) {
  struct pollfd port = {.fd = pairs[0].outer, .events = POLLIN};
  if (poll(&port, 1, 0) == 1 && (port.revents & POLLIN) != 0 && (port.revents & POLLHUP) == 0)
    pairs[0].inner = connect_to_program();
}

static struct pollfd wanted(int descriptor, const struct flow *from_it, const struct flow *to_it) {
  const bool is_read = is_empty(from_it) && !from_it->is_ended;
  const int events = (is_read ? POLLIN : 0) | (is_empty(to_it) ? 0 : POLLOUT);
  /* Who waits for nothing is not polled: that a side has hung up is said again and again. */
  return (struct pollfd){.fd = events == 0 ? none : descriptor, .events = (short)events};
}

static void turn(int listener, const char *port_path) {
  struct pollfd polled[1 + 2 * pairs_max];
  bool is_full = true;
  for (size_t i = 0; i < pairs_max; i++) {
    const struct pair *pair = &pairs[i];
    if (i > 0 && pair->outer == none) is_full = false;
    const int outer = pair->inner == none ? none : pair->outer;
    polled[1 + 2 * i] = wanted(outer, &pair->in, &pair->out);
    polled[2 + 2 * i] = wanted(pair->inner, &pair->out, &pair->in);
  }
  polled[0] = (struct pollfd){.fd = is_full ? none : listener, .events = POLLIN};
  const bool is_port_idle = pairs[0].outer != none && pairs[0].inner == none;
  if (poll(polled, 1 + 2 * pairs_max, is_port_idle ? port_look_ms : -1) < 0 && errno != EINTR) fail("poll");

  for (size_t i = 0; i < pairs_max; i++) {
    if (pairs[i].inner == none) continue;
    if (carry(&pairs[i], polled[1 + 2 * i].revents, polled[2 + 2 * i].revents))
      close_pair(&pairs[i], port_path);
  }
  if (polled[0].revents != 0) accept_at(listener);
  if (is_port_idle) look_at_port();
}

int main(int count, char **arguments) {
  char *end = NULL;
  const unsigned long port = count == 4 ? strtoul(arguments[1], &end, 10) : 0;
  if (port == 0 || port > UINT32_MAX || *end != '\0' || strlen(arguments[3]) >= sizeof program.sun_path) {
    say("usage: channel-bridge <vsock port> <virtio port> <socket>");
    return 2;
  }
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) fail("signal");
  strcpy(program.sun_path, arguments[3]);
  for (size_t i = 0; i < pairs_max; i++) open_pair(&pairs[i], none, none);
  pairs[0].outer = open_port(arguments[2]);
  const int listener = listen_at_vsock((uint32_t)port);
  for (;;) turn(listener, arguments[2]);
}
