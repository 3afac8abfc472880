/*
 * lockstep run: an operation on real data, verified and counted.
 *
 * The operation runs once, counted, traced and verified.  That is also the timed run, unless
 * warm-ups or more runs are asked for: then those follow, and are verified again.
 */
#include "run.h"

#include "machine.h"
#include "operands.h"
#include "place.h"
#include "report.h"
#include "shape.h"
#include "truth.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const struct options *options;
	struct job job;
	struct matrix input, output;
	struct truth truth;
	struct ls_call call;            /* but for input and output            */
	int64_t *start, *end;           /* of each node in the counted run, ns */
	_Atomic int64_t *longest;       /* slowest node of each timed run, ns  */
	struct trace_file trace;
	char placed[300];               /* the embedding in words              */
	ls_machine *machine;            /* of the last run                     */
	int by;                         /* the signal that ended it, or 0      */
};

static int call_once(ls_node *me, const struct run *run)
{
	struct ls_call call = run->call;
	const int64_t rank = ls_rank(me);

	if (call.operation != LS_BARRIER) {
		call.input = matrix_at(&run->input, rank, 0);
		if (has_result(call.operation, call.root, rank))
			call.output = matrix_at(&run->output, rank, 0);
	}
	return ls_collective(me, &call);
}

/* The handle of the nodes that take part; NULL: this one does not. */
static int enter(ls_node *me, const struct run *run, ls_node **group)
{
	*group = me;
	return run->job.embedding ? ls_embed(me, run->job.embedding, group) : LS_OK;
}

static int counted(ls_node *me, void *argument)
{
	struct run *run = argument;
	ls_node *group;
	const int failed = enter(me, run, &group);

	if (failed || !group)
		return failed;

	const int64_t rank = ls_rank(group);

	run->start[rank] = clock_now();

	const int status = call_once(group, run);

	run->end[rank] = clock_now();
	return status;
}

static void at_least(_Atomic int64_t *most, int64_t value)
{
	int64_t old = atomic_load(most);

	while (old < value && !atomic_compare_exchange_weak(most, &old, value))
		;
}

/* Bring the nodes together: the end of a round of lockstep does. */
static int align(ls_node *me, const struct options *options)
{
	return options->rounds == LS_LOCKSTEP ? ls_next_round(me) : ls_barrier(me);
}

static int timed(ls_node *me, void *argument)
{
	struct run *run = argument;
	const size_t warmup = run->options->warmup, runs = warmup + run->options->iterations;
	ls_node *group;
	int status = enter(me, run, &group);

	for (size_t i = 0; i < runs && status == LS_OK && group; i++) {
		status = align(group, run->options);

		const int64_t start = clock_now();

		if (status == LS_OK)
			status = call_once(group, run);
		if (i >= warmup)
			at_least(&run->longest[i - warmup], clock_now() - start);
	}
	return status;
}

static void trace_record(void *context, const struct ls_record *record)
{
	trace_put(context, record->round, record->src, record->dst, record->words);
}

/* Run a program on a new machine, which stays for its counts and errors. */
static int run_program(struct run *run, int (*program)(ls_node *, void *), bool traced, int *status)
{
	ls_machine_destroy(run->machine);
	run->machine = NULL;

	const int failed = machine_open(
		run->options, run->job.topology, traced ? trace_record : NULL, &run->trace, &run->machine);

	if (!failed)
		*status = machine_run(run->machine, program, run, &run->by);
	return failed;
}

/* Nodes that left the barrier before all had entered. */
static int64_t left_early(const struct run *run)
{
	int64_t entered = run->start[0], early = 0;

	for (int64_t rank = 0; rank < run->input.rows; rank++)
		entered = run->start[rank] > entered ? run->start[rank] : entered;
	for (int64_t rank = 0; rank < run->input.rows; rank++)
		early += run->end[rank] < entered;
	return early;
}

static void verify(const struct run *run, struct outcome *outcome)
{
	if (run->job.request.operation == LS_BARRIER) {
		outcome->wrong = left_early(run);
		outcome->identical = true;
		return;
	}

	const struct comparison comparison = truth_compare(&run->truth, &run->output);

	if (comparison.wrong > 0 && outcome->wrong == 0) {
		char node[300];

		node_text(run->job.topology, place_of(&run->job, comparison.node), node, sizeof node);
		truth_complain(&run->truth, &comparison, node, &run->output);
	}
	outcome->wrong += comparison.wrong;
	outcome->identical = comparison.identical;
}

