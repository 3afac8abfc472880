/*
 * The output of bench: rows of text like those of the OSU benchmarks, CSV, or one JSON document.
 * Each row is written as soon as it is measured.
 */
#include "base/host.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "bench/bench_rows.h"
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

bool bench_is_noisy(const struct variant *v, const struct conditions *conditions)
{
	return v->outcome.timing.mad > SPREAD * v->outcome.timing.median || conditions->others > SHARE;
}

bool bench_is_moved(const struct conditions *conditions)
{
	const double ratio = conditions->exchange_after / conditions->exchange_before;

	return ratio > MOVED || ratio < 1 / MOVED;
}

/* Other nodes than the two of a pair leave at once. */
static int64_t busy_nodes(const struct bench *bench)
{
	return bench->benchmark ? 2 : ls_topology_nodes(bench->topology);
}

static bool is_oversubscribed(const struct bench *bench, const struct variant *v)
{
	return v->how.engine != LS_SWEEP && v->how.nodes == LS_NODE_THREAD
		&& busy_nodes(bench) > bench->cores;
}

static bool any_oversubscribed(const struct bench *bench)
{
	for (size_t i = 0; i < bench->variants; i++)
		if (is_oversubscribed(bench, &bench->variant[i]))
			return true;
	return false;
}

double bench_operand_rate(const struct variant *v)
{
	const struct ls_request *request = &v->workload.job.request;
	size_t blocks = 1;

	if (!v->pair.round) {
		const size_t given = blocks_given(request->operation, v->workload.operands.rows);
		const size_t got = blocks_got(request->operation, v->workload.operands.rows);

		blocks = given > got ? given : got;
	}

	const double bytes = (double)(blocks * v->outcome.bytes);

	return v->outcome.timing.median > 0 ? bytes * 1e9 / v->outcome.timing.median : 0;
}

/* ---- CSV and JSON */

#define HEADS \
	OUTCOME_HEADS, "topology", "engine_requested", "#cores", "?oversubscribed", "?noisy", \
		"#calls", "#warmup", "#volume_bytes", "#model_ns", "#operand_bytes_per_second", \
		"#exchange_ns.before", "#exchange_ns.after", "#others", SWEEP_HEADS, "version", "system", \
		"cpu"
static const char *const heads[] = { HEADS, COMPARE_HEADS, NULL };
/* Of several processes that measure together. */
static const char *const shared_heads[] = { HEADS, "#processes", "#crossing_messages",
	"#crossing_bytes", "#crossing_rounds", COMPARE_HEADS, NULL };
enum { COMPARE_COLUMNS = 4 };

/* The columns of the comparison stand in CSV only, and only with --compare. */
static struct table begin_table(const struct bench *bench, bool compares)
{
	struct table table = table_begin(shared_world() ? shared_heads : heads);

	if (!compares || !bench->comparisons.path)
		table.columns -= COMPARE_COLUMNS;
	return table;
}

static const char *truth_value(bool value)
{
	return value ? "true" : "false";
}

struct table bench_table(const struct bench *bench, const struct variant *v,
	const struct conditions *conditions, bool compares)
{
	static const struct conditions unknown = { NAN, NAN, NAN };
	const struct conditions *c = conditions ? conditions : &unknown;
	struct table t = begin_table(bench, compares);

	outcome_cells(&t, &v->outcome);
	table_cells(&t, 2, ls_topology_spec(bench->topology), ls_engine_name(v->how.engine));
	table_numbers(&t, 1, (int64_t)bench->cores);
	table_cells(&t, 2, truth_value(is_oversubscribed(bench, v)),
		conditions ? truth_value(bench_is_noisy(v, conditions)) : "");
	table_numbers(&t, 2, (int64_t)v->calls, (int64_t)v->measurement.warmup);
	table_reals(&t, 6, v->volume, v->model, round(bench_operand_rate(v)), c->exchange_before,
		c->exchange_after, c->others);
	outcome_sweep_cells(&t, &v->outcome);

	struct host host;

	host_read(&host);
	table_cells(&t, 3, ls_version(), host.system, host.cpu);
	if (shared_world())
		table_numbers(&t, 4, (int64_t)processes_here()->count, v->outcome.crossing.messages,
			v->outcome.crossing.bytes, v->outcome.crossing.rounds);
	if (compares && bench->comparisons.path)
		comparison_cells(&t, &bench->comparisons, conditions != NULL);
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
		bench_text_head(part->bench);
	else if (part->moment == ROW)
		bench_text_row(part->bench, part->variant, part->conditions);
	else if (part->bench->comparisons.path)
		comparisons_text(&part->bench->comparisons, part->bench->variants);
	return EXIT_SUCCESS;
}

