/*
 * Values of options that are words, or lists of words.
 */
#ifndef LOCKSTEP_CLI_OPTION_VALUES_H
#define LOCKSTEP_CLI_OPTION_VALUES_H

#include "base/execution.h"

/* *out: the index of the value in `words`, which end with NULL; exit code. */
int set_word(const char *value, const char *const *words, const char *option, int *out);

/* *out: the values between commas, each found by `find`; exit code. */
int set_list(const char *value, const char *option, int (*find)(const char *word, int *out),
	struct list *out);

/* "'VALUE' is not WHAT; expected EXPECTED"; returns EXIT_USAGE. */
int print_unexpected(const char *value, const char *what, const char *expected);

/* An integer from least to most; what: "a number of ports". */
int set_small(const char *value, int least, int most, const char *what, int *out);

#endif
