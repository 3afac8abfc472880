#include "draw/character.h"

#include <string.h>

/* Bytes of the character of UTF-8 that begins here; 0: none does. */
static size_t utf8_length(const unsigned char *s)
{
	const size_t length = s[0] < 0x80 ? 1
		: s[0] < 0xc2                 ? 0
		: s[0] < 0xe0                 ? 2
		: s[0] < 0xf0                 ? 3
		: s[0] < 0xf5                 ? 4
									  : 0;

	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Longer than necessary, halves of a pair, and beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
		|| (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return length;
}

/* Control characters, U+FFFE and U+FFFF; DEL is valid in XML, but shows nothing. */
static int is_forbidden(const unsigned char *s)
{
	if (s[0] < ' ')
		return s[0] != '\t' && s[0] != '\n' && s[0] != '\r';
	return s[0] == 0x7f || (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
}

struct lsi_character lsi_character_next(const char **at)
{
	const unsigned char *s = (const unsigned char *)*at;
	const size_t length = utf8_length(s);
	struct lsi_character c = { "?" };

	if (*s == '\0')
		return (struct lsi_character){ "" };
	if (length > 0 && !is_forbidden(s))
		memcpy(c.text, s, length);
	*at += length > 0 ? length : 1;
	return c;
}

size_t lsi_count_characters(const char *text)
{
	size_t n = 0;

	while (*lsi_character_next(&text).text)
		n++;
	return n;
}
