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
		return EXIT_SUCCESS;
	case LS_ERR_LAW:
		return print_error(EXIT_WRONG, "%s: %s; would be right: a plan that lockstep check proves",
			options->plan, found.text);
	default:
		return print_error(EXIT_RESOURCE,
			"no memory to prove %s; would be right: a smaller network", options->plan);
	}
}

static int open_job(struct workload *workload, struct options *options)
{
	struct job *job = &workload->job;
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
			options, operation, ls_topology_nodes(place_group(job)), &workload->input);
	if (!failed && !options->plan)
		failed = job_plan(options, job);
	if (!failed && options->plan)
		failed = prove(options, job);
	return failed;
}

static struct matrix make_output(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;

	return matrix_make(workload->input.element, workload->input.rows,
		blocks_got(request->operation, workload->input.rows) * request->count);
}

/* Nothing of all nodes, unless files hold it. */
static void make_stream(struct workload *workload, const struct options *options)
{
	const struct operands operands =
		operands_of(options, &workload->job, options->input ? &workload->input : NULL);
	struct host host;

	host_read(&host);
	if (!options->input)
		workload->input = (struct matrix){ .element = operands.element, .rows = operands.nodes };
	if (options->output)
		workload->output = make_output(workload);
	workload->reference = truth_asked(&workload->job.request, operands.nodes);
	workload->stream = stream_make(
		&operands, &workload->job.request, options->workers ? options->workers : host.allowed);
}

static void make_data(struct workload *workload, const struct options *options)
{
	const struct ls_request *request = &workload->job.request;
	const struct workload *like = workload->like;

	workload->borrows = like && like->reference.expected.memory
		&& like->input.rows == ls_topology_nodes(place_group(&workload->job));
	if (workload->borrows) {
		workload->input = like->input;
		workload->output = like->output;
		workload->reference = like->reference;
		return;
	}
	if (!options->input)
		operands_make(options, &workload->job, &workload->input);
	workload->output = make_output(workload);
	workload->reference = truth_make(request, &workload->input);
}

int work_open(struct workload *workload, struct options *options)
{
	int failed = open_job(workload, options);

	workload->options = options;
	if (failed)
		return failed;
	options->mode = workload->job.mode;
	failed = work_fits(options, &workload->job);
	if (!failed && options->engine == LS_SWEEP)
		make_stream(workload, options);
	else if (!failed)
		make_data(workload, options);
	return failed;
}

void work_close(struct workload *workload)
{
	if (!workload->borrows) {
		matrix_destroy(&workload->input);
		matrix_destroy(&workload->output);
		truth_destroy(&workload->reference);
	}
	stream_destroy(workload->stream);
	job_close(&workload->job);
}

void work_reset(struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;

	if (workload->stream)
		return;
	matrix_clear(&workload->output);
	if (workload->in_place && request->operation == LS_BROADCAST)
		memcpy(matrix_at(&workload->output, request->root, 0),
			matrix_at(&workload->input, request->root, 0),
			request->count * workload->input.element.bytes);
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

void work_describe(struct workload *workload, struct outcome *outcome)
{
	const struct options *options = workload->options;
	const struct job *job = &workload->job;
	char root[300];

	if (job->embedding)
		place_text(options, job, workload->placed, sizeof workload->placed);
	*outcome = (struct outcome){
		.options = options,
		.topology = job->topology,
		.operation = ls_operation_name(job->request.operation),
		.algorithm = job->name,
		.engine = ls_engine_name(options->engine),
		.embedding = job->embedding ? workload->placed : NULL,
		.map = place_map(options, job),
		.type = workload->input.element.name,
		.op = ls_op_name(job->request.op),
		.formula = job->info.rounds,
		.foreseen = options->plan ? "in the file" : "predicted",
		.root = job->request.root,
		.elements = job->request.count,
		.bytes = job->request.count * workload->input.element.bytes,
		.shift = job->request.shift,
		.shifts = job->request.operation == LS_SHIFT,
		.shared = is_shared(job->request.operation),
		.predicted = ls_plan_predict(job->plan, job->request.count),
		.ordered = ls_plan_claim(job->plan) == LS_ORDERED,
		.proof = proof_text(job),
	};
	job_title(job, REPORT_BODY, outcome->title, sizeof outcome->title);
	node_text(job->topology, place_of(job, job->request.root), root, sizeof root);
	truth_text(&workload->reference, root, outcome->what, sizeof outcome->what);
}

int work_engine(
	const struct workload *workload, const ls_machine *machine, const char **name, const char **why)
{
	const struct ls_request *request = &workload->job.request;
	const enum ls_engine asked = workload->options->engine;

	*name = ls_engine_name(asked);
	if (asked == LS_SWEEP)
		return *why = "asked for", EXIT_SUCCESS;

	const enum ls_engine found = ls_engine_for(
		machine, request->operation, request->count * workload->input.element.bytes, why);

	*name = ls_engine_name(found);
	if (asked == LS_AUTO || asked == found || ls_topology_nodes(request->topology) == 1)
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"engine %s cannot execute this: %s; would be right: --rounds free, or -e %s",
		ls_engine_name(asked), *why, *name);
}

int work_enter(ls_node *me, const struct workload *workload, ls_node **group)
{
	*group = me;
	return workload->job.embedding ? ls_embed(me, workload->job.embedding, group) : LS_OK;
}

struct ls_call work_call(const struct workload *workload, int64_t rank)
{
	const struct ls_request *request = &workload->job.request;
	struct ls_call call = {
		.size = sizeof call,
		.operation = request->operation,
		.algorithm = workload->options->algorithm ? request->algorithm : NULL,
		.count = request->count,
		.type = request->type,
		.op = request->op,
		.root = request->root,
		.shift = request->shift,
		.ports = request->ports,
		.plan = workload->options->plan || workload->job.embedding ? workload->job.plan : NULL,
	};

	if (call.plan)
		call.algorithm = NULL;
	if (call.operation == LS_BARRIER)
		return call;
	call.input = matrix_at(&workload->input, rank, 0);
	if (has_result(call.operation, call.root, rank))
		call.output = matrix_at(&workload->output, rank, 0);
	if (workload->in_place && call.operation == LS_BROADCAST)
		call.input = call.output;
	return call;
}

int work_align(ls_node *me, const struct workload *workload)
{
	return workload->options->rounds == LS_LOCKSTEP ? ls_next_round(me) : ls_barrier(me);
}

void work_verify(const struct workload *workload, struct outcome *outcome)
{
	const struct comparison comparison = workload->stream
		? workload->stream->found
		: truth_compare(&workload->reference, &workload->output);

	if (comparison.wrong > 0 && outcome->wrong == 0) {
		char node[300];

		node_text(
			workload->job.topology, place_of(&workload->job, comparison.node), node, sizeof node);
		if (workload->stream)
			stream_complain(workload->stream, node);
		else
			truth_complain(&workload->reference, &comparison, node, &workload->output);
	}
	outcome->wrong += comparison.wrong;
	outcome->identical = comparison.identical;
}
