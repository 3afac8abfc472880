#include "chart/chart_rows.h"

#include "base/names.h"
#include "base/number.h"
#include "data/operand_shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns of bench */

static const char *const bench_columns[CHART_COLUMNS] = {
	[CHART_X] = "bytes",
	[CHART_Y] = "time_ns.median",
	[CHART_LOW] = "time_ns.lower_quartile",
	[CHART_HIGH] = "time_ns.upper_quartile",
	[CHART_MODEL] = "model_ns",
	[CHART_STATUS] = "status",
};

static const struct chart_key bench_keys[] = {
	{ "operation", CHART_TITLE, "", "", true, NULL, false },
	{ "type", CHART_TITLE, " of ", "", true, has_elements, false },
	{ "op", CHART_TITLE, ", ", ",", true, combines, false },
	{ "topology", CHART_TITLE, " on ", "", true, NULL, false },
	{ "algorithm", CHART_CAPTION, "", "", true, NULL, false },
	{ "engine_requested", CHART_CAPTION, "engine ", "", false, NULL, false },
	{ "nodes_as", CHART_CAPTION, "nodes as ", "", false, NULL, false },
	{ "round_mode", CHART_CAPTION, "", " rounds", false, NULL, false },
	{ "mode", CHART_NAME, "", "", true, NULL, false },
	{ "ports", CHART_NAME, "", "", true, NULL, false },
	{ "map", CHART_NAME, "", "", true, NULL, false },
	{ "cpu", CHART_MACHINE, "", "", false, NULL, false },
	{ "system", CHART_MACHINE, "", "", false, NULL, false },
};
enum { BENCH_KEYS = sizeof bench_keys / sizeof *bench_keys };

static const struct chart_measure bench_x = { "bytes of a contribution", LS_UNIT_BYTES, 1 };
static const struct chart_measure bench_y = { "time per call", LS_UNIT_SECONDS, 1e-9 };

/* ---- Columns of any table */

static size_t find_column(char *const *head, size_t cells, const char *name)
{
	size_t i = 0;

	while (i < cells && strcmp(head[i], name) != 0)
		i++;
	return i < cells ? i : SIZE_MAX;
}

static int need_column(
	const struct chart_rows *rows, char *const *head, const char *name, size_t *out)
{
	char remedy[160];

	*out = find_column(head, rows->cells, name);
	if (*out != SIZE_MAX)
		return EXIT_SUCCESS;
	snprintf(remedy, sizeof remedy, "expected one of the first line of %.80s", rows->path);
	return print_unknown("column", name, (const char *const *)head, rows->cells, remedy);
}

/* "median_ns" is a time of the name "median"; "working_set_bytes" are bytes. */
static struct chart_measure measure_of(const char *column)
{
	static const struct {
		const char *ending;
		enum ls_unit unit;
		double scale;
	} units[] = {
		{ "ns", LS_UNIT_SECONDS, 1e-9 },
		{ "us", LS_UNIT_SECONDS, 1e-6 },
		{ "ms", LS_UNIT_SECONDS, 1e-3 },
		{ "seconds", LS_UNIT_SECONDS, 1 },
		{ "bytes", LS_UNIT_BYTES, 1 },
	};
	struct chart_measure measure = { .unit = LS_UNIT_NONE, .scale = 1 };
	size_t length = strlen(column);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const size_t ending = strlen(units[i].ending);

		if (length < ending || strcmp(column + length - ending, units[i].ending) != 0
			|| (length > ending && column[length - ending - 1] != '_'))
			continue;
		measure.unit = units[i].unit;
		measure.scale = units[i].scale;
		if (measure.unit == LS_UNIT_SECONDS)
			length = length > ending ? length - ending - 1 : 0;
		break;
	}
	snprintf(measure.label, sizeof measure.label, "%.*s", length ? (int)length : 4,
		length ? column : "time");
	for (char *c = measure.label; *c; c++)
		*c = *c == '_' || *c == '.' ? ' ' : *c;
	return measure;
}

/* Up to `most` words of a list; more count as most + 1. */
static size_t split_words(char *list, char **word, size_t most)
{
	size_t count = 0;

	for (char *next; (next = strsep(&list, ",")) && count <= most; count++)
		if (count < most)
			word[count] = next;
	return count;
}

static int find_axes(struct chart_rows *rows, char *const *head, const char *axes, char *copy)
{
	char *word[4];
	const size_t words = split_words(copy, word, 4);
	int failed = EXIT_SUCCESS;

	if (words != 2 && words != 4)
		return print_error(EXIT_USAGE, "--axes '%s' has %zu column%s; expected X,Y or X,Y,LOW,HIGH",
			axes, words, words == 1 ? "" : "s");
	for (size_t i = 0; i < words && !failed; i++) {
		rows->name[CHART_X + i] = word[i];
		failed = need_column(rows, head, word[i], &rows->column[CHART_X + i]);
	}
	rows->bar[0] = rows->name[CHART_LOW];
	rows->bar[1] = rows->name[CHART_HIGH];
	rows->x = measure_of(word[0]);
	rows->y = measure_of(word[1]);
	return failed;
}

static int find_series(struct chart_rows *rows, char *const *head, char *copy)
{
	char *word[CHART_KEYS];
	int failed = EXIT_SUCCESS;

	rows->keys = split_words(copy, word, CHART_KEYS);
	if (rows->keys > CHART_KEYS)
		return print_error(EXIT_USAGE, "--series takes at most %d columns", CHART_KEYS);
	for (size_t i = 0; i < rows->keys && !failed; i++) {
		rows->key[i] = (struct chart_key){ word[i], CHART_NAME, "", "", true, NULL, false };
		failed = need_column(rows, head, word[i], &rows->key_column[i]);
	}
	return failed;
}

