/*
 * The bits of all results are those that test/data/golden_bits keeps: for each operation, network
 * and algorithm one hash of the results of all nodes, types and operators.  So they are the same in
 * every build, on every processor and by every engine.
 *
 * Operands include numbers whose sums depend on the order, both zeros, subnormal and huge numbers,
 * infinities, and NaN with payloads.  The hash is of all bytes: the library defines the bits of a
 * NaN that is computed, and an element that is copied keeps its own.
 *
 *   golden_bits           compares; each line by one engine in turn, in long runs by all of them
 *   golden_bits --print   prints the lines, from an interpreter of plans (test/support/play.h)
 *                         and operators that the test computes (test/operator_reference.h)
 */
#include <inttypes.h>

#include <lockstep/collective.h>
#include <lockstep/sweep.h>

#include "collective/algorithm.h"
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

/* ---- The kept lines */

enum { KEY = 200, LINES = 4000 };
static struct kept {
	char key[KEY];
	uint64_t hash;
	bool used;
} kept[LINES];
static int lines;

/* "allreduce star:4 substar" */
static void key_of(const struct cell *cell, char key[KEY])
{
	snprintf(key, KEY, "%s %s %s", ls_operation_name(cell->problem.operation),
		ls_topology_spec(cell->problem.topology), cell->algorithm->name);
}

static void read_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	char operation[64], network[64], algorithm[64];
	uint64_t hash;

	CHECK(file, "%s cannot be read", path);
	while (file && lines < LINES
		&& fscanf(file, "%63s %63s %63s %" SCNx64, operation, network, algorithm, &hash) == 4) {
		snprintf(kept[lines].key, KEY, "%s %s %s", operation, network, algorithm);
		kept[lines++].hash = hash;
	}
	CHECK(file && feof(file), "%s: line %d is none", path, lines + 1);
	if (file)
		fclose(file);
}

static struct kept *kept_for(const struct cell *cell)
{
	char key[KEY];

	key_of(cell, key);
	for (int i = 0; i < lines; i++) {
		if (!strcmp(kept[i].key, key))
			return &kept[i];
	}
	return NULL;
}

/* ---- All cells */

#define REMEDY "; if this is meant, run sh scripts/golden-bits --keep"

/* One in how many lines is compared at all, with nodes that are threads, and with the reference. */
struct depth {
	int64_t lines, threads, reference;
	bool every_engine;
};

static struct depth depth_of_run(void)
{
	if (is_long())
		return (struct depth){ 1, 8, 1, true };
	if (is_fast())
		return is_thin() ? (struct depth){ 17, 17 * 40, 17 * 8, false }
						 : (struct depth){ 5, 5 * 64, 5 * 8, false };
	return is_thin() ? (struct depth){ 8, 8 * 32, 8 * 8, false }
					 : (struct depth){ 1, 64, 32, false };
}

static int64_t turns;

static void check_execution(struct golden *g, const struct kept *line, enum execution execution)
{
	const uint64_t hash = execute(g, execution);

	CHECK(hash == line->hash, "%s, %s: bits differ from the kept ones: %s" REMEDY,
		cell_name(&g->cell).text, execution_names[execution], difference_of(g).text);
}

static void check_golden(struct golden *g)
{
	const struct depth depth = depth_of_run();
	struct kept *line = kept_for(&g->cell);
	const int64_t turn = turns++;

	CHECK(line, "%s has no kept bits" REMEDY, cell_name(&g->cell).text);
	if (!line)
		return;
	line->used = true;
	if (turn % depth.lines)
		return;
	golden_make(g);
	for (enum execution e = FIBERS; e <= SWEEP; e++) {
		if (depth.every_engine || turn / depth.lines % 3 == (int64_t)e)
			check_execution(g, line, e);
	}
	if (turn % depth.threads == 0)
		check_execution(g, line, THREADS);
	if (turn % depth.reference == 0)
		check_execution(g, line, REFERENCE);
	golden_end(g);
}

static void print_golden(struct golden *g)
{
	char key[KEY];

	key_of(&g->cell, key);
	golden_make(g);
	printf("%s %016" PRIx64 "\n", key, execute(g, REFERENCE));
	golden_end(g);
}

/* One of the problems that the algorithm serves; false: it serves none. */
static bool choose_problem(struct cell *cell)
{
	struct lsi_problem *p = &cell->problem;
	const uint64_t network = lsi_mix_text((uint64_t)p->operation, ls_topology_spec(p->topology));
	const uint64_t choice = lsi_mix_text(network, cell->algorithm->name);
	const int64_t place = (int64_t)(network % (uint64_t)p->nodes);

	p->root = lsi_operation_is_rooted(p->operation) ? place : 0;
	p->shift = p->operation == LS_SHIFT ? place : 0;
	for (uint64_t k = 0; k < 4; k++) {
		const uint64_t variant = choice + k;

		p->mode = variant & 1 ? LS_ROUTED : LS_HOP;
		p->ports = variant & 2 ? 2 : 1;
		if (cell->algorithm->supports(p))
			return true;
	}
	return false;
}

/* Does an earlier algorithm of that name serve it?  Then the name stands for both. */
static bool is_repeated(const struct cell *cell)
{
	for (int i = 0; lsi_algorithms[i] != cell->algorithm; i++) {
		struct cell earlier = { lsi_algorithms[i], cell->problem };

		if (!strcmp(earlier.algorithm->name, cell->algorithm->name)
			&& earlier.algorithm->operations & LSI_FOR(cell->problem.operation)
			&& choose_problem(&earlier))
			return true;
	}
	return false;
}

static void each_golden(const char *spec, void (*visit)(struct golden *))
{
	ls_topology *t = topology_of(spec);

	for (int o = 0; o < LS_OPERATIONS; o++) {
		for (int i = 0; lsi_algorithms[i]; i++) {
			struct golden g = { .cell = { lsi_algorithms[i],
									{ .topology = t,
										.nodes = ls_topology_nodes(t),
										.segments = 1,
										.operation = (enum ls_operation)o } } };

			if (o == LS_BARRIER || !(lsi_algorithms[i]->operations & LSI_FOR(o))
				|| !choose_problem(&g.cell) || is_repeated(&g.cell))
				continue;
			visit(&g);
		}
	}
	ls_topology_destroy(t);
}

int main(int argc, char **argv)
{
	const bool prints = argc > 1 && !strcmp(argv[1], "--print");

	all = all_combinations();
	operands = memory(NODES_MOST, all.row);
	for (int64_t r = 0; r < NODES_MOST; r++)
		fill_row(&all, row_of(operands, r));
	if (!prints)
		read_lines("test/data/golden_bits");
	for (int i = 0; i < SMALL_KINDS; i++)
		each_golden(small_networks[i], prints ? print_golden : check_golden);
	for (int i = 0; i < lines; i++)
		CHECK(kept[i].used, "%s: no such algorithm" REMEDY, kept[i].key);
	free(operands);
	return prints ? EXIT_SUCCESS : test_result();
}
