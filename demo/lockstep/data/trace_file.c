#include "data/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int trace_open(const char *path, const struct trace_title *title, struct trace_file *out)
{
	*out = (struct trace_file){ fopen(path, "w"), path };
	if (!out->file)
		return print_error(
			EXIT_USAGE, "%s cannot be written; would be right: a file in a folder that can", path);
	fprintf(out->file, "# operation=%s algorithm=%s topology=%s m=%zu root=%" PRId64 " q=%" PRId64,
		title->operation, title->algorithm, title->topology, title->count, title->root,
		title->shift);
	if (title->map && *title->map)
		fprintf(out->file, " map=%s", title->map);
	fputs("\nround,src,dst,words\n", out->file);
	return EXIT_SUCCESS;
}

int trace_put(struct trace_file *trace, int64_t round, int64_t src, int64_t dst, size_t words)
{
	return fprintf(trace->file, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu\n", round, src, dst, words)
		< 0;
}

void trace_record(void *trace, const struct ls_record *record)
{
	trace_put(trace, record->round, record->src, record->dst, record->words);
}

int trace_close(struct trace_file *trace)
{
	if (!trace->file)
		return EXIT_SUCCESS;

	const bool failed = ferror(trace->file);

	if (fclose(trace->file) || failed)
		return print_error(
			EXIT_USAGE, "%s cannot be written; would be right: a disk with room", trace->path);
	return EXIT_SUCCESS;
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
			"%s, line %zu: %s is no message; would be right: round,src,dst,words", line.path,
			line.number, line.text);
	if (row->src < 0 || row->src >= nodes || row->dst < 0 || row->dst >= nodes)
		return print_error(EXIT_USAGE,
			"%s, line %zu: %s names no node of the topology; would be right: ranks 0 to %" PRId64,
			line.path, line.number, line.text, nodes - 1);
	return EXIT_SUCCESS;
}

int trace_read(const char *path, int64_t nodes, struct ls_message **out, size_t *count)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t line_bytes = 0, allocated = 0, number = 0;
	int failed = EXIT_SUCCESS;

	*out = NULL;
	*count = 0;
	if (!file)
		return print_error(EXIT_USAGE,
			"%s cannot be read; would be right: a file that --trace or steps wrote", path);
	while (!failed && getline(&line, &line_bytes, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		number++;
		if (line[0] == '#' || line[0] == '\0' || strcmp(line, "round,src,dst,words") == 0)
			continue;
		if (*count == allocated) {
			allocated = allocated ? 2 * allocated : 1024;
			*out = require_memory(realloc(*out, allocated * sizeof **out));
		}
		failed = parse_line((struct trace_line){ path, line, number }, nodes, &(*out)[*count]);
		++*count;
	}
	free(line);
	fclose(file);
	return failed;
}
