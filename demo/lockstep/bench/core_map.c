#include "bench/core_map.h"

#include "base/host.h"
#include "base/messages.h"
#include "base/timing.h"
#include "bench/core_probe.h"
#include "chart/chart_file.h"
#include "report/document.h"
#include "report/format.h"
#include "report/terminal.h"
#include "report/text_table.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* A pair is far above this multiple of the least time of any pair. */
#define FAR 2.0

struct core_map {
	int *core, cores;
	double *ns; /* cores x cores, symmetric; 0 on the diagonal */
	struct timing timing;
	size_t pairs, far;
};

static double time_of(const struct core_map *map, int a, int b)
{
	return map->ns[a * map->cores + b];
}

/* The pairs a < b, row by row; the caller frees them. */
static double *pair_times(const struct core_map *map)
{
	double *time = require_memory(calloc(map->pairs, sizeof *time)), *next = time;

	for (int a = 0; a < map->cores; a++)
		for (int b = a + 1; b < map->cores; b++)
			*next++ = time_of(map, a, b);
	return time;
}

static void summarize(struct core_map *map)
{
	double *time = pair_times(map);

	map->timing = timing_of(time, map->pairs);
	free(time);
	time = pair_times(map);
	for (size_t i = 0; i < map->pairs; i++)
		map->far += time[i] > FAR * map->timing.min;
	free(time);
}

static double slowest(const struct core_map *map)
{
	double most = 0;

	for (int i = 0; i < map->cores * map->cores; i++)
		most = fmax(most, map->ns[i]);
	return most;
}

/* ---- Output */

/* Of the longest number and a blank, and of the head of the rows. */
static int cell_width(const struct core_map *map)
{
	const int width = snprintf(NULL, 0, " %.0f", slowest(map)), least = (int)strlen("  core");

	return width > least ? width : least;
}

static void print_matrix(const struct core_map *map)
{
	const int width = cell_width(map);

	printf("%*s", width, "core");
	for (int a = 0; a < map->cores; a++)
		printf("%*d", width, map->core[a]);
	putchar('\n');
	for (int a = 0; a < map->cores; a++) {
		printf("%*d", width, map->core[a]);
		for (int b = 0; b < map->cores; b++)
			if (a == b)
				printf("%*s", width, "-");
			else
				printf("%*.0f", width, time_of(map, a, b));
		putchar('\n');
	}
}

static int write_text(const struct output *output, const void *document)
{
	const struct core_map *map = document;
	struct host host;

	host_read(&host);
	printf("# lockstep bench %s: ns in which two cores exchange a cache line, medians\n",
		ls_version());
	printf("# %s, %s\n", host.cpu, host.system);
	if (is_terminal(output->file)
		&& (map->cores + 1) * cell_width(map) > terminal_width(output->file))
		puts("# too wide for this terminal, see --csv");
	else
		print_matrix(map);
	printf("# min %.0f, median %.0f, max %.0f ns; %zu of %zu pairs are far (over %g times min)\n",
		map->timing.min, map->timing.median, slowest(map), map->far, map->pairs, FAR);
	return EXIT_SUCCESS;
}

static struct table as_table(const struct core_map *map)
{
	static const char *const heads[] = { "#core_a", "#core_b", "#ns", NULL };
	struct table table = table_begin(heads);

	for (int a = 0; a < map->cores; a++)
		for (int b = a + 1; b < map->cores; b++) {
			table_numbers(&table, 2, (int64_t)map->core[a], (int64_t)map->core[b]);
			table_reals(&table, 1, time_of(map, a, b));
		}
	return table;
}

static int write_csv(const struct output *output, const void *document)
{
	struct table table = as_table(document);

	return table_finish_csv(&table, output->file);
}

static int write_json(const struct output *output, const void *document)
{
	const struct core_map *map = document;
	struct table table = as_table(map);
	struct json json = document_begin(output);

	table_json(&table, &json, "results");
	json_object(&json, "exchange_ns");
	json_real(&json, "min", map->timing.min);
	json_real(&json, "median", map->timing.median);
	json_real(&json, "max", slowest(map));
	json_end(&json);
	json_int(&json, "pairs", (int64_t)map->pairs);
	json_int(&json, "far_pairs", (int64_t)map->far);
	json_text(&json, "status", "ok");
	json_end(&json);
	table_end(&table);
	return EXIT_SUCCESS;
}

static const struct format formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

/* ---- Measurement */

static int measure(struct core_map *map)
{
	for (int a = 0; a < map->cores; a++)
		for (int b = a + 1; b < map->cores; b++) {
			const double ns = probe_pair(map->core[a], map->core[b]);

			if (isnan(ns))
				return print_error(
					EXIT_RESOURCE, "cannot start two threads; try a higher limit of threads");
			map->ns[a * map->cores + b] = map->ns[b * map->cores + a] = ns;
		}
	summarize(map);
	return EXIT_SUCCESS;
}

/* ---- Picture */

static int draw_map(const struct output *output, const struct drawing_choice *choice,
	const struct core_map *map, const char *const *picture)
{
	enum { NAME = 12 };
	const size_t cores = (size_t)map->cores;
	char(*text)[NAME] = require_memory(calloc(cores, sizeof *text)), caption[240];
	const char **name = require_memory(calloc(cores, sizeof *name));
	double *cell = require_memory(calloc(cores * cores, sizeof *cell));
	struct host host;
	int failed;

	host_read(&host);
	for (size_t a = 0; a < cores; a++) {
		snprintf(text[a], NAME, "%d", map->core[a]);
		name[a] = text[a];
		for (size_t b = 0; b < cores; b++)
			cell[a * cores + b] = a == b ? NAN : round(map->ns[a * cores + b]);
	}
	snprintf(caption, sizeof caption, "Medians. %s, %s", host.cpu, host.system);

	const struct ls_heat_map heat = { .size = sizeof heat,
		.rows_title = "core",
		.columns_title = "core",
		.rows = cores,
		.columns = cores,
		.row = name,
		.column = name,
		.cell = cell };
	const struct chart_document document = { .choice = choice,
		.title = "ns in which two cores exchange a cache line",
		.caption = caption,
		.map = &heat };

	failed = chart_write_files(output, &document, picture);
	free(text);
	free((void *)name);
	free(cell);
	return failed;
}

int bench_cores(
	const struct output *output, const struct drawing_choice *choice, const char *const *picture)
{
	const struct format *format = format_named(formats, output->format->name);
	const int cores = probe_cores(NULL, 0);
	struct core_map map = { .cores = cores, .pairs = (size_t)cores * (size_t)(cores - 1) / 2 };
	int failed;

	if (!format)
		return print_error(EXIT_USAGE, "bench cores writes text, csv and json, not %s; try --csv",
			output->format->name);
	if (cores < 2)
		return print_error(EXIT_UNAVAILABLE,
			"bench cores needs two allowed cores; try 'taskset -c 0,1 lockstep bench cores'");
	map.core = require_memory(calloc((size_t)cores, sizeof *map.core));
	map.ns = require_memory(calloc((size_t)cores * (size_t)cores, sizeof *map.ns));
	probe_cores(map.core, cores);
	failed = measure(&map);
	if (!failed && !output->quiet)
		format->write(output, &map);
	if (!failed)
		failed = draw_map(output, choice, &map, picture);
	free(map.core);
	free(map.ns);
	return failed;
}
