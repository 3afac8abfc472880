/*
 * Measures one size.  Sample i of all variants is taken before sample i + 1 of any, so that a drift
 * affects all variants alike.  Each sample is one run of the machine: warm-up calls, an alignment
 * of the nodes, then the timed calls.  Their time spans from the first start to the last end on any
 * node, so that it includes the skew of the nodes.  Results are compared after every sample, unless
 * the calls are in place and have changed their operands.
 */
#include "base/processes.h"
#include "bench/bench.h"
#include "bench/core_probe.h"
#include "bench/run_usage.h"
#include "job/embedded.h"
#include "job/job_machine.h"
#include "run/run_parts.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE_NS = 5000000, WARM_NS = 10000000, BUDGET_NS = 500000000, MOST_GROWTH = 10 };
enum { SAMPLES_MOST = 21, SAMPLES_USUAL = 11, SAMPLES_LEAST = 5 };

/* A machine serves all sizes with the same mode. */
static int open_machine(const struct bench *bench, struct variant *variant)
{
	if (variant->how.engine == LS_SWEEP
		|| (variant->machine && variant->mode == variant->sized.mode))
		return EXIT_SUCCESS;
	ls_machine_destroy(variant->machine);
	variant->machine = NULL;
	variant->mode = variant->sized.mode;
	return machine_open(
		&variant->sized, &variant->how, bench->topology, NULL, NULL, &variant->machine);
}

static void predict(struct variant *variant)
{
	const struct job *job = &variant->workload.job;
	const size_t bytes = variant->workload.operands.element.bytes;
	const struct ls_cost_model model = variant->query.model, volume = { .t_w = 1 };

	variant->model = ls_plan_cost_on(job->plan, job->embedding, job->request.count, bytes, model);
	variant->volume = ls_plan_cost_on(job->plan, job->embedding, job->request.count, bytes, volume);
}

static void open_pair(struct bench *bench, struct variant *variant)
{
	const struct query *query = &variant->sized;
	const size_t element = ls_type_size(query->type);
	const double bytes = (double)(query->count * element);
	const int64_t messages = bench->benchmark->messages;

	variant->pair = (struct pair){
		.round = bench->benchmark->round,
		.node = { bench->node[0], bench->node[1] },
	};
	pair_open(&variant->pair, bench->topology, query->count, element);
	variant->measurement = measurement_make_pair(&variant->pair);
	variant->outcome = (struct outcome){
		.query = query,
		.how = &variant->how,
		.output = bench->output,
		.topology = bench->topology,
		.ranks = bench->topology,
		.operation = bench->benchmark->name,
		.algorithm = "",
		.engine = ls_engine_name(LS_MAILBOXES),
		.type = ls_type_name(query->type),
		.op = "",
		.source = "defined",
		.root = bench->node[0],
		.elements = query->count,
		.bytes = variant->pair.bytes,
		.shared = true,
		.ordered = true,
		.predicted = { 1, messages, messages * (int64_t)variant->pair.bytes, 0 },
	};
	variant->volume = bytes;
	variant->model = query->model.t_s + query->model.t_w * bytes;
}

/* The first variant with the same plan. */
static const struct variant *first_with_plan_of(
	const struct bench *bench, const struct variant *variant)
{
	const struct variant *first = bench->variant;

	while (first->query.algorithm != variant->query.algorithm
		|| first->query.plan != variant->query.plan)
		first++;
	return first;
}

static int open_workload(struct bench *bench, struct variant *variant)
{
	const struct variant *like = first_with_plan_of(bench, variant);
	const bool same_plan = like != variant;
	int failed;

	if (!same_plan)
		like = variant == bench->variant || variant->query.plan ? NULL : bench->variant;
	variant->workload = (struct workload){ .query = &variant->sized,
		.how = &variant->how,
		.output = bench->output,
		.broadcasts_in_place = true,
		.like = like ? &like->workload : NULL,
		.same_plan = same_plan,
		.job = { .topology = bench->topology, .borrows = true } };
	failed = workload_open(&variant->workload);
	if (failed)
		return failed;
	variant->measurement = measurement_make(&variant->workload);
	workload_describe(&variant->workload, &variant->outcome);
	predict(variant);
	return EXIT_SUCCESS;
}

