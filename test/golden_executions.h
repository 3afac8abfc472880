/*
 * Results of an algorithm on a network, for every type and operator, by each engine and by the
 * reference of test/golden_bits.c.
 */
#ifndef LOCKSTEP_TEST_GOLDEN_EXECUTIONS_H
#define LOCKSTEP_TEST_GOLDEN_EXECUTIONS_H

#include <lockstep/collective.h>
#include <lockstep/sweep.h>

#include "golden_values.h"
#include "support/cells.h"
#include "support/play.h"

enum { COUNT = 37, COUNT_OF_BLOCKS = 5, NODES_MOST = 24 };

static struct combinations all;
static char *operands; /* a row for each node */

/* ---- One cell */

/* An algorithm for an operation on a network, and the results of one execution. */
struct golden {
	struct cell cell;
	const struct ls_operation_info *operation;
	ls_plan *plan;
	size_t count;
	char *results; /* a row for each node */
};

static size_t elements(const struct golden *g, enum ls_buffer_form form)
{
	return form == LS_BLOCKS ? (size_t)g->cell.problem.nodes * g->count : g->count;
}

static char *row_of(char *rows, int64_t rank)
{
	return rows + (size_t)rank * all.row;
}

static bool has_operand(const struct golden *g, int64_t rank)
{
	return !g->operation->from_root || rank == g->cell.problem.root;
}

static bool has_result(const struct golden *g, int64_t rank)
{
	return !g->operation->at_root || rank == g->cell.problem.root;
}

/* Combinations that it can execute, of which those that only move data need one for each type. */
static bool takes(const struct golden *g, const struct combination *c)
{
	return g->operation->combines ? ls_plan_claim(g->plan) >= lsi_claim_required(c->op)
								  : c->is_first;
}

static size_t result_bytes(const struct golden *g, const struct combination *c)
{
	return elements(g, g->operation->output) * c->size;
}

/* FNV-1a of Fowler, Noll and Vo. */
static uint64_t hash_of(const struct golden *g)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (int64_t r = 0; r < g->cell.problem.nodes; r++) {
		for (int i = 0; i < all.n && has_result(g, r); i++) {
			const struct combination *c = &all.of[i];
			const char *at = row_of(g->results, r) + c->at;

			for (size_t k = 0; takes(g, c) && k < result_bytes(g, c); k++)
				hash = (hash ^ (unsigned char)at[k]) * 0x100000001b3u;
		}
	}
	return hash;
}

static void golden_make(struct golden *g)
{
	struct ls_request request = lsi_problem_request(&g->cell.problem);
	const enum ls_operation operation = g->cell.problem.operation;

	g->operation = ls_operation_describe(operation);
	g->count = LSI_FOR(operation) & OF_BLOCKS ? COUNT_OF_BLOCKS : COUNT;
	request.algorithm = g->cell.algorithm->name;
	request.count = g->count;
	request.op = g->cell.algorithm->claim == LS_IDEMPOTENT ? LS_MAX : LS_SUM;
	guard("%s", cell_name(&g->cell).text);
	g->plan = plan_for(&request);
	g->results = memory((size_t)g->cell.problem.nodes, all.row);
}

static void golden_end(struct golden *g)
{
	ls_plan_destroy(g->plan);
	free(g->results);
}

/* ---- Engines */

static int call_all(ls_node *me, void *arg)
{
	const struct golden *g = arg;
	const int64_t rank = ls_rank(me);
	int failed = LS_OK;

	for (int i = 0; i < all.n && !failed; i++) {
		const struct combination *c = &all.of[i];
		const struct ls_call call = { .size = sizeof call,
			.operation = g->cell.problem.operation,
			.input = has_operand(g, rank) ? row_of(operands, rank) + c->at : NULL,
			.output = has_result(g, rank) ? row_of(g->results, rank) + c->at : NULL,
			.count = g->count,
			.type = c->shape.type,
			.op = c->op,
			.plan = g->plan };

		if (takes(g, c))
			failed = ls_collective(me, &call);
	}
	return failed;
}

static void execute_by_nodes(struct golden *g, enum ls_engine engine, enum ls_node_kind kind)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.mode = g->cell.problem.mode,
		.ports = g->cell.problem.ports,
		.engine = engine,
		.node_kind = kind };
	ls_machine *machine = machine_on(g->cell.problem.topology, &options);

	must_run(machine, call_all, g);
	ls_machine_destroy(machine);
}

