#include "job/workload.h"

#include "base/host.h"
#include "base/processes.h"
#include "data/operand_shape.h"
#include "data/operands.h"
#include "data/plan_replay.h"
#include "job/embedded.h"
#include "job/job_machine.h"
#include "job/job_sweep.h"
#include "job/operand_file.h"

#include <stdlib.h>
#include <string.h>

int workload_check_nodes(const struct query *query, const struct execution *how,
	const struct output *output, ls_topology *topology)
{
	return how->engine == LS_SWEEP ? sweep_check_nodes(query, how, output, topology)
								   : machine_check_limits(topology, how, 0, NULL);
}

int workload_check_memory(const struct query *query, const struct execution *how,
	const struct output *output, const struct job *job, size_t *left)
{
	return how->engine == LS_SWEEP
		? sweep_check_memory(query, how, output, job, left)
		: machine_check_limits(job->topology, how, operands_bytes(&job->request), left);
}

/* A plan from a file runs only if it obeys every law and its claim suffices for the operator. */
static int check_plan(const struct query *query, struct job *job)
{
	struct ls_certificate found = { .size = sizeof found };
	struct ls_error why = { .size = sizeof why };
	const int unsupported = ls_plan_supports_op(job->plan, job->request.op, &why);

	if (unsupported)
		return print_error(exit_code_of(unsupported), "%s: %s", query->plan, why.text);

	job->request.count = job->request.operation == LS_BARRIER ? 0 : query->count;
	switch (ls_check(job->plan, job->request.count, NULL, &found)) {
	case LS_OK:
		return EXIT_SUCCESS;
	case LS_ERR_LAW:
		return print_error(
			EXIT_WRONG, "%s: %s; 'lockstep check' shows each law", query->plan, found.text);
	case LS_ERR_ARGUMENT:
		return print_error(EXIT_USAGE, "-m: %s", found.text);
	default:
		return print_error(
			EXIT_RESOURCE, "no memory to check %s; try a smaller network", query->plan);
	}
}

static int open_job(struct workload *workload)
{
	struct query *query = workload->query;
	struct job *job = &workload->job;
	enum ls_operation operation;
	int failed = workload_check_nodes(query, workload->how, workload->output, job->topology);

	if (!failed)
		failed = query->plan ? job_plan(query, job) : guest_open(query, job);
	if (!failed && query->plan)
		operation = job->request.operation;
	else if (!failed)
		failed = find_operation(query->operation, &operation);
	if (!failed && query->input)
		failed = operand_file_read(
			query, operation, ls_topology_nodes(operand_network(job)), &workload->operands);
	if (!failed && !query->plan)
		failed = job_plan(query, job);
	if (!failed && query->plan)
		failed = check_plan(query, job);
	return failed;
}

/* Whether the calls are in place. */
static bool is_in_place(const struct workload *workload)
{
	const struct job *job = &workload->job;
	const bool plain = !workload->query->plan && !job->embedding;

	return job->request.in_place
		|| (workload->broadcasts_in_place && plain && job->request.operation == LS_BROADCAST);
}

/* The operands or results in buffers; one block in a buffer of p is the node's own block. */
static struct matrix view_of(const struct workload *workload, size_t columns)
{
	const size_t bytes = columns * workload->buffers.element.bytes;
	struct matrix view = workload->buffers;

	if (columns < view.columns) { /* the row of rank r: from block r on */
		view.bytes += (size_t)workload->local.first * bytes;
		view.stride += bytes;
	}
	view.columns = columns;
	return view;
}

static void set_input(struct workload *workload)
{
	workload->in_place = is_in_place(workload);
	if (workload->in_place)
		workload->input = view_of(workload, workload->operands.columns);
}

static void make_buffers(struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;
	const int64_t nodes = workload->operands.rows;
	const struct local_ranks local = workload->local;

	workload->buffers = matrix_make(workload->operands.element, local.end - local.first,
		blocks_held(request, nodes) * request->count);
	workload->results = view_of(workload, blocks_got(request->operation, nodes) * request->count);
}

