#include "base/output.h"

#include "base/processes.h"

#include <stdlib.h>
#include <unistd.h>

/* Open MPI makes a terminal for each process, also for the only one, and copies what it prints. */
bool is_terminal(FILE *file)
{
	return processes_here()->count == 1 && !getenv("OMPI_COMM_WORLD_SIZE") && isatty(fileno(file));
}

/* https://no-color.org: set and not empty switches color off, unless --color demands it. */
bool colored(const struct output *output, FILE *file)
{
	const char *unwanted = getenv("NO_COLOR");

	if (output->color != 0)
		return output->color > 0;
	return is_terminal(file) && !(unwanted && *unwanted);
}

const char *ok_text(const struct output *output, bool right)
{
	static const char *const text[2][2] = {
		{ "WRONG", "ok" },
		{ "\033[1;31mWRONG\033[0m", "\033[32mok\033[0m" },
	};

	return text[colored(output, stdout)][right];
}
