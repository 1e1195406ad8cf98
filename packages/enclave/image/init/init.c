/*
 * The first process of the enclave image. It mounts what the program needs, tells the parent that the enclave has started, starts the bridge
 * to the Nitro Secure Module, the program and the bridge to the parent, and ends the machine when one of them ends. It has no setting:
 * nothing that the parent says (kernel command line, vsock, files) reaches it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "say.h"
#include "vsock.h"

/* The users of the image; root is this process alone. */
enum { program_user = 1000, module_user = 1001 };

/* What nitro-cli of the parent waits for: one byte there and back. */
enum { heartbeat_port = 9000, heartbeat = 0xb7, heartbeat_seconds = 10 };

enum { ready_descriptor = 3, port_wait_ms = 5000, port_look_ms = 10 };

static const char command_path[] = "/symbolon/command";
static const char module_socket[] = "/run/nsm/socket";
static const char program_socket[] = "/run/enclave/socket";
/* The channel's port, as the parent's relay knows it. */
static const char channel_port[] = "5000";
static const char virtio_port[] = "/dev/vport0p1";

struct mount_point {
  const char *type, *target, *options;
  unsigned long flags;
};

static const struct mount_point mount_points[] = {
    {"devtmpfs", "/dev", "mode=0755", MS_NOSUID | MS_NOEXEC},
    {"proc", "/proc", "hidepid=invisible", MS_NOSUID | MS_NODEV | MS_NOEXEC},
    {"tmpfs", "/run", "mode=0755,size=16m", MS_NOSUID | MS_NODEV | MS_NOEXEC},
};

static void mount_all(void) {
  for (size_t i = 0; i < sizeof mount_points / sizeof *mount_points; i++) {
    const struct mount_point *point = &mount_points[i];
    if (mount(point->type, point->target, point->type, point->flags, point->options) != 0) fail(point->target);
  }
  /* What was measured stays as it is. */
  if (mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0) fail("/");
}

static void make_folder(const char *path, mode_t mode, uid_t owner) {
  if (mkdir(path, mode) != 0 || chown(path, owner, owner) != 0) fail(path);
}

static void limit(int resource, rlim_t value) {
  const struct rlimit both = {.rlim_cur = value, .rlim_max = value};
  if (setrlimit(resource, &both) != 0) fail("limits");
}

static bool has_vsock(void) {
  const int device = open("/dev/vsock", O_RDONLY | O_CLOEXEC);
  if (device < 0) return false;
  uint32_t cid = vsock_cid_any;
  const bool is_there = ioctl(device, vsock_get_local_cid, &cid) == 0 && cid != vsock_cid_any;
  close(device);
  return is_there;
}

/* A parent that is no Nitro hypervisor does not listen; that is no reason not to start. */
static void tell_parent(void) {
  const struct vsock_address parent = {
      .family = vsock_family, .port = heartbeat_port, .cid = vsock_parent_cid};
  const struct timeval patience = {.tv_sec = heartbeat_seconds};
  unsigned char byte = heartbeat;
  const int stream = socket(vsock_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (stream < 0) return;
  if (setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
      connect(stream, (const struct sockaddr *)&parent, sizeof parent) != 0 || write(stream, &byte, 1) != 1 ||
      read(stream, &byte, 1) != 1 || byte != heartbeat)
    say("the parent did not answer the heartbeat");
  close(stream);
}

/* The kernel makes the port's file some time after the machine has started. */
static void give_port(void) {
  const struct timespec pause = {.tv_nsec = port_look_ms * 1000000L};
  for (int waited = 0; waited < port_wait_ms; waited += port_look_ms) {
    if (chown(virtio_port, program_user, program_user) == 0) return;
    if (errno != ENOENT) fail(virtio_port);
    nanosleep(&pause, NULL);
  }
  say("there is neither a vsock nor a virtio port: nobody can reach this enclave");
}

static _Noreturn void become(uid_t user, char *const *arguments, char *const *environment) {
  if (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0) fail("user");
  if (setsid() < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("session");
  execve(arguments[0], arguments, environment);
  fail(arguments[0]);
}

/* Starts a process whose `descriptor` is `given` (none: -1); all others of this process close when it executes. */
static pid_t start(uid_t user, int given, int descriptor, char *const *arguments, char *const *environment) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return child;
  /* Kept open by the copy alone, which has no such flag; where it already has the number, by taking the flag away. */
  if (given >= 0 && (given == descriptor ? fcntl(given, F_SETFD, 0) : dup2(given, descriptor)) < 0) fail("dup2");
  become(user, arguments, environment);
}

static void make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
}

