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

void format_names(const struct format *table, char *text, size_t size)
{
	const char *word[FORMATS_MOST];
	size_t count = 0;

	for (; table && table->name && count < FORMATS_MOST; table++)
		word[count++] = table->name;
	join_words(word, count, "and", text, size);
}

void format_files(const struct format *table, char *text, size_t size)
{
	char file[FORMATS_MOST][24];
	const char *word[FORMATS_MOST];
	size_t count = 0;

	for (; table && table->name && count < FORMATS_MOST; table++)
		if (table->ending) {
			snprintf(file[count], sizeof file[count], "FILE%s", table->ending);
			word[count] = file[count];
			count++;
		}
	join_words(word, count, "and", text, size);
}

int format_write_file(
	const struct format *table, const struct output *output, const void *document, const char *path)
{
	struct output to_file = *output;
	struct output_file file;
	char files[80];

	/* The ending of a file gives its format; options give that of an open stream. */
	if (!output_is_stream(path))
		to_file.format = format_of_file(table, path);
	if (!to_file.format) {
		format_files(table, files, sizeof files);
		return print_error(EXIT_UNAVAILABLE, "%s has no known ending; expected %s", path, files);
	}

	int failed = output_open(path, &file);

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
