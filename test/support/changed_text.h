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

/* The structure of a text. */
struct grammar {
	const char *between_fields; /* the bytes between them: " ,\n" */
	const char *between_parts;  /* a part is a field or several: an action of a plan */
	const char *block;          /* how the first line of a block begins: "round"; NULL: no blocks */
	const char *const *names;   /* numbers behind these words name nodes; NULL at the end */
	const char *const *words;   /* to put into fields; NULL at the end */
};

/*
 * As `change`; or delete, copy or swap fields, parts or blocks, put a word into a field, or let two
 * nodes of a block change names.
 */
void change_structure(struct edit *, const struct grammar *);
/* Replace the whole text; too long ones are cut. */
void edit_set(struct edit *, const char *text, size_t length);
/* Add at the end; the whole text, or nothing. */
void edit_append(struct edit *, const char *text);
/* A random number below n. */
size_t below(struct edit *, size_t n);

#endif
