#include "data/trace_file.h"

#include "base/messages.h"
#include "base/number.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] = "round,src,dst,words";
static const char time_columns[] = ",sent_ns,received_ns,waited_ns";
enum { COLUMNS_WITHOUT_WORDS = 3, COLUMNS = 4, TIMED_COLUMNS = 7 };

/* ---- Write */

/* " cores=0,0,1,1"; nothing if nodes are not bound. */
static void put_cores(FILE *file, const struct execution *how, int64_t nodes)
{
	int *core = require_memory(calloc((size_t)nodes, sizeof *core));
	const int failed = ls_placement_cores(how->bind, how->nodes, nodes, core);

	require_memory(failed ? NULL : core);
	for (int64_t i = 0; i < nodes && core[i] >= 0; i++)
		fprintf(file, "%s%d", i == 0 ? " cores=" : ",", core[i]);
	free(core);
}

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
	if (title->placed)
		put_cores(file, title->placed, title->nodes);
	fprintf(file, "\n%s%s\n", columns, title->timed ? time_columns : "");
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

int trace_put(FILE *file, const struct ls_record *record)
{
	int failed = fprintf(file, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu", record->round,
					 record->src, record->dst, record->words)
		< 0;

	if (record->sent_ns >= 0)
		failed |= fprintf(file, ",%" PRId64 ",%" PRId64 ",%" PRId64, record->sent_ns,
					  record->received_ns, record->waited_ns)
			< 0;
	return failed | (fputc('\n', file) == EOF);
}

void trace_record(void *trace, const struct ls_record *record)
{
	const struct output_file *file = trace;

	trace_put(file->file, record);
}

/* ---- Read */

/* Cut a line into fields at its commas.  Returns their number; only the first `most` are stored. */
static size_t split(char *line, const char **field, size_t most)
{
	size_t count = 0;

	for (char *next = line; next; count++) {
		char *text = strsep(&next, ",");

		if (count < most)
			field[count] = text;
	}
	return count;
}

/* A row of the file; `unsent`: it has the mark R. */
struct trace_row {
	struct ls_record record;
	bool unsent;
};

/* A message whose words are not stated has one. */
static bool read_message(const char *const *field, size_t columns_of_row, struct ls_record *out)
{
	out->words = 1;
	return read_int(field[0], &out->round) && out->round >= 1 && read_int(field[1], &out->src)
		&& read_int(field[2], &out->dst)
		&& (columns_of_row == COLUMNS_WITHOUT_WORDS || read_size(field[3], &out->words));
}

/* Times of a message; all but the first are -1 if it was not received. */
static bool read_times(const char *const *field, struct ls_record *out)
{
	if (!read_int(field[0], &out->sent_ns) || !read_int(field[1], &out->received_ns)
		|| !read_int(field[2], &out->waited_ns))
		return false;
	if (out->received_ns == -1)
		return out->sent_ns >= -1 && out->waited_ns == -1;
	return out->sent_ns >= 0 && out->sent_ns <= out->received_ns && out->waited_ns >= 0
		&& out->waited_ns <= out->received_ns;
}

/* A line of the file, as a row. */
struct trace_line {
	const char *path, *text;
	size_t number;
	bool *states_words; /* set to false by a row without words */
};

/* The row of a line, whose ranks may be out of range; exit code. */
static int parse_fields(struct trace_line line, struct trace_row *row)
{
	const char *field[TIMED_COLUMNS];
	char *copy = require_memory(strdup(line.text));
	const size_t count = split(copy, field, TIMED_COLUMNS);
	int failed = EXIT_SUCCESS;

	row->record = (struct ls_record){ .sent_ns = -1, .received_ns = -1, .waited_ns = -1 };
	row->unsent = count == COLUMNS + 1 && strcmp(field[COLUMNS], "R") == 0;
	*line.states_words &= count != COLUMNS_WITHOUT_WORDS;
	if (count == 1 && strchr(line.text, ';'))
		failed = print_error(EXIT_USAGE, "%s:%zu: '%s' has semicolons; expected commas: %s",
			line.path, line.number, line.text, columns);
	else if (count != COLUMNS_WITHOUT_WORDS && count != COLUMNS && count != TIMED_COLUMNS
		&& !row->unsent)
		failed = print_error(EXIT_USAGE,
			"%s:%zu: '%s' has %zu column%s; expected round,src,dst or %s, or these and %s",
			line.path, line.number, line.text, count, count == 1 ? "" : "s", columns,
			time_columns + 1);
	else if (!read_message(field, count, &row->record))
		failed =
			print_error(EXIT_USAGE, "%s:%zu: '%s' is not a message; expected %s with a round >= 1",
				line.path, line.number, line.text, columns);
	else if (count == TIMED_COLUMNS && !read_times(field + COLUMNS, &row->record))
		failed = print_error(EXIT_USAGE,
			"%s:%zu: '%s' has impossible times; expected sent_ns <= received_ns and waited_ns <= "
			"received_ns, or -1 if not received",
			line.path, line.number, line.text);
	free(copy);
	return failed;
}

