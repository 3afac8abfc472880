/*
 * lockstep run: an operation on real data, verified and counted.
 *
 * The operation runs once, counted, traced and verified.  That is also the timed run, unless
 * warm-ups or more runs are asked for: then those follow, and are verified again.
 */
#include "run/run.h"

#include "job/job_machine.h"
#include "job/embedded.h"
#include "bench/measurement.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct run {
	struct workload workload;
	struct measurement measurement;
	_Atomic int64_t *longest; /* slowest node of each timed run, ns */
	struct trace_file trace;
	ls_machine *machine; /* of the last run */
	int by;              /* the signal that ended it, or 0 */
};

static void at_least(_Atomic int64_t *most, int64_t value)
{
	int64_t old = atomic_load(most);

	while (old < value && !atomic_compare_exchange_weak(most, &old, value))
		;
}

static int timed(ls_node *me, void *argument)
{
	struct run *run = argument;
	const struct options *options = run->workload.options;
	const size_t warmup = options->warmup, runs = warmup + options->iterations;
	ls_node *group;
	int status = work_enter(me, &run->workload, &group);

	if (status || !group)
		return status;

	const struct ls_call call = work_call(&run->workload, ls_rank(group));

	for (size_t i = 0; i < runs && status == LS_OK; i++) {
		status = work_align(group, &run->workload);

		const int64_t start = clock_now();

		if (status == LS_OK)
			status = ls_collective(group, &call);
		if (i >= warmup)
			at_least(&run->longest[i - warmup], clock_now() - start);
	}
	return status;
}

/* A new machine, which stays for its counts and errors; none, where a sweep needs none. */
static int renew_machine(struct run *run, bool traced)
{
	ls_machine_destroy(run->machine);
	run->machine = NULL;
	if (run->workload.options->engine == LS_SWEEP)
		return EXIT_SUCCESS;
	return machine_open(run->workload.options, run->workload.job.topology,
		traced ? trace_record : NULL, &run->trace, &run->machine);
}

/* For -v. */
static void tell_sweep(const struct measurement *measurement)
{
	const struct ls_sweep_result *swept = &measurement->swept;
	const double each = (double)swept->memory / (double)measurement->workload->input.rows;
	char memory[32];

	bytes_text((double)swept->memory, memory, sizeof memory);
	fprintf(stderr,
		each < 999.5 ? "memory     %s, %.3g bytes a node\n" : "memory     %s, %.0f bytes a node\n",
		memory, each);
	fprintf(stderr, "seconds    %.3g the rounds, %.3g with operands and results\n", swept->seconds,
		swept->seconds_total);
}

static int run_counted(struct run *run, struct outcome *outcome)
{
	const struct options *options = run->workload.options;
	const char *why = "";
	int failed = renew_machine(run, options->trace != NULL);

	if (!failed)
		failed = work_engine(&run->workload, run->machine, &outcome->engine, &why);
	if (failed)
		return failed;
	if (options->verbose)
		engine_choice(options, outcome->engine, why, stderr);
	run->measurement = turn_make(&run->workload);
	run->measurement.trace = &run->trace;
	turn_count(&run->measurement, run->machine, outcome, &run->by);
	if (options->verbose && outcome->sweeps)
		tell_sweep(&run->measurement);
	return EXIT_SUCCESS;
}

static void time_machine(struct run *run, struct outcome *outcome, double *times)
{
	const size_t runs = run->workload.options->iterations;

	run->longest = require_memory(calloc(runs, sizeof *run->longest));
	outcome->status = machine_run(run->machine, timed, run, &run->by);
	for (size_t i = 0; i < runs; i++)
		times[i] = (double)run->longest[i];
}

static void time_sweeps(struct run *run, struct outcome *outcome, double *times)
{
	struct measurement *measurement = &run->measurement;

	measurement->warmup = run->workload.options->warmup;
	measurement->calls = run->workload.options->iterations;
	measurement->trace = NULL;
	measurement->times = times;
	outcome->status = turn_run(measurement, NULL, &run->by);
	turn_tell(measurement, outcome);
}

static int run_timed(struct run *run, struct outcome *outcome)
{
	const size_t runs = run->workload.options->iterations;
	int failed = renew_machine(run, false);

	if (failed)
		return failed;

	double *times = require_memory(calloc(runs, sizeof *times));

	work_reset(&run->workload);
	(run->machine ? time_machine : time_sweeps)(run, outcome, times);
	if (outcome->status == LS_OK) {
		outcome->timing = timing_of(times, runs);
		if (run->workload.job.request.operation != LS_BARRIER)
			work_verify(&run->workload, outcome);
	}
	free(times);
	return failed;
}

static int run_all(struct run *run)
{
	const struct options *options = run->workload.options;
	struct outcome outcome;

	work_describe(&run->workload, &outcome);
	if (options->verbose)
		job_choice(options, &run->workload.job, stderr);

	int failed = run_counted(run, &outcome);

	if (!failed && outcome.status == LS_OK && (options->iterations > 1 || options->warmup > 0))
		failed = run_timed(run, &outcome);
	if (!failed)
		failed = report_outcome(&outcome, run->machine, run->by);
	if (!failed && options->output)
		failed = matrix_write(&run->workload.output, options->output);
	return failed;
}

static int open_trace(struct run *run)
{
	const struct options *options = run->workload.options;
	const struct job *job = &run->workload.job;
	const struct trace_title title = {
		ls_operation_name(job->request.operation),
		job->name,
		ls_topology_spec(job->topology),
		job->request.count,
		job->request.root,
		job->request.shift,
		place_map(options, job),
	};

	return options->trace ? trace_open(options->trace, &title, &run->trace) : EXIT_SUCCESS;
}

static int run_operation(const struct options *given, ls_topology *topology)
{
	struct options options = *given;
	struct run run = { .workload.job.topology = topology };
	int result = work_open(&run.workload, &options);

	if (!result)
		result = open_trace(&run);
	if (!result)
		result = run_all(&run);

	const int untraced = trace_close(&run.trace);

	ls_machine_destroy(run.machine);
	turn_destroy(&run.measurement);
	free((void *)run.longest);
	work_close(&run.workload);
	return result ? result : untraced;
}

static int check_options(const struct options *options)
{
	if (options->workers && options->engine != LS_SWEEP)
		return print_workers_error(options);
	if (options->plan && options->word[0])
		return print_error(EXIT_USAGE,
			"an operation and a plan at once; would be right: run --plan FILE -t TOPOLOGY");
	if (options->plan && options->algorithm)
		return print_error(EXIT_USAGE,
			"an algorithm and a plan at once; would be right: run --plan FILE -t TOPOLOGY");
	if (options->plan && !is_plan_file(options->plan) && (options->input || options->output))
		return print_error(
			EXIT_USAGE, "a trace has no operands; would be right: run --plan FILE.csv -t TOPOLOGY");
	if (options->input && options_given(options, "seed"))
		return print_error(
			EXIT_USAGE, "operands from a file and at random; would be right: --input or --seed");
	return EXIT_SUCCESS;
}

int verb_run(const struct options *options)
{
	ls_topology *topology = NULL;
	int failed = check_options(options);

	if (!failed)
		failed = topology_open(options, &topology);
	if (failed)
		return failed;
	return options->plan && !is_plan_file(options->plan) ? play_trace(options, topology)
														 : run_operation(options, topology);
}
