#include "support/collected_text.h"

#include <stdlib.h>
#include <string.h>

int text_append(void *context, const char *piece)
{
	struct text *text = context;
	const size_t length = strlen(piece);

	if (text->length + length + 1 > text->room) {
		text->room = 2 * (text->length + length + 1);
		text->at = realloc(text->at, text->room);
		if (!text->at)
			exit(1);
	}
	memcpy(text->at + text->length, piece, length + 1);
	text->length += length;
	return 0;
}