/* Ends the machine, in which nothing is to be kept. */
static _Noreturn void end_machine(void) {
  reboot(RB_AUTOBOOT);
  for (;;) pause();
}

/* The bridge to the module, or the end of the machine where there is none: it has said so. */
static pid_t start_module(void) {
  char *const arguments[] = {"/symbolon/nsm-bridge", (char *)(unsigned long)module_socket, NULL};
  char *const environment[] = {NULL};
  /* Where there is no module, the bridge tells. */
  if (chown("/dev/nsm", module_user, module_user) != 0 && errno != ENOENT) fail("/dev/nsm");
  int ready[2];
  make_pipe(ready);
  const pid_t module = start(module_user, ready[1], ready_descriptor, arguments, environment);
  close(ready[1]);
  char byte;
  if (read(ready[0], &byte, 1) != 1) end_machine();
  close(ready[0]);
  return module;
}

static pid_t start_program(void) {
  static char text[command_bytes_max + 1];
  static struct command command;
  const int file = open(command_path, O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? -1 : read(file, text, sizeof text);
  if (bytes < 0) fail(command_path);
  close(file);
  if (!command_of(text, (size_t)bytes, &command)) {
    errno = EINVAL;
    fail(command_path);
  }
  /* The program's standard input: nothing, for as long as this process lives, and never the console. */
  int input[2];
  make_pipe(input);
  const pid_t program = start(program_user, input[0], STDIN_FILENO, command.arguments, command.environment);
  close(input[0]);
  return program;
}

static pid_t start_channel(void) {
  char *const arguments[] = {"/symbolon/channel-bridge", (char *)(unsigned long)channel_port,
                             (char *)(unsigned long)virtio_port, (char *)(unsigned long)program_socket, NULL};
  char *const environment[] = {NULL};
  return start(program_user, -1, -1, arguments, environment);
}

static const char *name_of(pid_t child, const pid_t children[3]) {
  if (child == children[0]) return "the bridge to the secure module has ended";
  if (child == children[1]) return "the enclave program has ended";
  return child == children[2] ? "the bridge to the parent has ended" : NULL;
}

int main(void) {
  if (getpid() != 1) {
    say("this is the first process of an enclave image");
    return 2;
  }
  /* A process that fails here is the first one, whose end the kernel takes for a panic: the machine ends too. */
  umask(0077);
  mount_all();
  make_folder("/run/enclave", 0700, program_user);
  make_folder("/run/nsm", 0700, module_user);
  if (chmod("/run/nsm", 0755) != 0) fail("/run/nsm");
  limit(RLIMIT_CORE, 0);
  /* The program's secrets lie in locked memory. */
  limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
  const bool is_reached_by_vsock = has_vsock();
  if (is_reached_by_vsock) tell_parent();

  pid_t children[3];
  children[0] = start_module();
  if (!is_reached_by_vsock) give_port();
  children[1] = start_program();
  children[2] = start_channel();
  for (;;) {
    const pid_t ended = wait(NULL);
    if (ended < 0 && errno != EINTR) fail("wait");
    const char *what = name_of(ended, children);
    if (what == NULL) continue;
    say(what);
    end_machine();
  }
}
