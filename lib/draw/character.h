/*
 * The characters of texts that come from a caller, as pictures show them.
 *
 * Texts are UTF-8 (RFC 3629).  A byte that begins no character of it, and a character that XML 1.0
 * forbids, as most control characters, becomes "?".
 */
#ifndef LSI_DRAW_CHARACTER_H
#define LSI_DRAW_CHARACTER_H

#include <stddef.h>

struct lsi_character {
	char text[5];
};

/* The next character; *at moves past it.  "" at the end, where *at stays. */
struct lsi_character lsi_character_next(const char **at);
size_t lsi_count_characters(const char *text);

#endif
