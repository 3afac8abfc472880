/*
 * Options that have no effect in the formats of this run.
 */
#include "base/messages.h"
#include "base/output_file.h"
#include "draw/drawing.h"

#include <string.h>

static const struct {
	const char *format, *ending;
	uint64_t options;
} drawn[] = {
#define OPTIONS_ROW(name, ending, write, options) { name, ending, options },
	DRAWN_FORMATS(OPTIONS_ROW)
#undef OPTIONS_ROW
};
enum { DRAWN = sizeof drawn / sizeof *drawn };

/* Those that a format takes; none: it draws no picture. */
static uint64_t options_of(const struct format *format)
{
	for (int i = 0; i < DRAWN; i++)
		if (format && strcmp(drawn[i].format, format->name) == 0)
			return drawn[i].options;
	return 0;
}

/* The extension of the first format that takes an option; NULL: every format takes it. */
static const char *ending_for(uint64_t option)
{
	for (int i = 0; i < DRAWN; i++)
		if (drawn[i].options & option)
			return drawn[i].ending;
	return NULL;
}

int check_drawing_options(uint64_t given, const struct format *table,
	const struct format *of_stdout, const char *const *path)
{
	const struct format *format = of_stdout;
	uint64_t taken = *path ? 0 : options_of(of_stdout);

	for (; *path; path++) {
		format = output_is_stream(*path) ? of_stdout : format_of_file(table, *path);
		if (!format) /* the writer refuses the extension */
			return EXIT_SUCCESS;
		taken |= options_of(format);
	}
	for (int i = 0; i < OPTIONS; i++) {
		const char *ending = ending_for(TAKES(i));

		if (ending && given & ~taken & TAKES(i))
			return print_error(EXIT_USAGE, "--%s has no effect in %s; try FILE%s, or without --%s",
				option_table[i].name, format->name, ending, option_table[i].name);
	}
	return EXIT_SUCCESS;
}
