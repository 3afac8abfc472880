/*
 * Prints the manual page and the completion scripts from the tables of verbs and options.
 */
#ifndef LOCKSTEP_CLI_MANUAL_H
#define LOCKSTEP_CLI_MANUAL_H

#include <stdbool.h>

/*
 * Executes `lockstep help --man` and `lockstep help --completion SHELL`; sets *result to the exit
 * code.  Returns false for any other command line.
 */
bool manual_requested(int argc, char **argv, int *result);

int completion_print(const char *shell); /* exit code */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