static struct timing timing_counted(const struct run *run)
{
	int64_t longest = 0;

	for (int64_t rank = 0; rank < run->input.rows; rank++)
		if (longest < run->end[rank] - run->start[rank])
			longest = run->end[rank] - run->start[rank];
	return (struct timing){ longest, longest, 0, 1 };
}

static int run_counted(struct run *run, struct outcome *outcome)
{
	const int failed = run_program(run, counted, run->options->trace != NULL, &outcome->status);

	if (failed || outcome->status != LS_OK)
		return failed;
	outcome->measured.size = sizeof outcome->measured;
	ls_machine_stats(run->machine, &outcome->measured);
	outcome->timing = timing_counted(run);
	verify(run, outcome);
	return EXIT_FINE;
}

static int run_timed(struct run *run, struct outcome *outcome)
{
	const size_t runs = run->options->iterations;
	int64_t *times = need(calloc(runs, sizeof *times));

	run->longest = need(calloc(runs, sizeof *run->longest));
	memset(run->output.bytes, 0,
		(size_t)run->output.rows * run->output.columns * run->output.element.bytes);

	const int failed = run_program(run, timed, false, &outcome->status);

	for (size_t i = 0; i < runs; i++)
		times[i] = run->longest[i];
	if (!failed && outcome->status == LS_OK) {
		outcome->timing = timing_of(times, runs);
		if (run->job.request.operation != LS_BARRIER)
			verify(run, outcome);
	}
	free(times);
	return failed;
}

static void describe(struct run *run, struct outcome *outcome)
{
	const struct job *job = &run->job;
	char root[300];

	if (job->embedding)
		place_text(run->options, job, run->placed, sizeof run->placed);
	*outcome = (struct outcome){
		.options = run->options,
		.topology = job->topology,
		.operation = ls_operation_name(job->request.operation),
		.algorithm = job->name,
		.embedding = job->embedding ? run->placed : NULL,
		.map = place_map(run->options, job),
		.type = run->input.element.name,
		.op = ls_op_name(job->request.op),
		.formula = job->info.rounds,
		.foreseen = run->options->plan ? "in the file" : "predicted",
		.root = job->request.root,
		.elements = job->request.count,
		.bytes = job->request.count * run->input.element.bytes,
		.shift = job->request.shift,
		.shifts = job->request.operation == LS_SHIFT,
		.shared = is_shared(job->request.operation),
		.predicted = ls_plan_predicted(job->plan, job->request.count),
		.ordered = ls_plan_claim(job->plan) == LS_ORDERED,
	};
	job_title(job, REPORT_BODY, outcome->title, sizeof outcome->title);
	node_text(job->topology, place_of(job, job->request.root), root, sizeof root);
	truth_text(&run->truth, root, outcome->what, sizeof outcome->what);
}

static int run_all(struct run *run)
{
	const struct options *options = run->options;
	struct outcome outcome;

	describe(run, &outcome);
	if (options->verbose)
		job_choice(options, &run->job, stderr);

	int failed = run_counted(run, &outcome);

	if (!failed && outcome.status == LS_OK && (options->iterations > 1 || options->warmup > 0))
		failed = run_timed(run, &outcome);
	if (!failed)
		failed = conclude(&outcome, run->machine, run->by);
	if (!failed && options->output)
		failed = matrix_write(&run->output, options->output);
	return failed;
}

static int open_trace(struct run *run)
{
	const struct ls_request *request = &run->job.request;
	const struct trace_title title = {
		ls_operation_name(request->operation),
		run->job.name,
		ls_topology_spec(run->job.topology),
		request->count,
		request->root,
		request->shift,
		place_map(run->options, &run->job),
	};

	return run->options->trace ? trace_open(run->options->trace, &title, &run->trace) : EXIT_FINE;
}

