/*
 * lockstep run: an operation on real data, verified and counted.
 *
 * The operation runs once, counted, traced and verified.  That is also the timed run, unless
 * warm-ups or more runs are requested: then those follow, and are verified again.
 */
#include "base/number.h"
#include "base/processes.h"
#include "bench/measurement.h"
#include "cli/verb.h"
#include "job/embedded.h"
#include "job/job_machine.h"
#include "job/verified.h"
#include "run/result_file.h"
#include "run/run_parts.h"
#include "job/plan_file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct run {
	struct workload workload;
	struct measurement measurement;
	_Atomic int64_t *longest; /* slowest node of each timed run, ns */
	struct output_file trace, results;
	ls_machine *machine; /* of the last run */
	int signal;          /* the signal that ended it, or 0 */
};

static void raise_to(_Atomic int64_t *most, int64_t value)
{
	int64_t old = atomic_load(most);

	while (old < value && !atomic_compare_exchange_weak(most, &old, value))
		;
}

static int timed_program(ls_node *me, void *argument)
{
	struct run *run = argument;
	const struct execution *how = run->workload.how;
	const size_t warmup = how->warmup, runs = warmup + how->iterations;
	ls_node *group;
	int status = workload_enter(me, &run->workload, &group);

	if (status || !group)
		return status;

	const struct ls_call call = workload_call(&run->workload, ls_rank(group));

	for (size_t i = 0; i < runs && status == LS_OK; i++) {
		workload_store_operand(&run->workload, ls_rank(group));
		status = workload_align(group, &run->workload);

		const int64_t start = clock_now();

		if (status == LS_OK)
			status = ls_collective(group, &call);
		if (i >= warmup)
			raise_to(&run->longest[i - warmup], clock_now() - start);
	}
	return status;
}

/* A new machine, kept for its counts and errors; a sweep needs none. */
static int renew_machine(struct run *run, bool traced)
{
	ls_machine_destroy(run->machine);
	run->machine = NULL;
	if (run->workload.how->engine == LS_SWEEP)
		return EXIT_SUCCESS;
	return machine_open(run->workload.query, run->workload.how, run->workload.job.topology,
		traced ? trace_record : NULL, &run->trace, &run->machine);
}

/* Printed with -v. */
static void print_sweep(const struct measurement *measurement)
{
	const struct ls_sweep_result *swept = &measurement->sweep;
	const int64_t nodes = most_local_nodes(operand_network(&measurement->workload->job));
	const double each = (double)swept->memory / (double)nodes;
	char memory[32];

	bytes_text((double)swept->memory, memory, sizeof memory);
	fprintf(stderr,
		each < 999.5 ? "memory     %s, %.3g bytes per node\n"
					 : "memory     %s, %.0f bytes per node\n",
		memory, each);
	fprintf(stderr, "seconds    %.3g for the rounds, %.3g with operands and results\n",
		swept->seconds, swept->seconds_total);
}

static int run_counted(struct run *run, struct outcome *outcome)
{
	const struct execution *how = run->workload.how;
	const struct output *output = run->workload.output;
	const char *why = "";
	int failed = renew_machine(run, output->trace != NULL);

	if (!failed)
		failed = workload_engine(&run->workload, run->machine, &outcome->engine, &why);
	if (failed)
		return failed;
	if (output->verbose)
		print_engine_choice(how, outcome->engine, why, stderr);
	run->measurement = measurement_make(&run->workload);
	run->measurement.trace = &run->trace;
	measurement_count(&run->measurement, run->machine, outcome, &run->signal);
	if (output->verbose && outcome->sweeps)
		print_sweep(&run->measurement);
	return EXIT_SUCCESS;
}

/* The times of the slowest process. */
static void take_slowest(const _Atomic int64_t *longest, size_t runs, double *times)
{
	int64_t *time = require_memory(calloc(runs, sizeof *time));

	for (size_t i = 0; i < runs; i++)
		time[i] = longest[i];
	take_most(time, runs);
	for (size_t i = 0; i < runs; i++)
		times[i] = (double)time[i];
	free(time);
}

static void time_machine(struct run *run, struct outcome *outcome, double *times)
{
	const size_t runs = run->workload.how->iterations;

	run->longest = require_memory(calloc(runs, sizeof *run->longest));
	outcome->status = machine_run(run->machine, timed_program, run, &run->signal);
	if (outcome->status == LS_OK)
		take_slowest(run->longest, runs, times);
}

static void time_sweeps(struct run *run, struct outcome *outcome, double *times)
{
	struct measurement *measurement = &run->measurement;

	measurement->warmup = run->workload.how->warmup;
	measurement->calls = run->workload.how->iterations;
	measurement->trace = NULL;
	measurement->times = times;
	outcome->status = measurement_run(measurement, NULL, &run->signal);
	measurement_copy_sweep(measurement, outcome);
}