static int open_variant(struct bench *bench, struct variant *variant, size_t count)
{
	const char *why = "";
	int failed = EXIT_SUCCESS;

	variant->sized = variant->query;
	variant->sized.count = count;
	if (bench->benchmark)
		open_pair(bench, variant);
	else
		failed = open_workload(bench, variant);
	if (!failed)
		failed = open_machine(bench, variant);
	if (failed || bench->benchmark)
		return failed;
	failed = workload_engine(&variant->workload, variant->machine, &variant->outcome.engine, &why);
	if (failed)
		return failed;
	if (bench->output->verbose) {
		print_algorithm_choice(&variant->sized, &variant->workload.job, stderr);
		print_engine_choice(&variant->how, variant->outcome.engine, why, stderr);
	}
	return EXIT_SUCCESS;
}

/* Threads that a time limit left behind still use the buffers: see machine_close. */
static void close_variant(struct variant *variant)
{
	if (ls_machine_busy(variant->machine))
		return;
	free(variant->sample);
	variant->sample = NULL;
	measurement_destroy(&variant->measurement);
	variant->measurement = (struct measurement){ 0 };
	if (variant->pair.round)
		pair_close(&variant->pair);
	else
		workload_close(&variant->workload);
}

/* The row of a size whose measurement failed. */
static void print_unfinished_row(struct bench *bench, struct variant *variant)
{
	variant->outcome.timing = timing_one(NAN);
	variant->outcome.timing.runs = variant->samples = 0;
	bench_row(bench, variant, NULL);
}

static int print_time_over(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;

	outcome->status = LS_ERR_TIMEOUT;
	outcome->error =
		(struct ls_error){ sizeof outcome->error, LS_ERR_TIMEOUT, -1, -1, -1, -1, NULL, "" };
	snprintf(outcome->error.text, sizeof outcome->error.text,
		"the time limit of %g s ended the measurement at %zu bytes", bench->how->timeout,
		outcome->bytes);
	print_unfinished_row(bench, variant);
	return print_error(
		EXIT_STUCK, "%s; try a longer --timeout, or fewer sizes", outcome->error.text);
}

/* Process 0 decides whether the measurement goes on: it has the time limit. */
static int report_end(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;
	const double limit = bench->how->timeout;
	int result;

	if (bench->signal || outcome->status != LS_OK) {
		result = report_failure(outcome, variant->machine, bench->signal);
		if (!bench->signal)
			print_unfinished_row(bench, variant);
		return result;
	}
	if (outcome->wrong > 0) {
		print_unfinished_row(bench, variant);
		return EXIT_WRONG;
	}
	if (follow_first(limit > 0 && (double)(clock_now() - bench->begin) > limit * 1e9))
		return print_time_over(bench, variant);
	return EXIT_SUCCESS;
}

static int count_once(struct bench *bench, struct variant *variant)
{
	measurement_clear(&variant->measurement);
	measurement_count(&variant->measurement, variant->machine, &variant->outcome, &bench->signal);

	const int failed = report_end(bench, variant);

	if (failed || outcome_is_ok(&variant->outcome))
		return failed;
	print_unfinished_row(bench, variant);
	return print_wrong_counts(&variant->outcome);
}

static int take_sample(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;

	measurement_clear(&variant->measurement);
	outcome->status = measurement_run(&variant->measurement, variant->machine, &bench->signal);
	if (!variant->machine)
		measurement_copy_sweep(&variant->measurement, outcome);
	if (outcome->status == LS_OK)
		measurement_verify(&variant->measurement, outcome);
	return report_end(bench, variant);
}

static size_t warmup(const struct execution *how, size_t calls)
{
	return how->given.warmup ? how->warmup : 1 + calls / 5;
}

/* A sample is one sweep, unless --iterations is given. */
static int take_sweep_sample(struct bench *bench, struct variant *variant)
{
	const struct execution *how = bench->how;

	variant->calls = variant->measurement.calls = how->given.iterations ? how->iterations : 1;
	variant->measurement.warmup = how->given.warmup ? how->warmup : 0;
	return take_sample(bench, variant);
}

