/*
 * The rows of bench as text, in columns that fit the terminal.
 */
#include "base/host.h"
#include "base/processes.h"
#include "bench/bench_rows.h"
#include "data/operand_shape.h"
#include "report/report.h"
#include "report/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column_id {
	BYTES,
	ALGORITHM,
	ENGINE,
	NODES,
	ROUNDS,
	MEDIAN,
	MIN,
	LOWER,
	UPPER,
	MAD,
	SAMPLES,
	RATE,
	RATIO,
	MODEL,
	EXCHANGE,
	COLUMNS
};

/*
 * Width 0: that of the longest label.  Where the terminal is too narrow, columns are dropped in the
 * order of `dropped`; those with 0 stay.
 */
static const struct {
	const char *head;
	int width, dropped;
	bool left; /* aligned to the left, after two blanks */
} columns[COLUMNS] = {
	[BYTES] = { "bytes", 10, 0, false },
	[ALGORITHM] = { "algorithm", 0, 0, true },
	[ENGINE] = { "engine", 0, 9, true },
	[NODES] = { "nodes", 7, 0, true },
	[ROUNDS] = { "rounds", 8, 8, true },
	[MEDIAN] = { "median", 9, 0, false },
	[MIN] = { "min", 9, 4, false },
	[LOWER] = { "q1", 9, 1, false },
	[UPPER] = { "q3", 9, 2, false },
	[MAD] = { "MAD", 7, 7, false },
	[SAMPLES] = { "n", 3, 5, false },
	[RATE] = { "MB/s", 8, 0, false },
	[RATIO] = { "ratio", 6, 0, false },
	[MODEL] = { "model", 9, 6, false },
	[EXCHANGE] = { "exch", 5, 3, false },
};

enum { CELL = 64 };

static int width_of(const struct bench *bench, int column)
{
	return column == ALGORITHM ? bench->label[0]
		: column == ENGINE     ? bench->label[1]
							   : columns[column].width;
}

static bool is_shown(const struct bench *bench, int column)
{
	return !(bench->dropped >> column & 1) && (column != RATIO || bench->variants > 1)
		&& (column != NODES || bench->how->node_kinds.count > 1);
}

static int line_width(const struct bench *bench)
{
	int width = 0;

	for (int c = 0; c < COLUMNS; c++)
		if (is_shown(bench, c))
			width += width_of(bench, c) + (c > 0) + columns[c].left;
	return width;
}

static void drop_columns(struct bench *bench, int width)
{
	for (int order = 1; line_width(bench) > width && order < COLUMNS; order++)
		for (int c = 0; c < COLUMNS; c++)
			if (columns[c].dropped == order)
				bench->dropped |= 1u << c;
}

static void print_cells(const struct bench *bench, char cell[COLUMNS][CELL], const char *tail)
{
	for (int c = 0; c < COLUMNS; c++) {
		const int width = width_of(bench, c);

		if (!is_shown(bench, c))
			continue;
		if (columns[c].left)
			printf("  %-*s", width, cell[c]);
		else
			printf("%s%*s", c > 0 ? " " : "", width, cell[c]);
	}
	puts(tail);
}

/* ---- Head */

/* Of an engine that is chosen for each call, the widest. */
static int engine_width(enum ls_engine engine)
{
	size_t width = strlen(ls_engine_name(engine));

	for (int e = 0; engine == LS_AUTO && e <= LS_SWEEP; e++) {
		const size_t chosen = strlen("auto:") + strlen(ls_engine_name((enum ls_engine)e));

		width = chosen > width ? chosen : width;
	}
	return (int)width;
}

static void set_widths(struct bench *bench)
{
	bench->label[1] = (int)strlen(columns[ENGINE].head);
	for (size_t i = 0; i < bench->variants; i++) {
		const int width = engine_width(bench->variant[i].how.engine);

		bench->label[1] = width > bench->label[1] ? width : bench->label[1];
	}
	bench->label[0] = bench->label[0] > 9 ? bench->label[0] : 9;
	bench->dropped = 0;
	/* A pipe or a file gets all columns. */
	if (is_terminal(stdout) || getenv("COLUMNS"))
		drop_columns(bench, terminal_width(stdout));
}

static void print_columns(struct bench *bench)
{
	char cell[COLUMNS][CELL];

	for (int c = 0; c < COLUMNS; c++)
		snprintf(cell[c], CELL, "%s", columns[c].head);
	snprintf(cell[BYTES], CELL, "#%9s", columns[BYTES].head);
	if (bench->dropped) {
		fputs("# too wide for this terminal, see --csv:", stdout);
		for (int c = 0; c < COLUMNS; c++)
			if (bench->dropped >> c & 1)
				printf(" %s", columns[c].head);
		putchar('\n');
	}
	print_cells(bench, cell, "");
}

static void print_operation(const struct bench *bench)
{
	const struct query *query = bench->query;
	enum ls_operation operation;

	if (find_operation(query->operation, &operation))
		return;
	fputs(ls_operation_name(operation), stdout);
	if (operation != LS_BARRIER)
		printf(" of %s%s%s", ls_type_name(query->type), combines(operation) ? ", " : "",
			combines(operation) ? ls_op_name(query->op) : "");
}

/* In the words of `run`. */
static void print_processes(const struct bench *bench)
{
	char text[200];

	if (processes_here()->count == 1)
		return;
	division_text(bench->topology, text, sizeof text);
	printf("# processes %s (%s)\n", text, processes_here()->library);
}

