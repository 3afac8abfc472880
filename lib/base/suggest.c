#include "base/suggest.h"

#include <string.h>

#include <lockstep/status.h>

enum { LENGTH_MAX = 63 }; /* of a name; nothing is near a longer one */

static char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t min_of_three(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * Insertions, deletions and substitutions that turn the word into the name (Levenshtein 1966),
 * upper and lower case being equal.  edits[j] belongs to the first j characters of the name.
 */
static size_t count_edits(const char *word, size_t length, const char *name)
{
	const size_t columns = strlen(name);
	size_t edits[LENGTH_MAX + 1];

	if (columns > LENGTH_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= columns; j++)
		edits[j] = j;
	for (size_t i = 0; i < length; i++) {
		size_t diagonal = edits[0]++;

		for (size_t j = 0; j < columns; j++) {
			const bool differ = to_lower(word[i]) != to_lower(name[j]);
			const size_t above = edits[j + 1];

			edits[j + 1] = min_of_three(above + 1, edits[j] + 1, diagonal + differ);
			diagonal = above;
		}
	}
	return edits[columns];
}

/*
 * A name resembles a word when half of the word can stay.  Of names with equally many edits, one
 * that only adds characters is nearer: xor is nearer to lxor than to lor.
 */
struct lsi_suggestion lsi_suggest_begin(const char *word, size_t length)
{
	return (struct lsi_suggestion){ word, length, 2 * (length / 2) + 1, NULL };
}

void lsi_suggest_offer(struct lsi_suggestion *nearest, const char *name)
{
	const size_t edits = count_edits(nearest->word, nearest->length, name);
	const bool extends = edits != SIZE_MAX && strlen(name) == nearest->length + edits;
	const size_t distance = edits == SIZE_MAX ? edits : 2 * edits - (extends && edits > 0);

	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->name = name;
	}
}

const char *ls_name_suggest(const char *word, const char *const *names, size_t count)
{
	struct lsi_suggestion nearest;

	if (!word || !names)
		return NULL;
	nearest = lsi_suggest_begin(word, strlen(word));
	for (size_t i = 0; i < count; i++)
		lsi_suggest_offer(&nearest, names[i]);
	return nearest.name;
}