/* Finds the calls per sample that take SAMPLE_NS, and warms the machine up. */
static int calibrate(struct bench *bench, struct variant *variant)
{
	const struct execution *how = bench->how;
	const bool given = how->given.iterations;
	struct measurement *measurement = &variant->measurement;
	int64_t spent = 0, time;
	int failed;

	if (variant->how.engine == LS_SWEEP)
		return take_sweep_sample(bench, variant);
	measurement->aligned = true;
	measurement->calls = given ? how->iterations : 1;
	measurement->warmup = warmup(how, measurement->calls);
	do {
		failed = take_sample(bench, variant);
		if (failed)
			return failed;
		time = measurement_time(measurement) > 0 ? measurement_time(measurement) : 1;
		spent += time;
		if (time < SAMPLE_NS && !given) {
			const int64_t growth = 1 + SAMPLE_NS * 11 / 10 / time;

			measurement->calls *= (size_t)(growth < MOST_GROWTH ? growth : MOST_GROWTH);
			measurement->warmup = warmup(how, measurement->calls);
		}
	} while (!given && (time < SAMPLE_NS || spent < WARM_NS));
	variant->calls = measurement->calls;
	return EXIT_SUCCESS;
}

/* One sample of every variant. */
static int take_samples(struct bench *bench)
{
	for (struct variant *v = bench->variant; v < bench->variant + bench->variants; v++) {
		const int failed = take_sample(bench, v);

		if (failed)
			return failed;
		v->sample[v->samples++] = (double)measurement_time(&v->measurement) / (double)v->calls;
	}
	return EXIT_SUCCESS;
}

/* As many samples as the budget allows; first: the time of one sample, ns. */
static size_t samples_within(const struct execution *how, int64_t first)
{
	if (how->samples > 0)
		return how->samples;
	if (first > BUDGET_NS)
		return SAMPLES_LEAST;
	return first * SAMPLES_MOST <= BUDGET_NS ? SAMPLES_MOST
		: first * SAMPLES_USUAL >= BUDGET_NS ? SAMPLES_USUAL
											 : (size_t)(BUDGET_NS / first) | 1;
}

static int sample_all(struct bench *bench)
{
	const size_t most =
		bench->how->samples > SAMPLES_MOST ? bench->how->samples : (size_t)SAMPLES_MOST;
	const int64_t begin = clock_now();
	size_t samples = 1;
	int failed = EXIT_SUCCESS;

	for (size_t i = 0; i < bench->variants; i++) {
		bench->variant[i].samples = 0;
		bench->variant[i].sample = require_memory(calloc(most, sizeof(double)));
	}
	for (size_t i = 0; i < samples && !failed; i++) {
		failed = take_samples(bench);
		if (i == 0)
			samples = (size_t)follow_first((int64_t)samples_within(
				bench->how, (clock_now() - begin) / (int64_t)bench->variants));
	}
	return failed;
}

static int measure_all(struct bench *bench, struct conditions *conditions)
{
	const struct usage before = usage_of_run();
	struct usage after;
	int failed = EXIT_SUCCESS;

	conditions->exchange_before = processes_is_first() ? probe_exchange() : NAN;
	for (size_t i = 0; i < bench->variants && !failed; i++)
		failed = count_once(bench, &bench->variant[i]);
	for (size_t i = 0; i < bench->variants && !failed; i++)
		failed = calibrate(bench, &bench->variant[i]);
	if (!failed)
		failed = sample_all(bench);
	conditions->exchange_after = processes_is_first() ? probe_exchange() : NAN;
	after = usage_of_run();
	conditions->others = usage_of_others(&before, &after);
	return failed;
}

static struct timing timing_of_samples(const struct variant *variant)
{
	double *copy = require_memory(calloc(variant->samples, sizeof *copy));

	for (size_t i = 0; i < variant->samples; i++)
		copy[i] = variant->sample[i];

	const struct timing timing = timing_of(copy, variant->samples);

	free(copy);
	return timing;
}

int bench_size(struct bench *bench, size_t count)
{
	struct conditions conditions;
	size_t opened = 0;
	int failed = EXIT_SUCCESS;

	while (opened < bench->variants && !failed)
		failed = open_variant(bench, &bench->variant[opened++], count);
	if (!failed)
		failed = measure_all(bench, &conditions);
	for (size_t i = 0; i < bench->variants && !failed; i++) {
		bench->variant[i].outcome.timing = timing_of_samples(&bench->variant[i]);
		bench_row(bench, &bench->variant[i], &conditions);
	}
	while (opened > 0)
		close_variant(&bench->variant[--opened]);
	return failed;
}
