#include "report/format.h"

#include "base/messages.h"
#include "base/output_file.h"
#include "base/words.h"

#include <string.h>

const struct format *format_named(const struct format *table, const char *name)
{
	for (; table && table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

const struct format *format_of_file(const struct format *table, const char *path)
{
	const char *ending = strrchr(path, '.');

	for (; ending && table && table->name; table++)
		if (table->ending && strcmp(table->ending, ending) == 0)
			return table;
	return NULL;
}

void format_names(const struct format *table, const char *last, char *text, size_t size)
{
	const char *word[FORMATS_MOST];
	size_t count = 0;

	for (; table && table->name && count < FORMATS_MOST; table++)
		word[count++] = table->name;
	join_words(word, count, last, text, size);
}

void format_endings(const struct format *table, char *text, size_t size)
{
	const char *word[FORMATS_MOST];
	size_t count = 0;

	for (; table && table->name && count < FORMATS_MOST; table++)
		if (table->ending)
			word[count++] = table->ending;
	join_words(word, count, "or", text, size);
}

/* The extension of a file selects its format; --format, --json or --csv may only agree with it. */
static int check_agreement(
	const struct format *by_extension, const struct output *output, const char *path)
{
	if (by_extension == output->format || !output->format_given)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE,
		"the extension of %s selects %s, but an option selects %s; try without the option", path,
		by_extension->name, output->format->name);
}

int format_find_of_file(const struct format *table, const struct output *output, const char *path,
	const struct format **out)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *ending = strrchr(name, '.');
	char endings[80];

	/* The ending of a file gives its format; options give that of an open stream. */
	*out = output_is_stream(path) ? output->format : format_of_file(table, path);
	if (*out)
		return check_agreement(*out, output, path);
	format_endings(table, endings, sizeof endings);
	if (!ending)
		return print_error(EXIT_USAGE, "%s has no file extension; expected %s", path, endings);
	return print_error(EXIT_USAGE, "unknown file extension '%s'; expected %s", ending, endings);
}

int format_check_files(
	const struct format *table, const struct output *output, const char *const *path)
{
	const struct format *format;
	int failed = EXIT_SUCCESS;

	for (; *path && !failed; path++)
		failed = format_find_of_file(table, output, *path, &format);
	return failed;
}

int format_write_file(
	const struct format *table, const struct output *output, const void *document, const char *path)
{
	struct output to_file = *output;
	struct output_file file;
	int failed = format_find_of_file(table, output, path, &to_file.format);

	if (!failed)
		failed = output_open(path, &file);
	if (failed)
		return failed;
	output_truncate(&file);
	to_file.file = file.file;
	failed = to_file.format->write(&to_file, document);
	if (!failed)
		return output_close(&file);
	output_discard(&file);
	return failed;
}