static void execute_by_sweep(struct golden *g)
{
	const int64_t root = g->cell.problem.root;

	for (int i = 0; i < all.n; i++) {
		const struct combination *c = &all.of[i];
		const struct ls_sweep sweep = { .size = sizeof sweep,
			.plan = g->plan,
			.count = g->count,
			.type = c->shape.type,
			.op = c->op,
			.input = row_of(operands, g->operation->from_root ? root : 0) + c->at,
			.output = row_of(g->results, g->operation->at_root ? root : 0) + c->at,
			.input_stride = all.row,
			.output_stride = all.row,
			.workers = 1 };
		struct ls_sweep_result out = { .size = sizeof out };

		if (takes(g, c))
			CHECK(ls_sweep_run(&sweep, &out) == LS_OK, "%s, %s of %s: %s", guarded(),
				ls_op_name(c->op), ls_type_name(c->shape.type), out.error.text);
	}
}

/* ---- The reference */

static void combine_by_reference(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const struct combination *c = context;

	for (size_t i = 0; i < n * c->size; i += c->size)
		reference(&c->shape, c->op, (char *)dst + i, (const char *)a + i, (const char *)b + i);
}

static void play_one(struct golden *g, struct combination *c)
{
	const struct ls_op_options options = {
		.size = sizeof options, .combine = combine_by_reference, .context = c, .commutative = true
	};
	const int64_t p = g->cell.problem.nodes;
	struct element element = { .type = c->shape.type, .size = c->size };
	const struct job job = { .topology = g->cell.problem.topology,
		.operation = g->cell.problem.operation,
		.element = &element,
		.count = g->count };
	void *given[NODES_MOST];
	struct memory memory[NODES_MOST] = { { .result = 0 } };
	const struct payload payload = { .job = &job, .p = p, .given = given, .memory = memory };

	if (ls_op_make(&options, &element.op) != LS_OK)
		exit(1);
	for (int64_t r = 0; r < p; r++) {
		given[r] = row_of(operands, r) + c->at;
		if (has_result(g, r) && (r > 0 || job.operation != LS_EXSCAN))
			memory[r].result = result_bytes(g, c);
	}

	struct played played = play(g->plan, &payload, NULL, g->cell.problem.mode);
	const char *from = played.results;

	for (int64_t r = 0; r < p; from += memory[r++].result)
		memcpy(row_of(g->results, r) + c->at, from, memory[r].result);
	played_free(&played);
	ls_op_destroy(element.op);
}

static void execute_by_reference(struct golden *g)
{
	for (int i = 0; i < all.n; i++) {
		if (takes(g, &all.of[i]))
			play_one(g, &all.of[i]);
	}
}

/* ---- Executions */

enum execution { FIBERS, TOGETHER, SWEEP, THREADS, REFERENCE, EXECUTIONS };
static const char *const execution_names[EXECUTIONS] = { "mailboxes of light nodes", "cooperative",
	"sweep", "mailboxes of threads", "the reference" };

static uint64_t execute(struct golden *g, enum execution execution)
{
	guard("%s, %s", cell_name(&g->cell).text, execution_names[execution]);
	memset(g->results, 0, (size_t)g->cell.problem.nodes * all.row);
	switch (execution) {
	case FIBERS:
		execute_by_nodes(g, LS_MAILBOXES, LS_NODE_FIBER);
		break;
	case TOGETHER:
		execute_by_nodes(g, LS_COOPERATIVE, LS_NODE_FIBER);
		break;
	case THREADS:
		execute_by_nodes(g, LS_MAILBOXES, LS_NODE_THREAD);
		break;
	case SWEEP:
		execute_by_sweep(g);
		break;
	default:
		execute_by_reference(g);
	}
	return hash_of(g);
}

/* The first element that differs from the reference. */
struct difference {
	char text[160];
};
static struct difference difference_of(struct golden *g)
{
	const size_t bytes = (size_t)g->cell.problem.nodes * all.row;
	char *got = memory(bytes, 1);
	struct difference first = { "no element differs from the reference" };

	memcpy(got, g->results, bytes);
	execute(g, REFERENCE);
	for (size_t k = 0; k < bytes; k++) {
		const struct combination *c = &all.of[all.n - 1];

		if (got[k] == g->results[k])
			continue;
		while (c->at > k % all.row)
			c--;
		snprintf(first.text, sizeof first.text,
			"%s of %s: byte %zu of node %zu is %02x, %02x by the reference", ls_op_name(c->op),
			ls_type_name(c->shape.type), k % all.row - c->at, k / all.row, (unsigned char)got[k],
			(unsigned char)g->results[k]);
		break;
	}
	free(got);
	return first;
}

#endif
