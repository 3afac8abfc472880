/*
 * The output of bench: rows of text like those of the OSU benchmarks, CSV, or one JSON document.
 * Each row is written as soon as it is measured.
 */
#include "base/host.h"
#include "bench/bench.h"
#include "data/operand_shape.h"
#include "job/embedded.h"
#include "job/job_machine.h"
#include "report/document.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row is noisy above this spread, or above this share of the cores' time used by others. */
#define SPREAD 0.1
#define SHARE  0.1
/* The exchange times of near and far cores differ by more than this factor. */
#define MOVED 2.0

/* Microseconds with `digits` significant digits. */
static const char *us(double ns, int digits, char text[24])
{
	const int whole = ns > 0 ? (int)floor(log10(ns / 1000)) + 1 : 1;
	const int decimals = digits - whole;

	snprintf(text, 24, "%.*f", decimals < 0 ? 0 : decimals > 5 ? 5 : decimals, ns / 1000);
	return text;
}

static bool is_noisy(const struct variant *v, const struct conditions *conditions)
{
	return v->outcome.timing.mad > SPREAD * v->outcome.timing.median || conditions->others > SHARE;
}

static bool is_moved(const struct conditions *conditions)
{
	const double ratio = conditions->exchange_after / conditions->exchange_before;

	return ratio > MOVED || ratio < 1 / MOVED;
}

static bool is_oversubscribed(const struct bench *bench, const struct variant *v)
{
	return v->how.engine != LS_SWEEP && ls_topology_nodes(bench->topology) > bench->cores;
}

static bool any_oversubscribed(const struct bench *bench)
{
	for (size_t i = 0; i < bench->variants; i++)
		if (is_oversubscribed(bench, &bench->variant[i]))
			return true;
	return false;
}

/* Of the operand or the result, whichever is longer, through one node. */
static double operand_rate(const struct variant *v)
{
	const struct ls_request *request = &v->workload.job.request;
	const size_t given = blocks_given(request->operation, v->workload.operands.rows);
	const size_t got = blocks_got(request->operation, v->workload.operands.rows);
	const double bytes = (double)((given > got ? given : got) * v->outcome.bytes);

	return v->outcome.timing.median > 0 ? bytes * 1e9 / v->outcome.timing.median : 0;
}

/* ---- Text */

static void engine_text(const struct variant *v, char *text, size_t size)
{
	snprintf(text, size, "%s%s", v->how.engine == LS_AUTO ? "auto:" : "", v->outcome.engine);
}

static void print_columns(struct bench *bench)
{
	const bool many = bench->variants > 1;

	bench->label[1] = 7;
	for (size_t i = 0; i < bench->variants; i++) {
		const int width = bench->variant[i].how.engine == LS_AUTO ? 12
			: bench->variant[i].how.engine == LS_COOPERATIVE      ? 11
																  : 7;

		bench->label[1] = width > bench->label[1] ? width : bench->label[1];
	}
	printf("#%9s  %-*s  %-*s  %-8s %9s %9s %9s %9s %7s %3s %8s %s%9s %5s\n", "bytes",
		bench->label[0], "algorithm", bench->label[1], "engine", "rounds", "median", "min", "q1",
		"q3", "MAD", "n", "MB/s", many ? " ratio " : "", "model", "exch");
}

static void print_text_head(struct bench *bench)
{
	const struct query *query = bench->query;
	const int64_t nodes = ls_topology_nodes(bench->topology);
	enum ls_operation operation;
	struct host host;

	if (find_operation(query->operation, &operation))
		return;
	host_read(&host);
	printf("# lockstep bench %s: %s", ls_version(), ls_operation_name(operation));
	if (operation != LS_BARRIER)
		printf(" of %s%s%s", ls_type_name(query->type), combines(operation) ? ", " : "",
			combines(operation) ? ls_op_name(query->op) : "");
	printf(" on %s: %" PRId64 " node%s on %d core%s\n", ls_topology_spec(bench->topology), nodes,
		nodes == 1 ? "" : "s", bench->cores, bench->cores == 1 ? "" : "s");
	printf("# %s, %s\n", host.cpu, host.system);
	puts("# us per call, of n samples: median, minimum, quartiles, median absolute deviation");
	puts("# MB/s: operand, or result if longer, by median; exch: ns to exchange a cache line");
	printf("# model: us at %g ns per round and %g ns per byte (%s)\n", query->model.t_s,
		query->model.t_w,
		query->given.model ? "--model" : "default; lockstep fit finds this machine's");
	print_columns(bench);
}

