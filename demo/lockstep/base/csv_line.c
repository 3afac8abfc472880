#include "base/csv_line.h"

#include <stdbool.h>
#include <string.h>

size_t csv_split(char *line, char **cell, size_t most)
{
	size_t count = 0;
	char *to = line;

	line[strcspn(line, "\r\n")] = '\0';
	for (const char *from = line; count < most; from++) {
		bool quoted = false;

		cell[count++] = to;
		for (; *from && (quoted || *from != ','); from++) {
			if (*from == '"' && !(quoted && from[1] == '"'))
				quoted = !quoted;
			else
				*to++ = *from == '"' ? *from++ : *from;
		}

		const bool last = *from == '\0';

		*to++ = '\0';
		if (last)
			break;
	}
	return count;
}
