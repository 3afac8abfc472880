/*
 * Prints the manual page and the completion scripts from the tables of verbs and options.
 */
#ifndef LOCKSTEP_CLI_MANUAL_H
#define LOCKSTEP_CLI_MANUAL_H

#include <stdbool.h>

/* Whether the command line is `lockstep help --man` or `lockstep help --completion SHELL`. */
bool manual_requested(int argc, char **argv);
/* Executes it; exit code. */
int manual_print(int argc, char **argv);

int completion_print(const char *shell); /* exit code */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
