#include "data/trace_file.h"

#include "base/messages.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void trace_put_title(FILE *file, const struct trace_title *title)
{
	fputs("# ", file);
	if (title->operation)
		fprintf(file, "operation=%s ", title->operation);
	fprintf(file, "algorithm=%s topology=%s m=%zu root=%" PRId64 " q=%" PRId64, title->algorithm,
		title->topology, title->count, title->root, title->shift);
	if (title->mode)
		fprintf(file, " mode=%s", title->mode);
	if (title->ports > 1)
		fprintf(file, " ports=%d", title->ports);
	if (title->map && *title->map)
		fprintf(file, " map=%s", title->map);
	fputs("\nround,src,dst,words\n", file);
}

int trace_open(const char *path, const struct trace_title *title, struct output_file *out)
{
	const int failed = output_open(path, out);

	if (failed)
		return failed;
	output_truncate(out);
	trace_put_title(out->file, title);
	return EXIT_SUCCESS;
}

int trace_put(FILE *file, int64_t round, int64_t src, int64_t dst, size_t words)
{
	return fprintf(file, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu\n", round, src, dst, words) < 0;
}

void trace_record(void *trace, const struct ls_record *record)
{
	const struct output_file *file = trace;

	trace_put(file->file, record->round, record->src, record->dst, record->words);
}

/* Cut off the next field of a line; NULL: no field is left. */
static char *next_field(char **line)
{
	char *field = *line;

	if (!field)
		return NULL;
	*line = strchr(field, ',');
	if (*line)
		*(*line)++ = '\0';
	return field;
}

static bool read_row(char *line, struct ls_message *out)
{
	const char *round = next_field(&line), *src = next_field(&line), *dst = next_field(&line);
	const char *words = next_field(&line), *mark = next_field(&line);

	if (!words || line || (mark && strcmp(mark, "R") != 0))
		return false;
	out->unsent = mark != NULL;
	return read_int(round, &out->round) && out->round >= 1 && read_int(src, &out->src)
		&& read_int(dst, &out->dst) && read_size(words, &out->words);
}

/* A line of the file, as a row. */
struct trace_line {
	const char *path, *text;
	size_t number;
};

static int parse_line(struct trace_line line, int64_t nodes, struct ls_message *row)
{
	char *copy = require_memory(strdup(line.text));
	const bool readable = read_row(copy, row);

	free(copy);
	if (!readable)
		return print_error(EXIT_USAGE,
			"%s:%zu: '%s' is not a message; expected round,src,dst,words with a round >= 1",
			line.path, line.number, line.text);
	for (int end = 0; end < 2; end++) {
		const int64_t rank = end == 0 ? row->src : row->dst;

		if (rank < 0 || rank >= nodes)
			return print_error(EXIT_USAGE,
				"%s:%zu: rank %" PRId64 " is out of range; expected 0..%" PRId64, line.path,
				line.number, rank, nodes - 1);
	}
	return EXIT_SUCCESS;
}

/* Not empty, a comment or the head. */
static bool is_row(const char *line)
{
	return line[0] != '\0' && line[0] != '#' && strcmp(line, "round,src,dst,words") != 0;
}

int trace_read(
	const char *path, const char *text, int64_t nodes, struct ls_message **out, size_t *count)
{
	size_t allocated = 0, number = 0;
	int failed = EXIT_SUCCESS;

	*out = NULL;
	*count = 0;
	while (*text && !failed) {
		const size_t length = strcspn(text, "\n");
		char *line = require_memory(strndup(text, length));

		text += length + (text[length] == '\n');
		line[strcspn(line, "\r")] = '\0';
		number++;
		if (is_row(line)) {
			if (*count == allocated) {
				allocated = allocated ? 2 * allocated : 1024;
				*out = require_memory(realloc(*out, allocated * sizeof **out));
			}
			failed = parse_line((struct trace_line){ path, line, number }, nodes, &(*out)[*count]);
			++*count;
		}
		free(line);
	}
	return failed;
}