/* After the operands are there: all that nodes need. */
static int prepare(struct run *run)
{
	const struct ls_request *request = &run->job.request;
	const size_t nodes = (size_t)run->input.rows;

	run->call = (struct ls_call){
		.size = sizeof run->call,
		.operation = request->operation,
		.algorithm = request->algorithm,
		.count = request->count,
		.type = request->type,
		.op = request->op,
		.root = request->root,
		.shift = request->shift,
		.ports = request->ports,
		.plan = run->options->plan || run->job.embedding ? run->job.plan : NULL,
	};
	if (run->call.plan)
		run->call.algorithm = NULL;
	run->output = matrix_make(run->input.element, run->input.rows,
		blocks_got(request->operation, run->input.rows) * request->count);
	run->truth = truth_make(request, &run->input);
	run->start = need(calloc(nodes, sizeof *run->start));
	run->end = need(calloc(nodes, sizeof *run->end));
	return open_trace(run);
}

/* A plan from a file is run when every law that it claims is proved. */
static int prove(const struct options *options, struct job *job)
{
	struct ls_certificate found = { .size = sizeof found };

	job->request.count = job->request.operation == LS_BARRIER ? 0 : options->count;
	switch (ls_check(job->plan, job->request.count, NULL, &found)) {
	case LS_OK:
		return EXIT_FINE;
	case LS_ERR_LAW:
		return complain(EXIT_WRONG, "%s: %s; would be right: a plan that lockstep check proves",
			options->plan, found.text);
	default:
		return complain(EXIT_RESOURCE, "no memory to prove %s; would be right: a smaller network",
			options->plan);
	}
}

static int open_run(struct run *run, struct options *options)
{
	struct job *job = &run->job;
	enum ls_operation operation;
	int failed = machine_fits(job->topology, 0);

	if (!failed)
		failed = options->plan ? job_plan(options, job) : place_open(options, job);
	if (!failed && options->plan)
		operation = job->request.operation;
	else if (!failed)
		failed = find_operation(options->word[0], &operation);
	if (!failed && options->input)
		failed = operands_read(
			options, operation, ls_topology_nodes(place_group(job)), &run->input);
	if (!failed && !options->plan)
		failed = job_plan(options, job);
	if (!failed && options->plan)
		failed = prove(options, job);
	if (failed)
		return failed;
	options->mode = job->mode;
	failed = machine_fits(job->topology, operands_bytes(job));
	if (!failed && !options->input)
		operands_make(options, job, &run->input);
	return failed ? failed : prepare(run);
}

static int run_operation(const struct options *given, ls_topology *topology)
{
	struct options options = *given;
	struct run run = { .options = &options, .job.topology = topology };
	int result = open_run(&run, &options);

	if (!result)
		result = run_all(&run);

	const int untraced = trace_close(&run.trace);

	ls_machine_destroy(run.machine);
	matrix_destroy(&run.input);
	matrix_destroy(&run.output);
	truth_destroy(&run.truth);
	free(run.start);
	free(run.end);
	free((void *)run.longest);
	job_close(&run.job);
	return result ? result : untraced;
}

static int check_options(const struct options *options)
{
	if (options->workers)
		return complain(EXIT_UNAVAILABLE,
			"engine threads has no workers; would be right: run without --workers");
	if (options->plan && options->word[0])
		return complain(EXIT_USAGE,
			"an operation and a plan at once; would be right: run --plan FILE -t TOPOLOGY");
	if (options->plan && options->algorithm)
		return complain(EXIT_USAGE,
			"an algorithm and a plan at once; would be right: run --plan FILE -t TOPOLOGY");
	if (options->plan && !is_plan_file(options->plan) && (options->input || options->output))
		return complain(EXIT_USAGE,
			"a trace has no operands; would be right: run --plan FILE.csv -t TOPOLOGY");
	if (options->input && options_given(options, "seed"))
		return complain(
			EXIT_USAGE, "operands from a file and at random; would be right: --input or --seed");
	return EXIT_FINE;
}

int verb_run(const struct options *options)
{
	ls_topology *topology = NULL;
	int failed = check_options(options);

	if (!failed)
		failed = topology_open(options, &topology);
	if (failed)
		return failed;
	return options->plan && !is_plan_file(options->plan) ? play(options, topology)
							     : run_operation(options, topology);
}
