/*
 * The known name that is most similar to a mistyped word.
 *
 *     struct lsi_suggestion nearest = lsi_suggest_begin(word, length);
 *     for (i = 0; i < names; i++)
 *         lsi_suggest_offer(&nearest, name[i]);
 *     nearest.name                           the most similar name; NULL: none is similar
 */
#ifndef LSI_BASE_SUGGEST_H
#define LSI_BASE_SUGGEST_H

#include <stddef.h>

struct lsi_suggestion {
	const char *word;
	size_t length;
	size_t distance; /* of `name`; a name with a smaller one replaces it */
	const char *name;
};

struct lsi_suggestion lsi_suggest_begin(const char *word, size_t length);
void lsi_suggest_offer(struct lsi_suggestion *, const char *name);

#endif
