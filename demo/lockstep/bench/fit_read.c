#include "bench/fit_rows.h"

#include <stdlib.h>
#include <string.h>

const char *const fit_key_name[FIT_KEYS] = { "topology", "operation", "algorithm", "engine",
	"round_mode", "mode", "type", "op", "ports", "map" };

/* The columns that are read, behind those of the keys. */
enum { STATUS = FIT_KEYS, BYTES, ROUNDS, VOLUME, TIME, COLUMNS };
static const char *const other_name[] = { "status", "bytes", "rounds", "volume_bytes",
	"time_ns.median" };

enum { CELLS_MOST = 128 };

struct source {
	const char *path;
	size_t line;
	size_t place[COLUMNS]; /* of each column that is read among the cells */
	size_t cells;          /* of the head; 0: there was none yet */
};

static const char *column_name(size_t column)
{
	return column < FIT_KEYS ? fit_key_name[column] : other_name[column - FIT_KEYS];
}

/* The cells of a line, unquoted in place; their number. */
static size_t split(char *line, char **cell)
{
	size_t count = 0;
	char *to = line;

	line[strcspn(line, "\r\n")] = '\0';
	for (const char *from = line; count < CELLS_MOST; from++) {
		bool quoted = false;

		cell[count++] = to;
		for (; *from && (quoted || *from != ','); from++) {
			if (*from == '"' && !(quoted && from[1] == '"'))
				quoted = !quoted;
			else
				*to++ = *from == '"' ? *from++ : *from;
		}

		const bool last = *from == '\0';

		*to++ = '\0';
		if (last)
			break;
	}
	return count;
}

static int read_head(struct source *source, char **cell, size_t cells)
{
	for (size_t column = 0; column < COLUMNS; column++) {
		size_t place = 0;

		while (place < cells && strcmp(cell[place], column_name(column)) != 0)
			place++;
		if (place == cells)
			return print_error(EXIT_USAGE,
				"%s, line %zu: no column %s; would be right: a file of lockstep bench --csv",
				source->path, source->line, column_name(column));
		source->place[column] = place;
	}
	source->cells = cells;
	return EXIT_SUCCESS;
}

static int read_number(const struct source *source, char **cell, size_t column, double *out)
{
	const char *text = cell[source->place[column]];
	const bool times = column == TIME;

	if (read_real(text, out) && (times ? *out > 0 : *out >= 0) && *out < 1e300)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s, line %zu: %s is %s; would be right: a number %s",
		source->path, source->line, column_name(column), *text ? text : "empty",
		times ? "above 0" : "that is not negative");
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
	if (failed)
		return failed;
	for (size_t key = 0; key < FIT_KEYS; key++) {
		const char *text = cell[source->place[key]];

		row.key[key] = require_memory(strdup(key == FIT_ENGINE ? engine_name_now(text) : text));
	}
	rows->row = require_memory(realloc(rows->row, (rows->count + 1) * sizeof *rows->row));
	rows->row[rows->count++] = row;
	return EXIT_SUCCESS;
}

/* A head may come again, where files were joined. */
static int read_line(struct source *source, char *line, struct fit_rows *rows)
{
	char *cell[CELLS_MOST];
	const size_t cells = split(line, cell);

	if (source->cells == 0 || strcmp(cell[0], "operation") == 0)
		return read_head(source, cell, cells);
	if (cells != source->cells)
		return print_error(EXIT_USAGE,
			"%s, line %zu: %zu cells; would be right: %zu, as in the head", source->path,
			source->line, cells, source->cells);
	if (strcmp(cell[source->place[STATUS]], "ok") == 0)
		return read_row(source, cell, rows);
	rows->left_out++;
	return EXIT_SUCCESS;
}

int fit_read(const char *path, struct fit_rows *rows)
{
	struct source source = { .path = path };
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int failed = EXIT_SUCCESS;

	if (!file)
		return print_error(EXIT_USAGE,
			"%s cannot be read; would be right: a file that lockstep bench --csv wrote", path);
	while (!failed && getline(&line, &room, file) > 0) {
		source.line++;
		if (line[0] != '#' && line[strspn(line, " \t\r\n")] != '\0')
			failed = read_line(&source, line, rows);
	}
	if (!failed && source.cells == 0)
		failed = print_error(EXIT_USAGE,
			"%s holds no results; would be right: a file that lockstep bench --csv wrote", path);
	free(line);
	if (file != stdin)
		fclose(file);
	return failed;
}

void fit_destroy(struct fit_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		for (size_t key = 0; key < FIT_KEYS; key++)
			free(rows->row[i].key[key]);
	free(rows->row);
}
