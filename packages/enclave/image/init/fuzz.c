/*
 * Tries what the image's programs read from others, each time with other bytes: frames for the secure module, and the program's command.
 * Compiled with the sanitizers, so that a read or write out of bounds ends it. Not part of the image.
 *
 *     fuzz <rounds> <seed>
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command.h"
#include "nsm-exchange.h"

static uint64_t state;

/* xorshift64: the same numbers for the same seed. */
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static size_t below(size_t limit) { return (size_t)(next() % limit); }

static void check(int is_true, const char *what) {
  if (is_true) return;
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

struct module {
  size_t asked_bytes;
  ptrdiff_t answer_bytes;
  int calls;
};

static ptrdiff_t ask(void *context, const uint8_t *request, size_t request_bytes, uint8_t *response) {
  struct module *module = context;
  module->calls++;
  module->asked_bytes = request_bytes;
  uint8_t sum = 0;
  for (size_t i = 0; i < request_bytes; i++) sum = (uint8_t)(sum + request[i]);
  const ptrdiff_t room = module->answer_bytes < nsm_response_max ? module->answer_bytes : nsm_response_max;
  for (ptrdiff_t i = 0; i < room; i++) response[i] = sum;
  return module->answer_bytes;
}

/* A frame that passes, unless one of three ways to spoil it is taken. */
static void try_exchange(void) {
  static const uint8_t start[] = {0xa1, 0x6b, 'A', 't', 't', 'e', 's', 't', 'a', 't', 'i', 'o', 'n'};
  uint8_t frame[4 + 2 * nsm_request_max];
  const size_t length = sizeof start + below(nsm_request_max + 64);
  for (size_t i = 0; i < sizeof frame; i++) frame[i] = (uint8_t)next();
  memcpy(frame + 4, start, sizeof start);
  for (int i = 0; i < 4; i++) frame[i] = (uint8_t)(length >> (8 * (3 - i)));
  size_t sent = 4 + length;
  int is_right = length <= nsm_request_max;
  if (below(4) == 0) {
    frame[4 + below(sizeof start)] ^= (uint8_t)(1 + below(255));
    is_right = 0;
  }
  if (below(4) == 0) {
    sent = below(sent);
    is_right = 0;
  }
  if (below(8) == 0) {
    frame[0] ^= (uint8_t)(1 + below(255));
    is_right = 0;
  }

  int ends[2];
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  check(write(ends[0], frame, sent) == (ssize_t)sent, "write");
  check(shutdown(ends[0], SHUT_WR) == 0, "shutdown");
  struct module module = {.answer_bytes = (ptrdiff_t)below(nsm_response_max + 64) - 8};
  const int is_answered = module.answer_bytes >= 1 && module.answer_bytes <= nsm_response_max;
  check(nsm_exchange(ends[1], ask, &module) == (is_right && is_answered), "the exchange has another outcome");
  check(module.calls == is_right, "the module was asked what it must not be");
  if (is_right) check(module.asked_bytes == length, "the module was asked another request");
  check(shutdown(ends[1], SHUT_WR) == 0, "shutdown");
  uint8_t answer[8 + nsm_response_max];
  size_t got = 0;
  for (ssize_t bytes; (bytes = read(ends[0], answer + got, sizeof answer - got)) > 0;) got += (size_t)bytes;
  check(got == (is_right && is_answered ? 4 + (size_t)module.answer_bytes : 0), "the answer has another length");
  close(ends[0]);
  close(ends[1]);
}

static size_t count_in(char *const *words, const char *from, const char *to) {
  size_t count = 0;
  for (; words[count] != NULL; count++) {
    check(count < command_words_max, "too many words");
    check(words[count] >= from && words[count] + strlen(words[count]) < to, "a word outside of the text");
  }
  return count;
}

static void try_command(void) {
  /* On the heap, so that the byte behind the end is not to be read. */
  const size_t bytes = below(300);
  char *text = malloc(bytes + (bytes == 0));
  check(text != NULL, "malloc");
  /* Words of one length, so that there can be many, with some changes. */
  const size_t word = 2 + below(6);
  for (size_t i = 0; i < bytes; i++) text[i] = i % word == word - 1 ? '\0' : (char)('a' + below(26));
  for (size_t changes = below(4); bytes > 0 && changes > 0; changes--)
    text[below(bytes)] = below(2) == 0 ? '\0' : 'z';
  if (bytes > 0 && below(8) != 0) text[bytes - 1] = '\0';
  static struct command command;
  if (command_of(text, bytes, &command)) {
    check(count_in(command.arguments, text, text + bytes) >= 1, "no argument");
    count_in(command.environment, text, text + bytes);
  }
  free(text);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const long rounds = strtol(arguments[1], NULL, 10);
  state = strtoull(arguments[2], NULL, 10) | 1;
  for (long i = 0; i < rounds; i++) {
    try_exchange();
    try_command();
  }
  printf("%ld rounds\n", rounds);
  return 0;
}
