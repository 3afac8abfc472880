/*
 * The object that a word names.  An unknown word gives a message that suggests the nearest name.
 */
#ifndef LOCKSTEP_BASE_NAMES_H
#define LOCKSTEP_BASE_NAMES_H

#include <lockstep.h>

int find_operation(const char *word, enum ls_operation *out);
int find_type(const char *word, ls_type *out);
int find_op(const char *word, ls_op *out);
int find_engine(const char *word, int *out);
/* The present name of an engine; `word` may be its name in version 0.1. */
const char *engine_name_now(const char *word);

/*
 * "no KIND 'WORD'; did you mean 'NEAREST'?", or "...; REMEDY" where no name is near; returns
 * EXIT_USAGE.
 */
int print_unknown(
	const char *kind, const char *word, const char *const *names, size_t count, const char *remedy);

#endif