/* A sweep keeps the operands or results of all nodes only if they come from or go to a file. */
static void make_stream(struct workload *workload)
{
	const struct query *query = workload->query;
	const int workers = workload->how->workers;
	const struct operands operands =
		operands_of(query, &workload->job.request, query->input ? &workload->operands : NULL);
	struct host host;

	host_read(&host);
	if (!query->input)
		workload->operands = (struct matrix){ .element = operands.element, .rows = operands.nodes };
	if (workload->output->results)
		make_buffers(workload);
	workload->reference = reference_begin(&workload->job.request, operands.nodes);
	workload->stream = stream_make(
		&operands, &workload->job.request, &workload->replayed, workers ? workers : host.allowed);
}

static void store_operands(const struct workload *workload)
{
	for (int64_t rank = workload->local.first; rank < workload->local.end; rank++)
		workload_store_operand(workload, rank);
}

/* An exclusive scan does not change the result of node 0; in place, that is its operand. */
static void expect_unchanged(struct workload *workload)
{
	const struct matrix *operands = &workload->operands;
	struct matrix *const expected[] = { &workload->reference.expected, &workload->replayed };

	if (!workload->in_place || workload->job.request.operation != LS_EXSCAN)
		return;
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (expected[i]->memory)
			memcpy(matrix_at(expected[i], 0, 0), matrix_at(operands, 0, 0),
				operands->columns * operands->element.bytes);
}

static void make_data(struct workload *workload)
{
	const struct query *query = workload->query;
	const struct ls_request *request = &workload->job.request;
	const struct workload *like = workload->like;

	workload->borrows = like && like->reference.expected.memory
		&& like->operands.rows == ls_topology_nodes(operand_network(&workload->job));
	if (workload->borrows) {
		workload->operands = like->operands;
		workload->buffers = like->buffers;
		workload->results = like->results;
		workload->reference = like->reference;
		set_input(workload);
		return;
	}
	if (!query->input)
		operands_make(query, &workload->job.request, &workload->operands);
	make_buffers(workload);
	set_input(workload);
	store_operands(workload);
	workload->reference = reference_make(request, &workload->operands);
}

static void make_replay(struct workload *workload, size_t memory)
{
	if (workload->same_plan) {
		workload->replayed = workload->like->replayed;
		return;
	}

	const struct ls_request *request = &workload->job.request;
	const struct operands operands = operands_of(
		workload->query, request, workload->operands.memory ? &workload->operands : NULL);

	workload->any_order = !workload->query->input && workload->reference.expected.memory
		&& combines(request->operation) && sums_are_exact(&operands, request->op);
	workload->replayed = workload->any_order
		? workload->reference.expected
		: plan_replay(workload->job.plan, request->op, &operands, memory);
}

/*
 * The nodes of a guest have any ranks of a machine: each process has rows for all of them.  A sweep
 * executes the guest itself.
 */
static void set_local_ranks(struct workload *workload)
{
	const ls_topology *network = operand_network(&workload->job);

	workload->local = local_ranks_of(network);
	if (!shared_world() || !workload->job.embedding || workload->how->engine == LS_SWEEP)
		return;
	workload->first_rank = first_ranks(workload->job.topology);
	workload->local = (struct local_ranks){ 0, ls_topology_nodes(network) };
}

int workload_open(struct workload *workload)
{
	int failed = open_job(workload);
	size_t left;

	if (!failed) {
		workload->query->mode = workload->job.mode;
		if (!workload->query->given.ports)
			workload->query->ports = workload->job.request.ports;
		failed = workload_check_memory(
			workload->query, workload->how, workload->output, &workload->job, &left);
	}
	/* All processes of a host know the memory left before any of them takes some. */
	failed = agree_on_failure(failed);
	if (failed)
		return failed;
	set_local_ranks(workload);
	if (workload->how->engine == LS_SWEEP)
		make_stream(workload);
	else
		make_data(workload);
	make_replay(workload, left);
	if (!workload->stream)
		expect_unchanged(workload);
	return EXIT_SUCCESS;
}