static void print_numbers(
	struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	const struct timing *t = &v->outcome.timing;
	const double first = bench->variant->outcome.timing.median;
	const double rate = operand_rate(v);
	char text[6][24];

	printf(" %9s %9s %9s %9s %7s %3zu ", us(t->median, 4, text[0]), us(t->min, 4, text[1]),
		us(t->lower, 4, text[2]), us(t->upper, 4, text[3]), us(t->mad, 2, text[4]), t->runs);
	if (rate > 0)
		printf("%8.*f ", rate < 1e9 ? 1 : 0, rate / 1e6);
	else
		printf("%8s ", "-");
	if (bench->variants > 1)
		printf("%6.2f ", t->median / first);
	printf("%9s ", us(v->model, 4, text[5]));
	if (isfinite(conditions->exchange_before))
		printf("%5.0f", conditions->exchange_before);
	else
		printf("%5s", "-");
	printf("%s%s\n", is_noisy(v, conditions) ? " noisy" : "", is_moved(conditions) ? " moved" : "");
}

static void print_row(
	struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	char engine[40];

	engine_text(v, engine, sizeof engine);
	printf("%10zu  %-*s  %-*s  %-8s", v->outcome.bytes, bench->label[0], v->outcome.algorithm,
		bench->label[1], engine, rounds_text(v->how.rounds));
	if (conditions)
		print_numbers(bench, v, conditions);
	else
		printf(" %9s\n",
			v->outcome.status == LS_OK ? verdict(bench->output, false)
									   : outcome_status(&v->outcome));
}

/* ---- CSV and JSON */

static const char *const heads[] = { OUTCOME_HEADS, "topology", "engine_requested", "#cores",
	"?oversubscribed", "?noisy", "#calls", "#warmup", "#volume_bytes", "#model_ns",
	"#operand_bytes_per_second", "#exchange_ns.before", "#exchange_ns.after", "#others",
	SWEEP_HEADS, NULL };

static const char *truth_value(bool value)
{
	return value ? "true" : "false";
}

static struct table as_table(
	const struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	static const struct conditions unknown = { NAN, NAN, NAN };
	const struct conditions *c = conditions ? conditions : &unknown;
	struct table t = table_begin(heads);

	outcome_cells(&t, &v->outcome);
	table_cells(&t, 2, ls_topology_spec(bench->topology), ls_engine_name(v->how.engine));
	table_numbers(&t, 1, (int64_t)bench->cores);
	table_cells(&t, 2, truth_value(is_oversubscribed(bench, v)),
		conditions ? truth_value(is_noisy(v, conditions)) : "");
	table_numbers(&t, 2, (int64_t)v->calls, (int64_t)v->measurement.warmup);
	table_reals(&t, 6, v->volume, v->model, round(operand_rate(v)), c->exchange_before,
		c->exchange_after, c->others);
	outcome_sweep_cells(&t, &v->outcome);
	return t;
}

static void json_row(struct bench *bench, const struct variant *v, const struct table *table)
{
	struct json *json = &bench->json;

	json_object(json, NULL);
	table_members(table, 0, json);
	json_array(json, "samples");
	for (size_t i = 0; i < v->samples; i++)
		json_real(json, NULL, v->sample[i]);
	json_end(json);
	if (v->outcome.status != LS_OK)
		outcome_error_json(&v->outcome, json);
	json_end(json);
}

static void print_csv_head(const struct bench *bench)
{
	const struct table empty = table_begin(heads);
	const struct query *query = bench->query;
	struct host host;

	host_read(&host);
	printf("# lockstep bench version=%s topology=%s nodes=%" PRId64 " cores=%d model=%g,%g "
		   "system=%s cpu=%s\n",
		ls_version(), ls_topology_spec(bench->topology), ls_topology_nodes(bench->topology),
		bench->cores, query->model.t_s, query->model.t_w, host.system, host.cpu);
	table_csv(&empty);
}