static void take_bench_keys(struct chart_rows *rows, char *const *head)
{
	for (size_t i = 0; i < BENCH_KEYS; i++) {
		rows->key[i] = bench_keys[i];
		rows->key_column[i] = find_column(head, rows->cells, bench_keys[i].column);
	}
	rows->keys = BENCH_KEYS;
}

int chart_rows_begin(
	struct chart_rows *rows, const struct drawing_choice *choice, char *const *head, size_t cells)
{
	const char *axes = choice->axes ? choice->axes : "";
	const char *series = choice->series ? choice->series : "";
	const size_t room = strlen(axes) + 1;
	int failed = EXIT_SUCCESS;

	rows->cells = cells;
	rows->words = require_memory(malloc(room + strlen(series) + 1));
	strcpy(rows->words, axes);
	strcpy(rows->words + room, series);
	for (size_t i = 0; i < CHART_COLUMNS; i++) {
		rows->name[i] = bench_columns[i];
		rows->column[i] = find_column(head, cells, bench_columns[i]);
	}

	/* A bar has two ends. */
	if (rows->column[CHART_LOW] == SIZE_MAX || rows->column[CHART_HIGH] == SIZE_MAX)
		rows->column[CHART_LOW] = rows->column[CHART_HIGH] = SIZE_MAX;

	const bool is_bench = rows->column[CHART_Y] != SIZE_MAX && rows->column[CHART_X] != SIZE_MAX
		&& find_column(head, cells, bench_keys[0].column) != SIZE_MAX;

	if (!is_bench && !choice->axes)
		return print_error(EXIT_USAGE,
			"%s:%zu: no columns operation, bytes, time_ns.median as in the output of 'lockstep "
			"bench "
			"--csv'; try --axes X,Y",
			rows->path, rows->line);
	rows->x = bench_x;
	rows->y = bench_y;
	rows->bar[0] = "the lower";
	rows->bar[1] = "the upper quartile";
	if (choice->axes) {
		for (size_t i = CHART_X; i < CHART_STATUS; i++)
			rows->column[i] = SIZE_MAX;
		failed = find_axes(rows, head, axes, rows->words);
	}
	if (!failed && choice->series)
		failed = find_series(rows, head, rows->words + room);
	else if (!failed && is_bench)
		take_bench_keys(rows, head);
	return failed;
}

/* ---- Rows */

/* NAN where there is no such column. */
static int read_number(const struct chart_rows *rows, char *const *cell, enum chart_column column,
	double scale, double *out)
{
	const size_t index = rows->column[column];

	*out = NAN;
	if (index == SIZE_MAX)
		return EXIT_SUCCESS;
	if (!read_real(cell[index], out) || !isfinite(*out))
		return print_error(EXIT_USAGE, "%s:%zu: %s is %s; expected a number", rows->path,
			rows->line, rows->name[column], *cell[index] ? cell[index] : "empty");
	*out *= scale;
	return EXIT_SUCCESS;
}

/* x without a unit may be a name. */
static int read_x(const struct chart_rows *rows, char *const *cell, struct chart_row *row)
{
	const char *text = cell[rows->column[CHART_X]];

	if (rows->x.unit != LS_UNIT_NONE || (read_real(text, &row->x) && isfinite(row->x)))
		return read_number(rows, cell, CHART_X, rows->x.scale, &row->x);
	row->x = NAN;
	return EXIT_SUCCESS;
}

/* "" where the row has no such value. */
static const char *key_text(const struct chart_rows *rows, size_t k, char *const *cell)
{
	const struct chart_key *key = &rows->key[k];
	const int operation = key->applies ? ls_operation_find(cell[rows->key_column[0]]) : -1;

	if (rows->key_column[k] == SIZE_MAX
		|| (operation >= 0 && !key->applies((enum ls_operation)operation)))
		return "";
	return cell[rows->key_column[k]];
}

int chart_rows_add(struct chart_rows *rows, char *const *cell)
{
	const size_t status = rows->column[CHART_STATUS];
	const double scale = rows->y.scale;
	struct chart_row row = { .name = NULL };
	int failed;

	if (status != SIZE_MAX && strcmp(cell[status], "ok") != 0)
		return rows->left_out++, EXIT_SUCCESS;
	failed = read_x(rows, cell, &row);
	if (!failed)
		failed = read_number(rows, cell, CHART_Y, scale, &row.y);
	if (!failed)
		failed = read_number(rows, cell, CHART_LOW, scale, &row.low);
	if (!failed)
		failed = read_number(rows, cell, CHART_HIGH, scale, &row.high);
	if (!failed)
		failed = read_number(rows, cell, CHART_MODEL, scale, &row.model);
	if (failed)
		return failed;
	row.name = require_memory(strdup(cell[rows->column[CHART_X]]));
	for (size_t i = 0; i < rows->keys; i++)
		row.key[i] = require_memory(strdup(key_text(rows, i, cell)));
	rows->row = require_memory(realloc(rows->row, (rows->count + 1) * sizeof row));
	rows->row[rows->count++] = row;
	for (size_t i = 0; i < rows->keys; i++)
		rows->key[i].differs |= strcmp(row.key[i], rows->row[0].key[i]) != 0;
	return EXIT_SUCCESS;
}

void chart_rows_end(struct chart_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->row[i].name);
		for (size_t k = 0; k < rows->keys; k++)
			free(rows->row[i].key[k]);
	}
	free(rows->row);
	free(rows->words);
}