void bench_text_head(struct bench *bench)
{
	const struct query *query = bench->query;
	const int64_t nodes = ls_topology_nodes(bench->topology);
	struct host host;

	host_read(&host);
	printf("# lockstep bench %s: ", ls_version());
	if (bench->benchmark)
		printf("%s of %s, nodes %" PRId64 " and %" PRId64, bench->benchmark->name,
			ls_type_name(query->type), bench->node[0], bench->node[1]);
	else
		print_operation(bench);
	printf(" on %s: %" PRId64 " node%s on %d core%s\n", ls_topology_spec(bench->topology), nodes,
		nodes == 1 ? "" : "s", bench->cores, bench->cores == 1 ? "" : "s");
	printf("# %s, %s\n", host.cpu, host.system);
	print_processes(bench);
	printf("# us per %s, of n samples: median, minimum, quartiles, median absolute deviation\n",
		bench->benchmark ? "round" : "call");
	printf("# MB/s: %s, by median; exch: ns to exchange a cache line\n",
		bench->benchmark ? "one message" : "operand, or result if longer");
	printf("# model: us at %g ns per round and %g ns per byte (%s)\n", query->model.t_s,
		query->model.t_w,
		query->given.model ? "--model" : "default; lockstep fit finds this machine's");
	set_widths(bench);
	print_columns(bench);
}

/* ---- Rows */

/* Microseconds with `digits` significant digits. */
static void put_us(double ns, int digits, char *text)
{
	const int whole = ns > 0 ? (int)floor(log10(ns / 1000)) + 1 : 1;
	const int decimals = digits - whole;

	snprintf(text, CELL, "%.*f", decimals < 0 ? 0 : decimals > 5 ? 5 : decimals, ns / 1000);
}

static void put_numbers(const struct bench *bench, const struct variant *v,
	const struct conditions *conditions, char cell[COLUMNS][CELL])
{
	const struct timing *t = &v->outcome.timing;
	const double rate = bench_operand_rate(v);

	put_us(t->median, 4, cell[MEDIAN]);
	put_us(t->min, 4, cell[MIN]);
	put_us(t->lower, 4, cell[LOWER]);
	put_us(t->upper, 4, cell[UPPER]);
	put_us(t->mad, 2, cell[MAD]);
	snprintf(cell[SAMPLES], CELL, "%zu", t->runs);
	snprintf(cell[RATE], CELL, "-");
	if (rate > 0)
		snprintf(cell[RATE], CELL, "%.*f", rate < 1e9 ? 1 : 0, rate / 1e6);
	snprintf(cell[RATIO], CELL, "%.2f", t->median / bench->variant->outcome.timing.median);
	put_us(v->model, 4, cell[MODEL]);
	snprintf(cell[EXCHANGE], CELL, "-");
	if (isfinite(conditions->exchange_before))
		snprintf(cell[EXCHANGE], CELL, "%.0f", conditions->exchange_before);
}

void bench_text_row(
	struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	char cell[COLUMNS][CELL] = { "" };

	snprintf(cell[BYTES], CELL, "%zu", v->outcome.bytes);
	snprintf(cell[ALGORITHM], CELL, "%.63s", bench->benchmark ? "-" : v->outcome.algorithm);
	snprintf(
		cell[ENGINE], CELL, "%s%s", v->how.engine == LS_AUTO ? "auto:" : "", v->outcome.engine);
	snprintf(
		cell[NODES], CELL, "%s", v->how.engine == LS_SWEEP ? "-" : ls_node_kind_name(v->how.nodes));
	snprintf(cell[ROUNDS], CELL, "%s", rounds_text(v->how.rounds));
	if (!conditions) {
		printf("%10s  %-*s  %-*s%s%s  %-8s %9s\n", cell[BYTES], bench->label[0], cell[ALGORITHM],
			bench->label[1], cell[ENGINE], is_shown(bench, NODES) ? "  " : "",
			is_shown(bench, NODES) ? cell[NODES] : "", cell[ROUNDS],
			v->outcome.status == LS_OK ? ok_text(bench->output, false)
									   : outcome_status(&v->outcome));
		return;
	}
	put_numbers(bench, v, conditions, cell);

	const bool noisy = bench_is_noisy(v, conditions), moved = bench_is_moved(conditions);

	print_cells(bench, cell,
		noisy && moved ? " noisy moved"
			: noisy    ? " noisy"
			: moved    ? " moved"
					   : "");
}

/* ---- The form of the OSU benchmarks */

void bench_osu_head(struct bench *bench)
{
	const struct benchmark *benchmark = bench->benchmark;
	const bool is_bandwidth = benchmark && benchmark->is_bandwidth;

	printf("# lockstep %s %s %s, %s on %s\n", ls_version(), bench->query->operation,
		is_bandwidth ? "bandwidth" : "latency", ls_type_name(bench->query->type),
		ls_topology_spec(bench->topology));
	if (benchmark)
		printf("%-10s%18s\n", "# Size", is_bandwidth ? "Bandwidth (MB/s)" : "Latency (us)");
	else
		printf("%-10s%18s%18s%18s%12s\n", "# Size", "Avg Latency(us)", "Min Latency(us)",
			"Max Latency(us)", "Iterations");
}

void bench_osu_row(const struct bench *bench, const struct variant *v)
{
	double sum = 0, most = 0;

	for (size_t i = 0; i < v->samples; i++) {
		sum += v->sample[i];
		most = fmax(most, v->sample[i]);
	}

	const double mean = v->samples ? sum / (double)v->samples : NAN;

	if (!bench->benchmark)
		printf("%-10zu%18.2f%18.2f%18.2f%12zu\n", v->outcome.bytes, mean / 1000,
			v->outcome.timing.min / 1000, most / 1000, v->calls * v->samples);
	else
		printf("%-10zu%18.2f\n", v->outcome.bytes,
			bench->benchmark->is_bandwidth ? (double)v->outcome.bytes * 1e3 / mean : mean / 1000);
}
