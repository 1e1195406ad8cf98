/* Words on the console, and the end of a process that cannot go on. */
#ifndef SYMBOLON_SAY_H
#define SYMBOLON_SAY_H

#include <stddef.h>

/* Writes one line, "symbolon: <text>", to standard error. */
void say(const char *text);

/* Writes one line, "symbolon: <text>: <what errno says>", and ends the process with 1. */
_Noreturn void fail(const char *text);

#endif
