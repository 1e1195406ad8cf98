/* The enclave program's command, as the image build writes it. */
#ifndef SYMBOLON_COMMAND_H
#define SYMBOLON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { command_bytes_max = 4096, command_words_max = 32 };

/* Lists of at most command_words_max words, each ended by NULL; the words stand in the text that they were read from. */
struct command {
  char *arguments[command_words_max + 1];
  char *environment[command_words_max + 1];
};

/*
 * Reads a text of `bytes` bytes: arguments, an empty word and the environment, every word ended by a zero byte. Answers false for any
 * other text; at least one argument is there.
 */
bool command_of(char *text, size_t bytes, struct command *command);

#endif