/* ---- All formats */

enum moment { BEGIN, ROW, END };

/* The document is written in parts, each as soon as it is known. */
struct part {
	enum moment moment;
	struct bench *bench;
	const struct variant *variant;       /* of a row */
	const struct conditions *conditions; /* of a row; NULL: it was not measured to its end */
	int result;                          /* at the end: the exit code */
};

static int write_text(const struct output *output, const void *document)
{
	const struct part *part = document;

	(void)output;
	if (part->moment == BEGIN)
		print_text_head(part->bench);
	else if (part->moment == ROW)
		print_row(part->bench, part->variant, part->conditions);
	return EXIT_SUCCESS;
}

static int write_csv(const struct output *output, const void *document)
{
	const struct part *part = document;

	(void)output;
	if (part->moment == BEGIN)
		print_csv_head(part->bench);
	if (part->moment != ROW)
		return EXIT_SUCCESS;

	struct table table = as_table(part->bench, part->variant, part->conditions);

	table_csv_row(&table, 0);
	table_end(&table);
	return EXIT_SUCCESS;
}

static const char *end_text(const struct bench *bench, int result)
{
	return bench->by             ? "interrupted"
		: result == EXIT_SUCCESS ? "ok"
		: result == EXIT_WRONG   ? "wrong"
		: result == EXIT_STUCK   ? "stopped"
								 : "failed";
}

static int write_json(const struct output *output, const void *document)
{
	const struct part *part = document;
	struct bench *bench = part->bench;

	if (part->moment == BEGIN) {
		bench->json = document_begin(output);
		document_topology(&bench->json, bench->topology);
		json_array(&bench->json, "results");
	} else if (part->moment == ROW) {
		struct table table = as_table(bench, part->variant, part->conditions);

		json_row(bench, part->variant, &table);
		table_end(&table);
	} else {
		json_end(&bench->json);
		json_text(&bench->json, "status", end_text(bench, part->result));
		if (part->result)
			document_put_error(&bench->json, part->result);
		json_end(&bench->json);
	}
	return EXIT_SUCCESS;
}

const struct format bench_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

static void write_part(const struct output *output, const struct part *part)
{
	if (output->quiet)
		return;
	output->format->write(output, part);
	fflush(output->file);
}

void bench_begin(struct bench *bench)
{
	const int64_t nodes = ls_topology_nodes(bench->topology);
	const struct part part = { .moment = BEGIN, .bench = bench };

	if (!bench->output->quiet && any_oversubscribed(bench))
		print_error(EXIT_SUCCESS,
			"oversubscribed: %" PRId64 " nodes on %d cores; try at most %d nodes for one core each",
			nodes, bench->cores, bench->cores);
	write_part(bench->output, &part);
}

void bench_row(struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	const struct part part = {
		.moment = ROW, .bench = bench, .variant = v, .conditions = conditions
	};

	bench->rows++;
	bench->noisy += conditions && is_noisy(v, conditions);
	bench->moved += conditions && is_moved(conditions);
	write_part(bench->output, &part);
}

void bench_end(struct bench *bench, int result)
{
	const struct part part = { .moment = END, .bench = bench, .result = result };

	write_part(bench->output, &part);
	if (bench->output->quiet)
		return;
	if (bench->noisy > 0)
		print_error(EXIT_SUCCESS,
			"noisy: %zu of %zu rows have a MAD over %.0f %% of the median, or lost over %.0f %% of "
			"the cores' time to other programs; try an idle machine, or more --samples",
			bench->noisy, bench->rows, 100 * SPREAD, 100 * SHARE);
	if (bench->moved > 0)
		print_error(EXIT_SUCCESS,
			"moved: the distance of the cores (exchange_ns) changed in %zu of %zu rows; try to "
			"compare rows with the same exchange_ns only",
			bench->moved, bench->rows);
}
