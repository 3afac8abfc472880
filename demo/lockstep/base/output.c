#include "base/output.h"

#include <stdlib.h>
#include <unistd.h>

/* https://no-color.org: set and not empty switches color off, unless --color demands it. */
bool colored(const struct output *output, FILE *file)
{
	const char *unwanted = getenv("NO_COLOR");

	if (output->color != 0)
		return output->color > 0;
	return isatty(fileno(file)) && !(unwanted && *unwanted);
}

const char *ok_text(const struct output *output, bool right)
{
	static const char *const text[2][2] = {
		{ "WRONG", "ok" },
		{ "\033[1;31mWRONG\033[0m", "\033[32mok\033[0m" },
	};

	return text[colored(output, stdout)][right];
}
