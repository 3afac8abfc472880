/*
 * Texts with numbers: equal texts have the same.
 */
#ifndef LSI_DRAW_TEXT_NUMBERS_H
#define LSI_DRAW_TEXT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Zero: empty. */
struct lsi_text_numbers {
	struct lsi_arena arena;
	const char **text; /* by number */
	int64_t texts;
	int64_t *slot; /* 1 + number, at the hash of the text or after it; 0: free */
	int64_t slots; /* a power of two, at least twice the texts */
};

void lsi_text_numbers_release(struct lsi_text_numbers *);

/* The number of a text, which is copied if it is new; -1: no memory. */
int64_t lsi_text_numbers_find(struct lsi_text_numbers *, const char *text);

/* A text that grows.  Zero: empty. */
struct lsi_text_buffer {
	char *text; /* NULL: nothing was put yet */
	size_t length, room;
};

/* Append; LS_OK or LS_ERR_MEMORY.  The context is a struct lsi_text_buffer. */
int lsi_text_buffer_put(void *context, const char *text);

#endif