static int parse_line(struct trace_line line, int64_t nodes, struct trace_row *row)
{
	const int failed = parse_fields(line, row);

	if (failed)
		return failed;
	for (int end = 0; end < 2; end++) {
		const int64_t rank = end == 0 ? row->record.src : row->record.dst;

		if (rank < 0 || rank >= nodes)
			return print_error(EXIT_USAGE,
				"%s:%zu: rank %" PRId64 " is out of range; expected 0..%" PRId64, line.path,
				line.number, rank, nodes - 1);
	}
	return EXIT_SUCCESS;
}

/* "round,src,dst", with or without the further columns. */
static bool is_head(const char *line)
{
	const size_t n = strlen(columns);

	return strcmp(line, "round,src,dst") == 0
		|| (strncmp(line, columns, n) == 0
			&& (line[n] == '\0' || strcmp(line + n, time_columns) == 0));
}

/* Not empty, a comment or the head. */
static bool is_row(const char *line)
{
	return line[0] != '\0' && line[0] != '#' && !is_head(line);
}

/* The rows of the file as an array of elements, to which `add` appends one. */
struct trace_rows {
	size_t size; /* of an element */
	void (*add)(void *array, size_t *count, const struct trace_row *);
	void *array;
	size_t count, allocated;
	bool states_words; /* every row does */
};

static void add_row(struct trace_rows *rows, const struct trace_row *row)
{
	if (rows->count == rows->allocated) {
		rows->allocated = rows->allocated ? 2 * rows->allocated : 1024;
		rows->array = require_memory(realloc(rows->array, rows->allocated * rows->size));
	}
	rows->add(rows->array, &rows->count, row);
}

/* Spreadsheets and people put blanks beside commas, and "\r" before the end of a line. */
static void remove_blanks(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++)
		if (!strchr(" \t\r", *from))
			*to++ = *from;
	*to = '\0';
}

static int read_rows(const char *path, const char *text, int64_t nodes, struct trace_rows *rows)
{
	size_t number = 0;
	int failed = EXIT_SUCCESS;

	rows->states_words = true;
	while (*text && !failed) {
		const size_t length = strcspn(text, "\n");
		char *line = require_memory(strndup(text, length));
		struct trace_row row;

		text += length + (text[length] == '\n');
		remove_blanks(line);
		number++;
		if (is_row(line)) {
			failed = parse_line(
				(struct trace_line){ path, line, number, &rows->states_words }, nodes, &row);
			if (!failed)
				add_row(rows, &row);
		}
		free(line);
	}
	return failed;
}

static void add_message(void *array, size_t *count, const struct trace_row *row)
{
	const struct ls_record *r = &row->record;
	struct ls_message *message = array;

	message[(*count)++] = (struct ls_message){
		.round = r->round, .src = r->src, .dst = r->dst, .unsent = row->unsent, .words = r->words
	};
}

int trace_read(const char *path, const char *text, int64_t nodes, struct ls_message **out,
	size_t *count, bool *states_words)
{
	struct trace_rows rows = { .size = sizeof **out, .add = add_message };
	const int failed = read_rows(path, text, nodes, &rows);

	*out = rows.array;
	*count = rows.count;
	*states_words = rows.states_words;
	return failed;
}

static void add_record(void *array, size_t *count, const struct trace_row *row)
{
	struct ls_record *record = array;

	if (!row->unsent)
		record[(*count)++] = row->record;
}

int trace_read_records(
	const char *path, const char *text, int64_t nodes, struct ls_record **out, size_t *count)
{
	struct trace_rows rows = { .size = sizeof **out, .add = add_record };
	const int failed = read_rows(path, text, nodes, &rows);

	*out = rows.array;
	*count = rows.count;
	return failed;
}

int trace_read_cores(const char *path, const char *list, int64_t nodes, int *out)
{
	char *copy = require_memory(strdup(list)), *next = copy;
	int64_t count = 0, core;
	bool right = true;

	for (; next && right; count++) {
		right = read_int(strsep(&next, ","), &core) && core >= 0 && core <= INT_MAX;
		if (right && count < nodes)
			out[count] = (int)core;
	}
	free(copy);
	if (right && count == nodes)
		return EXIT_SUCCESS;
	if (!right)
		return print_error(
			EXIT_USAGE, "%s:1: 'cores=%s' is not a list of cores; expected 0,0,1,1", path, list);
	return print_error(EXIT_USAGE,
		"%s:1: cores= has %" PRId64 " core%s; expected one for each of %" PRId64 " nodes", path,
		count, count == 1 ? "" : "s", nodes);
}
