/*
 * Collects a text that comes in pieces.
 */
#ifndef LOCKSTEP_TEST_COLLECTED_TEXT_H
#define LOCKSTEP_TEST_COLLECTED_TEXT_H

#include <stddef.h>

/* At first { 0 }; `at` is the caller's to free. */
struct text {
	char *at;
	size_t length, room;
};
/* A `put` whose context is a struct text; the test ends if there is no memory. */
int text_append(void *text, const char *piece);

#endif
