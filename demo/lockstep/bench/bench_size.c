/*
 * Measuring one size.  Sample i of every variant is taken in turn, so that whatever drifts does so
 * for all alike.  A sample is a run of the machine of its own: some calls as warm-up, the nodes
 * meet, then the calls that are timed, from the first start to the last end of any node, so that no
 * node's run ahead is hidden.  Results are compared after every sample.
 */
#include "bench/bench.h"

#include "job/job_machine.h"
#include "job/embedded.h"
#include "bench/core_probe.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE_NS = 5000000, WARM_NS = 10000000, BUDGET_NS = 500000000, MOST_GROWTH = 10 };
enum { SAMPLES_MOST = 21, SAMPLES_USUAL = 11, SAMPLES_LEAST = 5 };

/* A machine serves all sizes whose messages travel alike. */
static int open_machine(struct variant *variant)
{
	const struct workload *workload = &variant->workload;

	if (variant->how.engine == LS_SWEEP
		|| (variant->machine && variant->mode == variant->sized.mode))
		return EXIT_SUCCESS;
	ls_machine_destroy(variant->machine);
	variant->machine = NULL;
	variant->mode = variant->sized.mode;
	return machine_open(
		&variant->sized, &variant->how, workload->job.topology, NULL, NULL, &variant->machine);
}

static void predict(struct variant *variant)
{
	const struct job *job = &variant->workload.job;
	const size_t bytes = variant->workload.operands.element.bytes;
	const struct ls_cost_model model = variant->query.model, volume = { .t_w = 1 };

	variant->model = ls_plan_cost_on(job->plan, job->embedding, job->request.count, bytes, model);
	variant->volume = ls_plan_cost_on(job->plan, job->embedding, job->request.count, bytes, volume);
}

static int open_variant(struct bench *bench, struct variant *variant, size_t count)
{
	const char *why = "";
	int failed;

	variant->sized = variant->query;
	variant->sized.count = count;
	variant->workload = (struct workload){ .query = &variant->sized,
		.how = &variant->how,
		.output = bench->output,
		.in_place = true,
		.like = variant == bench->variant ? NULL : &bench->variant->workload,
		.job = { .topology = bench->topology, .borrows = true } };
	failed = work_open(&variant->workload);
	if (failed)
		return failed;
	variant->measurement = turn_make(&variant->workload);
	work_describe(&variant->workload, &variant->outcome);
	predict(variant);
	failed = open_machine(variant);
	if (failed)
		return failed;
	failed = work_engine(&variant->workload, variant->machine, &variant->outcome.engine, &why);
	if (failed)
		return failed;
	if (bench->output->verbose) {
		job_choice(&variant->sized, &variant->workload.job, stderr);
		engine_choice(&variant->how, variant->outcome.engine, why, stderr);
	}
	return EXIT_SUCCESS;
}

static void close_variant(struct variant *variant)
{
	free(variant->sample);
	variant->sample = NULL;
	turn_destroy(&variant->measurement);
	variant->measurement = (struct measurement){ 0 };
	work_close(&variant->workload);
}

/* The row of a size that cannot be measured to its end. */
static void tell_unfinished(struct bench *bench, struct variant *variant)
{
	variant->outcome.timing = timing_one(NAN);
	variant->outcome.timing.runs = variant->samples = 0;
	bench_row(bench, variant, NULL);
}

static int time_is_over(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;

	outcome->status = LS_ERR_TIMEOUT;
	outcome->error =
		(struct ls_error){ sizeof outcome->error, LS_ERR_TIMEOUT, -1, -1, -1, -1, NULL, "" };
	snprintf(outcome->error.text, sizeof outcome->error.text,
		"the time limit of %g s ended the sweep at %zu bytes", bench->how->timeout, outcome->bytes);
	tell_unfinished(bench, variant);
	return print_error(
		EXIT_STUCK, "%s; would be right: a longer --timeout, or fewer sizes", outcome->error.text);
}

