/*
 * Lists of words as text.
 */
#ifndef LOCKSTEP_BASE_WORDS_H
#define LOCKSTEP_BASE_WORDS_H

#include <stddef.h>

/* "run, steps and bench", where last is "and". */
void join_words(const char *const *word, size_t count, const char *last, char *text, size_t size);

#endif
