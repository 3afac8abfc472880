#include "base/words.h"

#include <stdio.h>
#include <string.h>

void join_words(const char *const *word, size_t count, const char *last, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const size_t at = strlen(text);

		if (i > 0 && i + 1 == count)
			snprintf(text + at, size - at, " %s %s", last, word[i]);
		else
			snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", word[i]);
	}
}
