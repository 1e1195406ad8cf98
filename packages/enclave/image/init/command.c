#include "command.h"

#include <string.h>

/* Takes words up to an empty one or the end; answers what is behind them, NULL where there are too many. */
static char *take(char *at, const char *end, char **words) {
  size_t count = 0;
  while (at < end && *at != '\0') {
    if (count == command_words_max) return NULL;
    words[count++] = at;
    at += strlen(at) + 1;
  }
  words[count] = NULL;
  return at;
}

bool command_of(char *text, size_t bytes, struct command *command) {
  if (bytes == 0 || bytes > command_bytes_max || text[bytes - 1] != '\0') return false;
  const char *end = text + bytes;
  char *at = take(text, end, command->arguments);
  if (at == NULL || at >= end || command->arguments[0] == NULL) return false;
  at = take(at + 1, end, command->environment);
  return at == end;
}
