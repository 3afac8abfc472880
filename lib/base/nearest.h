/*
 * The known name that somebody who mistyped a word most likely meant.
 *
 *     struct ls_nearest nearest = ls_nearest_to(word, length);
 *     for (i = 0; i < names; i++)
 *         ls_nearest_offer(&nearest, name[i]);
 *     nearest.name                           the best offer, or NULL: none resembles the word
 */
#ifndef LS_BASE_NEAREST_H
#define LS_BASE_NEAREST_H

#include <stddef.h>

struct ls_nearest {
	const char *word;
	size_t length;
	size_t edits;           /* the next offer must need fewer */
	const char *name;
};

struct ls_nearest ls_nearest_to(const char *word, size_t length);
void ls_nearest_offer(struct ls_nearest *, const char *name);

#endif