void workload_close(struct workload *workload)
{
	if (!workload->borrows) {
		matrix_destroy(&workload->operands);
		matrix_destroy(&workload->buffers);
		reference_destroy(&workload->reference);
	}
	if (!workload->same_plan && !workload->any_order)
		matrix_destroy(&workload->replayed);
	stream_destroy(workload->stream);
	free(workload->first_rank);
	job_close(&workload->job);
}

static unsigned char *local_row(
	const struct workload *workload, const struct matrix *rows, int64_t rank)
{
	return matrix_at(rows, rank - workload->local.first, 0);
}

void workload_store_operand(const struct workload *workload, int64_t rank)
{
	const struct ls_request *request = &workload->job.request;

	if (workload->in_place && has_operand(request->operation, request->root, rank)
		&& has_result(request->operation, request->root, rank))
		memcpy(local_row(workload, &workload->input, rank), matrix_at(&workload->operands, rank, 0),
			workload->operands.columns * workload->operands.element.bytes);
}

void workload_reset_buffers(struct workload *workload)
{
	if (workload->stream)
		return;
	matrix_clear(&workload->buffers);
	store_operands(workload);
}

int workload_engine(
	const struct workload *workload, const ls_machine *machine, const char **name, const char **why)
{
	const struct ls_request *request = &workload->job.request;
	const enum ls_engine requested = workload->how->engine;

	*name = ls_engine_name(requested);
	if (requested == LS_SWEEP)
		return *why = "requested", EXIT_SUCCESS;

	const enum ls_engine found = ls_engine_for(
		machine, request->operation, request->count * workload->operands.element.bytes, why);

	*name = ls_engine_name(found);
	if (requested == LS_AUTO || requested == found || ls_topology_nodes(request->topology) == 1)
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"engine %s cannot execute %s: %s; try --rounds free, or -e %s", ls_engine_name(requested),
		ls_operation_name(request->operation), *why, *name);
}

int workload_process_of(const struct workload *workload, int64_t rank)
{
	return process_of_rank(workload->first_rank, host_rank_of(&workload->job, rank));
}

bool workload_has_node(const struct workload *workload, int64_t rank)
{
	return !workload->first_rank || workload_process_of(workload, rank) == processes_here()->number;
}

int workload_enter(ls_node *me, const struct workload *workload, ls_node **group)
{
	*group = me;
	return workload->job.embedding ? ls_embed(me, workload->job.embedding, group) : LS_OK;
}

struct ls_call workload_call(const struct workload *workload, int64_t rank)
{
	const struct ls_request *request = &workload->job.request;
	struct ls_call call = {
		.size = sizeof call,
		.operation = request->operation,
		.algorithm = workload->query->algorithm ? request->algorithm : NULL,
		.count = request->count,
		.type = request->type,
		.op = request->op,
		.root = request->root,
		.shift = request->shift,
		.ports = request->ports,
		.plan = workload->query->plan || workload->job.embedding ? workload->job.plan : NULL,
	};

	if (call.plan)
		call.algorithm = NULL;
	if (call.operation == LS_BARRIER)
		return call;
	call.input = matrix_at(&workload->operands, rank, 0);
	if (has_result(call.operation, call.root, rank)) {
		if (workload->in_place)
			call.input = local_row(workload, &workload->input, rank);
		call.output = local_row(workload, &workload->results, rank);
	}
	return call;
}

int workload_align(ls_node *me, const struct workload *workload)
{
	return workload->how->rounds == LS_LOCKSTEP ? ls_next_round(me) : ls_barrier(me);
}