/* What ended the last run of a variant, if anything did. */
static int failure(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;
	const double limit = bench->how->timeout;
	int result;

	if (bench->by || outcome->status != LS_OK) {
		result = outcome_failure(outcome, variant->machine, bench->by);
		if (!bench->by)
			tell_unfinished(bench, variant);
		return result;
	}
	if (outcome->wrong > 0) {
		tell_unfinished(bench, variant);
		return EXIT_WRONG;
	}
	if (limit > 0 && (double)(clock_now() - bench->begin) > limit * 1e9)
		return time_is_over(bench, variant);
	return EXIT_SUCCESS;
}

static int count_once(struct bench *bench, struct variant *variant)
{
	work_reset(&variant->workload);
	turn_count(&variant->measurement, variant->machine, &variant->outcome, &bench->by);

	const int failed = failure(bench, variant);

	if (failed || outcome_right(&variant->outcome))
		return failed;
	tell_unfinished(bench, variant);
	return complain_counts(&variant->outcome);
}

static int take(struct bench *bench, struct variant *variant)
{
	struct outcome *outcome = &variant->outcome;

	work_reset(&variant->workload);
	outcome->status = turn_run(&variant->measurement, variant->machine, &bench->by);
	if (!variant->machine)
		turn_tell(&variant->measurement, outcome);
	if (outcome->status == LS_OK && variant->workload.job.request.operation != LS_BARRIER)
		work_verify(&variant->workload, outcome);
	return failure(bench, variant);
}

static size_t warmup(const struct execution *how, size_t calls)
{
	return how->given.warmup ? how->warmup : 1 + calls / 5;
}

/* A sample of sweeps is one, unless more are asked for. */
static int take_sweeps(struct bench *bench, struct variant *variant)
{
	const struct execution *how = bench->how;

	variant->calls = variant->measurement.calls = how->given.iterations ? how->iterations : 1;
	variant->measurement.warmup = how->given.warmup ? how->warmup : 0;
	return take(bench, variant);
}

/* So many calls that a sample lasts; the machine is warm then. */
static int calibrate(struct bench *bench, struct variant *variant)
{
	const struct execution *how = bench->how;
	const bool given = how->given.iterations;
	struct measurement *measurement = &variant->measurement;
	int64_t spent = 0, time;
	int failed;

	if (variant->how.engine == LS_SWEEP)
		return take_sweeps(bench, variant);
	measurement->aligned = true;
	measurement->calls = given ? how->iterations : 1;
	measurement->warmup = warmup(how, measurement->calls);
	do {
		failed = take(bench, variant);
		if (failed)
			return failed;
		time = turn_time(measurement) > 0 ? turn_time(measurement) : 1;
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
static int take_all(struct bench *bench)
{
	for (struct variant *v = bench->variant; v < bench->variant + bench->variants; v++) {
		const int failed = take(bench, v);

		if (failed)
			return failed;
		v->sample[v->samples++] = (double)turn_time(&v->measurement) / (double)v->calls;
	}
	return EXIT_SUCCESS;
}

/* As many samples as the budget allows after the first has shown what one takes. */
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
		failed = take_all(bench);
		if (i == 0)
			samples = samples_within(bench->how, (clock_now() - begin) / (int64_t)bench->variants);
	}
	return failed;
}

static int measure(struct bench *bench, struct conditions *conditions)
{
	const struct usage before = usage_now();
	struct usage after;
	int failed = EXIT_SUCCESS;

	conditions->exchange_before = probe_exchange();
	for (size_t i = 0; i < bench->variants && !failed; i++)
		failed = count_once(bench, &bench->variant[i]);
	for (size_t i = 0; i < bench->variants && !failed; i++)
		failed = calibrate(bench, &bench->variant[i]);
	if (!failed)
		failed = sample_all(bench);
	conditions->exchange_after = probe_exchange();
	after = usage_now();
	conditions->others = usage_of_others(&before, &after);
	return failed;
}

static struct timing sampled(const struct variant *variant)
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
		failed = measure(bench, &conditions);
	for (size_t i = 0; i < bench->variants && !failed; i++) {
		bench->variant[i].outcome.timing = sampled(&bench->variant[i]);
		bench_row(bench, &bench->variant[i], &conditions);
	}
	while (opened > 0)
		close_variant(&bench->variant[--opened]);
	return failed;
}
