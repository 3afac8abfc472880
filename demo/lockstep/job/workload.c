#include "job/workload.h"

#include "job/host.h"
#include "job/job_machine.h"
#include "data/operands.h"
#include "job/embedded.h"
#include "report/report.h"
#include "data/operand_shape.h"
#include "job/job_sweep.h"

#include <string.h>

int work_holds(const struct options *options, ls_topology *topology)
{
	return options->engine == LS_SWEEP ? sweep_holds(options, topology) : machine_fits(topology, 0);
}

int work_fits(const struct options *options, const struct job *job)
{
	return options->engine == LS_SWEEP ? sweep_fits(options, job)
									   : machine_fits(job->topology, operands_bytes(job));
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

static int open_job(struct work *work, struct options *options)
{
	struct job *job = &work->job;
	enum ls_operation operation;
	int failed = work_holds(options, job->topology);

	if (!failed)
		failed = options->plan ? job_plan(options, job) : place_open(options, job);
	if (!failed && options->plan)
		operation = job->request.operation;
	else if (!failed)
		failed = find_operation(options->word[0], &operation);
	if (!failed && options->input)
		failed = operands_read(
			options, operation, ls_topology_nodes(place_group(job)), &work->input);
	if (!failed && !options->plan)
		failed = job_plan(options, job);
	if (!failed && options->plan)
		failed = prove(options, job);
	return failed;
}

static struct matrix make_output(const struct work *work)
{
	const struct ls_request *request = &work->job.request;

	return matrix_make(work->input.element, work->input.rows,
		blocks_got(request->operation, work->input.rows) * request->count);
}

/* Nothing of all nodes, unless files hold it. */
static void make_stream(struct work *work, const struct options *options)
{
	const struct operands operands =
		operands_of(options, &work->job, options->input ? &work->input : NULL);
	struct host host;

	host_read(&host);
	if (!options->input)
		work->input = (struct matrix){ .element = operands.element, .rows = operands.nodes };
	if (options->output)
		work->output = make_output(work);
	work->truth = truth_asked(&work->job.request, operands.nodes);
	work->stream = stream_make(&operands, &work->job.request,
		options->workers ? options->workers : host.allowed);
}

static void make_data(struct work *work, const struct options *options)
{
	const struct ls_request *request = &work->job.request;
	const struct work *like = work->like;

	work->borrows = like && like->truth.expected.memory &&
		like->input.rows == ls_topology_nodes(place_group(&work->job));
	if (work->borrows) {
		work->input = like->input;
		work->output = like->output;
		work->truth = like->truth;
		return;
	}
	if (!options->input)
		operands_make(options, &work->job, &work->input);
	work->output = make_output(work);
	work->truth = truth_make(request, &work->input);
}

int work_open(struct work *work, struct options *options)
{
	int failed = open_job(work, options);

	work->options = options;
	if (failed)
		return failed;
	options->mode = work->job.mode;
	failed = work_fits(options, &work->job);
	if (!failed && options->engine == LS_SWEEP)
		make_stream(work, options);
	else if (!failed)
		make_data(work, options);
	return failed;
}

void work_close(struct work *work)
{
	if (!work->borrows) {
		matrix_destroy(&work->input);
		matrix_destroy(&work->output);
		truth_destroy(&work->truth);
	}
	stream_destroy(work->stream);
	job_close(&work->job);
}

void work_reset(struct work *work)
{
	const struct ls_request *request = &work->job.request;

	if (work->stream)
		return;
	matrix_clear(&work->output);
	if (work->in_place && request->operation == LS_BROADCAST)
		memcpy(matrix_at(&work->output, request->root, 0),
			matrix_at(&work->input, request->root, 0),
			request->count * work->input.element.bytes);
}

/* What a sweep proves of every result, where it has fingerprints of all. */
static const char *proof_text(const struct job *job)
{
	if (!combines(job->request.operation))
		return job->request.operation == LS_BARRIER ? "all nodes by fingerprints"
													: "all blocks by fingerprints";
	return ls_plan_claim(job->plan) == LS_ORDERED
		? "all contributions by fingerprints, in rank order"
		: "all contributions by fingerprints";
}

void work_describe(struct work *work, struct outcome *outcome)
{
	const struct options *options = work->options;
	const struct job *job = &work->job;
	char root[300];

	if (job->embedding)
		place_text(options, job, work->placed, sizeof work->placed);
	*outcome = (struct outcome){
		.options = options,
		.topology = job->topology,
		.operation = ls_operation_name(job->request.operation),
		.algorithm = job->name,
		.engine = ls_engine_name(options->engine),
		.embedding = job->embedding ? work->placed : NULL,
		.map = place_map(options, job),
		.type = work->input.element.name,
		.op = ls_op_name(job->request.op),
		.formula = job->info.rounds,
		.foreseen = options->plan ? "in the file" : "predicted",
		.root = job->request.root,
		.elements = job->request.count,
		.bytes = job->request.count * work->input.element.bytes,
		.shift = job->request.shift,
		.shifts = job->request.operation == LS_SHIFT,
		.shared = is_shared(job->request.operation),
		.predicted = ls_plan_predict(job->plan, job->request.count),
		.ordered = ls_plan_claim(job->plan) == LS_ORDERED,
		.proof = proof_text(job),
	};
	job_title(job, REPORT_BODY, outcome->title, sizeof outcome->title);
	node_text(job->topology, place_of(job, job->request.root), root, sizeof root);
	truth_text(&work->truth, root, outcome->what, sizeof outcome->what);
}

int work_engine(const struct work *work, const ls_machine *machine, const char **name,
	const char **why)
{
	const struct ls_request *request = &work->job.request;
	const enum ls_engine asked = work->options->engine;

	*name = ls_engine_name(asked);
	if (asked == LS_SWEEP)
		return *why = "asked for", EXIT_FINE;

	const enum ls_engine found = ls_engine_for(
		machine, request->operation, request->count * work->input.element.bytes, why);

	*name = ls_engine_name(found);
	if (asked == LS_AUTO || asked == found || ls_topology_nodes(request->topology) == 1)
		return EXIT_FINE;
	return complain(EXIT_UNAVAILABLE,
		"engine %s cannot execute this: %s; would be right: --rounds free, or -e %s",
		ls_engine_name(asked), *why, *name);
}

int work_enter(ls_node *me, const struct work *work, ls_node **group)
{
	*group = me;
	return work->job.embedding ? ls_embed(me, work->job.embedding, group) : LS_OK;
}

struct ls_call work_call(const struct work *work, int64_t rank)
{
	const struct ls_request *request = &work->job.request;
	struct ls_call call = {
		.size = sizeof call,
		.operation = request->operation,
		.algorithm = work->options->algorithm ? request->algorithm : NULL,
		.count = request->count,
		.type = request->type,
		.op = request->op,
		.root = request->root,
		.shift = request->shift,
		.ports = request->ports,
		.plan = work->options->plan || work->job.embedding ? work->job.plan : NULL,
	};

	if (call.plan)
		call.algorithm = NULL;
	if (call.operation == LS_BARRIER)
		return call;
	call.input = matrix_at(&work->input, rank, 0);
	if (has_result(call.operation, call.root, rank))
		call.output = matrix_at(&work->output, rank, 0);
	if (work->in_place && call.operation == LS_BROADCAST)
		call.input = call.output;
	return call;
}

int work_align(ls_node *me, const struct work *work)
{
	return work->options->rounds == LS_LOCKSTEP ? ls_next_round(me) : ls_barrier(me);
}

void work_verify(const struct work *work, struct outcome *outcome)
{
	const struct comparison comparison = work->stream
		? work->stream->found
		: truth_compare(&work->truth, &work->output);

	if (comparison.wrong > 0 && outcome->wrong == 0) {
		char node[300];

		node_text(work->job.topology, place_of(&work->job, comparison.node), node, sizeof node);
		if (work->stream)
			stream_complain(work->stream, node);
		else
			truth_complain(&work->truth, &comparison, node, &work->output);
	}
	outcome->wrong += comparison.wrong;
	outcome->identical = comparison.identical;
}
