/*
 * Options that have no effect in the formats of this run.
 */
#include "base/messages.h"
#include "base/output_file.h"
#include "cli/option_table.h"
#include "draw/drawing.h"

#include <string.h>

/* The options of the formats that do not take PAGE_OPTIONS. */
static const struct {
	const char *format;
	uint64_t options;
} others[] = { { "text", 0 }, { "dot", GRAPH_OPTIONS }, { "tikz", LATEX_OPTIONS } };

/* Without a view, a page shows one step, and has no columns. */
static uint64_t options_of(const struct format *format, uint64_t given)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i].format, format->name) == 0)
			return others[i].options;
	if (strcmp(format->name, "html") == 0 && !(given & TAKES(OPTION_VIEW)))
		return PAGE_OPTIONS & ~TAKES(OPTION_COLUMNS);
	return PAGE_OPTIONS;
}

/* The extension of the first format of a table that takes an option. */
static const char *ending_for(const struct format *table, uint64_t option)
{
	for (; table->name; table++)
		if (table->ending && options_of(table, 0) & option)
			return table->ending;
	return "";
}

int check_drawing_options(uint64_t given, const struct format *table,
	const struct format *of_stdout, const char *const *path)
{
	const struct format *format = of_stdout;
	uint64_t taken = *path ? 0 : options_of(of_stdout, given);

	for (; *path; path++) {
		format = output_is_stream(*path) ? of_stdout : format_of_file(table, *path);
		taken |= options_of(format, given);
	}
	for (int i = 0; i < OPTIONS; i++) {
		const char *name = option_table[i].name;

		if (given & LATEX_OPTIONS & ~taken & TAKES(i))
			return print_error(EXIT_USAGE, "--%s has no effect in %s; try FILE%s, or without --%s",
				name, format->name, ending_for(table, TAKES(i)), name);
	}
	return EXIT_SUCCESS;
}
