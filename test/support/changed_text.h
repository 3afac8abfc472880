/*
 * Texts whose lines and numbers change at random, for tests of readers.
 */
#ifndef LOCKSTEP_TEST_CHANGED_TEXT_H
#define LOCKSTEP_TEST_CHANGED_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { EDITED = 16000 }; /* most bytes, with the 0 at the end */

struct edit {
	char text[EDITED];
	size_t length;
	uint64_t state; /* of the random numbers: any seed */
};

/* Delete, copy or swap lines or numbers, replace a number, or add a byte. */
void change(struct edit *);
/* A random number below n. */
size_t below(struct edit *, size_t n);

#endif