static int write_osu(const struct output *output, const void *document)
{
	const struct part *part = document;

	(void)output;
	if (part->moment == BEGIN)
		bench_osu_head(part->bench);
	else if (part->moment == ROW)
		bench_osu_row(part->bench, part->variant);
	return EXIT_SUCCESS;
}

static int write_csv(const struct output *output, const void *document)
{
	const struct part *part = document;

	if (part->moment == BEGIN) {
		const struct table empty = begin_table(part->bench, true);

		table_csv(&empty, output->file);
	}
	if (part->moment != ROW)
		return EXIT_SUCCESS;

	struct table table = bench_table(part->bench, part->variant, part->conditions, true);

	table_csv_row(&table, 0, output->file);
	table_end(&table);
	return EXIT_SUCCESS;
}

static const char *end_text(const struct bench *bench, int result)
{
	return bench->signal         ? "interrupted"
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
		struct table table = bench_table(bench, part->variant, part->conditions, false);

		json_row(bench, part->variant, &table);
		table_end(&table);
	} else {
		json_end(&bench->json);
		if (bench->comparisons.path)
			comparisons_json(&bench->comparisons, &bench->json);
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
	{ "osu", NULL, write_osu },
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
	const int64_t nodes = busy_nodes(bench);
	const struct part part = { .moment = BEGIN, .bench = bench };

	if (!bench->output->quiet && any_oversubscribed(bench))
		print_error(EXIT_SUCCESS,
			"oversubscribed: %" PRId64 " threads on %d cores, so times include switches between "
			"threads; try at most %d nodes, or --nodes fibers",
			nodes, bench->cores, bench->cores);
	write_part(bench->output, &part);
}

static void compare(struct bench *bench, const struct variant *v)
{
	const struct outcome *outcome = &v->outcome;
	const struct measured_row row = {
		.key = { [KEY_TOPOLOGY] = ls_topology_spec(bench->topology),
			[KEY_OPERATION] = outcome->operation,
			[KEY_ALGORITHM] = outcome->algorithm,
			[KEY_ENGINE] = ls_engine_name(v->how.engine),
			[KEY_NODES] = v->how.engine == LS_SWEEP ? "" : ls_node_kind_name(v->how.nodes),
			[KEY_ROUND_MODE] = rounds_text(v->how.rounds),
			[KEY_MODE] = mode_text(mode_on(outcome->query, bench->topology)),
			[KEY_TYPE] = outcome->type,
			[KEY_OP] = outcome->op },
		.bytes = outcome->bytes,
		.sample = v->sample,
		.samples = v->samples,
	};

	compare_row(&bench->comparisons, &row);
}

void bench_row(struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	const struct part part = {
		.moment = ROW, .bench = bench, .variant = v, .conditions = conditions
	};

	if (bench->comparisons.path && conditions)
		compare(bench, v);
	if (bench->pictures && conditions)
		bench_chart_row(bench, v, conditions);
	bench->rows++;
	bench->noisy += conditions && bench_is_noisy(v, conditions);
	bench->moved += conditions && bench_is_moved(conditions);
	write_part(bench->output, &part);
}

void bench_end(struct bench *bench, int result)
{
	const struct part part = { .moment = END, .bench = bench, .result = result };

	if (bench->comparisons.path)
		compare_rest(&bench->comparisons);
	write_part(bench->output, &part);
	if (bench->output->quiet)
		return;
	comparisons_end(&bench->comparisons);
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
