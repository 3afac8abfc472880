/*
 * What the tables of verbs and options describe besides --help: the manual page, and completion in
 * bash, zsh and fish.
 */
#ifndef LOCKSTEP_CLI_MANUAL_H
#define LOCKSTEP_CLI_MANUAL_H

#include <stdbool.h>

/*
 * Print what `lockstep help --man` or `lockstep help --completion SHELL` asks for, and set *result
 * to the exit code; false: the command line is another one.
 */
bool manual_requested(int argc, char **argv, int *result);

/*
 * lockstep.1 in roff.  A comment line `.\" @verb NAME` or `.\" @option NAME` is where
 * docs/man/lockstep.1.in adds to the entry.
 */
void manual_print(void);

int completion_print(const char *shell); /* exit code */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