static int run_timed(struct run *run, struct outcome *outcome)
{
	const size_t runs = run->workload.how->iterations;
	int failed = renew_machine(run, false);

	if (failed)
		return failed;

	double *times = require_memory(calloc(runs, sizeof *times));

	workload_reset_buffers(&run->workload);
	(run->machine ? time_machine : time_sweeps)(run, outcome, times);
	if (outcome->status == LS_OK) {
		outcome->timing = timing_of(times, runs);
		if (run->workload.job.request.operation != LS_BARRIER)
			workload_verify(&run->workload, outcome);
	}
	free(times);
	return EXIT_SUCCESS;
}

static int run_all(struct run *run)
{
	const struct query *query = run->workload.query;
	const struct execution *how = run->workload.how;
	const struct output *output = run->workload.output;
	struct outcome outcome;
	sigset_t signals, before;

	workload_describe(&run->workload, &outcome);
	if (output->verbose)
		print_algorithm_choice(query, &run->workload.job, stderr);

	/* A signal outside the runs is pending until the next one begins, or the last is verified. */
	block_signals(&signals, &before);

	int failed = run_counted(run, &outcome);

	if (!failed && outcome.status == LS_OK && (how->iterations > 1 || how->warmup > 0))
		failed = run_timed(run, &outcome);
	if (!run->signal && (run->signal = take_signal(&signals)))
		outcome.status = LS_ERR_STOPPED;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed)
		failed = report_outcome(&outcome, run->machine, run->signal);
	failed = agree_on_failure(failed);
	if (!failed && output->results)
		result_file_write(&run->workload, &run->results);
	return failed;
}

/* Unwritable files are reported before the run. */
static int open_files(struct run *run)
{
	const struct output *output = run->workload.output;
	const struct execution *how = run->workload.how;
	struct trace_title title = job_trace_title(run->workload.query, &run->workload.job);
	int failed = output->results ? output_open(output->results, &run->results) : EXIT_SUCCESS;

	title.timed = how->times;
	title.placed = how->times && !shared_world() ? how : NULL;
	if (!failed && output->trace)
		failed = trace_open(output->trace, &title, &run->trace);
	return failed;
}

static int run_operation(const struct query *given, const struct execution *how,
	const struct output *output, ls_topology *topology)
{
	struct query query = *given;
	struct run run = {
		.workload = { .query = &query, .how = how, .output = output, .job.topology = topology },
	};
	int result = workload_open(&run.workload);

	if (!result && processes_is_first())
		result = open_files(&run);
	result = agree_on_failure(result);
	if (!result)
		result = run_all(&run);

	if (result)
		output_discard(&run.results);
	if (run.signal)
		output_discard(&run.trace);

	const int untraced = output_close(&run.trace), unwritten = output_close(&run.results);

	machine_close(run.machine, result);
	measurement_destroy(&run.measurement);
	free((void *)run.longest);
	workload_close(&run.workload);
	return result ? result : untraced ? untraced : unwritten;
}

/* Whether --plan names a trace.  It is played once, without operands. */
static bool is_played(const struct options *options)
{
	return options->query.file && !options->query.file->is_plan;
}

static int check_played(const struct options *options)
{
	static const enum option_id unused[] = { OPTION_INPUT, OPTION_OUTPUT, OPTION_SEED,
		OPTION_ITERATIONS, OPTION_WARMUP, OPTION_MESSAGE_SIZE, OPTION_OP };

	for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
		if (options->given & TAKES(unused[i]))
			return print_error(EXIT_USAGE,
				"run plays a trace once and without operands; try without --%s",
				option_table[unused[i]].name);
	if (options->how.engine == LS_COOPERATIVE)
		return print_error(
			EXIT_UNAVAILABLE, "engine cooperative cannot play a trace; try -e mailboxes");
	return EXIT_SUCCESS;
}

static int check_options(const struct options *options)
{
	if (options->query.plan && options->query.algorithm)
		return print_error(
			EXIT_USAGE, "--algorithm and --plan cannot be used together; try one of them");
	if (options->how.times && !options->output.trace)
		return print_error(EXIT_USAGE, "--times needs a trace; try --trace FILE --times");
	if (is_played(options))
		return check_played(options);
	if (options->query.input && options->query.given.seed)
		return print_error(
			EXIT_USAGE, "--input and --seed cannot be used together; try one of them");
	return EXIT_SUCCESS;
}

bool share_run(struct options *options)
{
	return can_share_engines(&options->how);
}

int verb_run(const struct options *options)
{
	ls_topology *topology = NULL;
	int failed = check_options(options);

	if (!failed)
		failed = topology_open(&options->query, &topology);
	failed = agree_on_failure(failed);
	if (failed)
		return failed;
	return is_played(options)
		? play_trace(&options->query, &options->how, &options->output, topology)
		: run_operation(&options->query, &options->how, &options->output, topology);
}
