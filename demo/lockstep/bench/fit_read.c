/*
 * Reads the rows of files that `bench --csv` wrote.
 */
#include "base/csv_line.h"
#include "base/names.h"
#include "base/number.h"
#include "base/text_file.h"
#include "bench/fit_rows.h"

#include <stdlib.h>
#include <string.h>

/* The columns that are read, after those of the keys. */
enum { STATUS = FIT_KEYS, BYTES, ROUNDS, VOLUME, TIME, COLUMNS };
static const char *const head[COLUMNS] = { FIT_HEADS, "status", "bytes", "rounds", "volume_bytes",
	"time_ns.median" };

enum { CELLS_MOST = 128 };

struct source {
	const char *path; /* in messages */
	size_t line;
	size_t index[COLUMNS]; /* of each column among the cells */
	size_t cells;          /* of the head; 0: there was none yet */
};

static const char *column_name(size_t column)
{
	return head[column] + (*head[column] == '#');
}

static int read_head(struct source *source, char **cell, size_t cells)
{
	for (size_t column = 0; column < COLUMNS; column++) {
		size_t index = 0;

		while (index < cells && strcmp(cell[index], column_name(column)) != 0)
			index++;
		if (index == cells)
			return print_error(EXIT_USAGE,
				"%s:%zu: no column %s; expected a file that 'lockstep bench --csv' wrote",
				source->path, source->line, column_name(column));
		source->index[column] = index;
	}
	source->cells = cells;
	return EXIT_SUCCESS;
}

static int read_number(const struct source *source, char **cell, size_t column, double *out)
{
	const char *text = cell[source->index[column]];
	const bool times = column == TIME;

	if (read_real(text, out) && (times ? *out > 0 : *out >= 0) && *out < 1e300)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s:%zu: %s is %s; expected a number %s", source->path,
		source->line, column_name(column), *text ? text : "empty", times ? "> 0" : ">= 0");
}

static int read_ports(const struct source *source, char **cell)
{
	const char *text = cell[source->index[FIT_PORTS]];
	int64_t ports;

	if (read_int(text, &ports) && ports >= 1)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s:%zu: ports is %s; expected an integer >= 1", source->path,
		source->line, *text ? text : "empty");
}

static int read_row(const struct source *source, char **cell, struct fit_rows *rows)
{
	struct fit_row row = { .bytes = 0 };
	int failed = read_number(source, cell, BYTES, &row.bytes);

	if (!failed)
		failed = read_number(source, cell, ROUNDS, &row.sample.rounds);
	if (!failed)
		failed = read_number(source, cell, VOLUME, &row.sample.bytes);
	if (!failed)
		failed = read_number(source, cell, TIME, &row.sample.time);
	if (!failed)
		failed = read_ports(source, cell);
	if (failed)
		return failed;
	for (size_t key = 0; key < FIT_KEYS; key++) {
		const char *text = cell[source->index[key]];

		row.key[key] = require_memory(strdup(key == FIT_ENGINE ? engine_name_now(text) : text));
	}
	rows->row = require_memory(realloc(rows->row, (rows->count + 1) * sizeof *rows->row));
	rows->row[rows->count++] = row;
	return EXIT_SUCCESS;
}

/* Joined files repeat the head. */
static int read_line(struct source *source, char *line, struct fit_rows *rows)
{
	char *cell[CELLS_MOST];
	const size_t cells = csv_split(line, cell, CELLS_MOST);

	if (source->cells == 0 || strcmp(cell[0], "operation") == 0)
		return read_head(source, cell, cells);
	if (cells != source->cells)
		return print_error(EXIT_USAGE, "%s:%zu: %zu cell%s; expected %zu, as in the head",
			source->path, source->line, cells, cells == 1 ? "" : "s", source->cells);
	if (strcmp(cell[source->index[STATUS]], "ok") == 0)
		return read_row(source, cell, rows);
	rows->left_out++;
	return EXIT_SUCCESS;
}

int fit_read(const char *path, struct fit_rows *rows)
{
	struct text_file text;
	int failed = text_open(path, TEXT_LINE_MOST, &text);
	struct source source = { .path = text.path };

	while (!failed && text_next_line(&text)) {
		source.line = text.line;
		if (text.text[0] != '#' && text.text[strspn(text.text, " \t\r\n")] != '\0')
			failed = read_line(&source, text.text, rows);
	}
	failed = text_close(&text) ? text.failed : failed;
	if (!failed && source.cells == 0)
		failed = print_error(EXIT_USAGE,
			"%s holds no results; expected a file that 'lockstep bench --csv' wrote", source.path);
	return failed;
}

void fit_destroy(struct fit_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		for (size_t key = 0; key < FIT_KEYS; key++)
			free(rows->row[i].key[key]);
	free(rows->row);
}
