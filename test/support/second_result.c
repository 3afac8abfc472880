/*
 * Law 5 of the second checker, and the whole replay.
 */
#include <stdlib.h>
#include <string.h>

#include "support/second_checker.h"

/* ---- The defined results */

/* The contributions of block b at a node: of nodes first .. last-1, each of block `block`. */
struct defined {
	int first, last;
	int64_t block;
	bool is_unchanged; /* instead: what is there before */
};

static struct defined defined_at(const struct checker *c, int node, int b)
{
	const int p = c->plan->nodes, root = (int)c->plan->root;
	const int source = (int)((node + p - c->plan->shift) % p);

	switch ((enum ls_operation)c->plan->operation) {
	case LS_BROADCAST:
		return (struct defined){ root, root + 1, b, false };
	case LS_SCATTER:
		return (struct defined){ root, root + 1, node, false };
	case LS_ALLGATHER:
	case LS_GATHER:
		return (struct defined){ b, b + 1, 0, false };
	case LS_ALLTOALL:
		return (struct defined){ b, b + 1, node, false };
	case LS_SHIFT:
		return (struct defined){ source, source + 1, 0, false };
	case LS_REDUCE_SCATTER:
		return (struct defined){ 0, p, node, false };
	case LS_SCAN:
		return (struct defined){ 0, node + 1, b, false };
	case LS_EXSCAN:
		return (struct defined){ 0, node, b, node == 0 };
	default:
		return (struct defined){ 0, p, b, false };
	}
}

static bool has_term(const struct value *value, uint16_t term)
{
	for (int i = 0; i < value->terms; i++)
		if (value->term[i] == term)
			return true;
	return false;
}

static bool is_unchanged(const struct checker *c, int node, int b, const struct value *value)
{
	if (!c->plan->is_in_place)
		return !value->is_defined;
	return value->is_defined && value->expression == second_contribution(c, node, b).expression;
}

static bool check_result(struct checker *c, int node, int b)
{
	const struct value *value = &c->cell[node][second_cell_of(c, node, OUT, b)];
	const struct defined defined = defined_at(c, node, b);
	const int last = c->plan->steps - 1;

	if (defined.is_unchanged)
		return is_unchanged(c, node, b, value)
			|| second_broken(c, 5, node, last, "a result that stays unchanged");
	if (!value->is_defined || value->is_over || value->terms != defined.last - defined.first)
		return second_broken(c, 5, node, last, "not the defined contributions");
	for (int u = defined.first; u < defined.last; u++) {
		const uint16_t term = (uint16_t)(u * PLAN_BLOCKS + defined.block);

		if (!has_term(value, term))
			return second_broken(c, 5, node, last, "a contribution is missing");
		if (c->claim == LS_ORDERED && value->term[u - defined.first] != term)
			return second_broken(c, 5, node, last, "not in rank order");
	}
	return true;
}

/* Operations whose results are the same at all nodes. */
static bool is_shared_result(enum ls_operation operation)
{
	return operation == LS_BROADCAST || operation == LS_ALLREDUCE || operation == LS_ALLGATHER
		|| operation == LS_BARRIER;
}

static bool check_results(struct checker *c)
{
	const bool compares =
		c->plan->is_identical && is_shared_result((enum ls_operation)c->plan->operation);

	for (int u = 0; u < c->plan->nodes; u++)
		for (int b = 0; second_has_buffer(c, u, OUT) && b < second_blocks_of(c, u, OUT); b++) {
			const int cell = second_cell_of(c, u, OUT, b), first = second_cell_of(c, 0, OUT, b);

			if (!check_result(c, u, b))
				return false;
			if (compares && c->cell[u][cell].expression != c->cell[0][first].expression)
				return second_broken(c, 5, u, c->plan->steps - 1, "another expression");
		}
	return true;
}

/* ---- Memory, kept for the next plan */

static void *zeros(size_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);

	if (!memory)
		abort();
	return memory;
}

struct plan_part *second_plan_parts(int step, int nodes)
{
	static struct plan_part *parts[PLAN_STEPS];

	if (!parts[step])
		parts[step] = zeros(PLAN_NODES, sizeof(struct plan_part));
	for (int u = 0; u < nodes; u++) {
		struct plan_part *part = &parts[step][u];

		part->is_there = false;
		part->moves = 0;
		for (int q = 0; q < PLAN_PORTS; q++)
			part->send[q].is_there = part->receive[q].is_there = false;
	}
	return parts[step];
}

static void open_checker(struct checker *c)
{
	for (int u = 0; u < PLAN_NODES && !c->cell[u]; u++) {
		c->cell[u] = zeros(CELLS, sizeof(struct value));
		c->received[u] = zeros(PLAN_NODES * PLAN_BLOCKS, sizeof(bool));
		for (int q = 0; q < PLAN_PORTS; q++)
			c->arrived[u][q].value = zeros(PLAN_BLOCKS, sizeof(struct value));
	}
}

/* What an earlier plan left, as far as this one reaches: most blocks of any buffer. */
static void clear(struct checker *c)
{
	const struct second_plan *plan = c->plan;
	int64_t most = c->blocks > plan->nodes ? c->blocks : plan->nodes;

	for (int i = 0; i < 4; i++)
		most = most > plan->slots[i] ? most : plan->slots[i];
	for (int u = 0; u < plan->nodes; u++) {
		for (int i = 0; i < CELLS; i++)
			if (i % PLAN_BLOCKS < most)
				c->cell[u][i].is_defined = false;
		if (plan->is_nodup)
			memset(c->received[u], 0, PLAN_NODES * PLAN_BLOCKS * sizeof(bool));
		for (int q = 0; q < PLAN_PORTS; q++)
			c->arrived[u][q].blocks = -1;
	}
}

/* ---- The replay */

static bool begin(struct checker *c)
{
	const struct second_plan *plan = c->plan;
	const bool combines = c->info->combines || plan->operation == LS_BARRIER;

	if (plan->nodes != ls_topology_nodes(c->network))
		return second_broken(c, 0, 0, 0, "another number of nodes");
	c->claim = plan->claim >= 0 ? (enum ls_claim)plan->claim : combines ? LS_COMMUTATIVE : LS_MOVE;
	if ((c->claim == LS_MOVE) == combines)
		return second_broken(c, 5, 0, 0, "a claim of other operations");
	c->blocks = plan->blocks                                          ? plan->blocks
		: c->info->input == LS_BLOCKS || c->info->output == LS_BLOCKS ? plan->nodes
																	  : 1;
	c->is_large = c->blocks > PLAN_BLOCKS;
	for (int i = 0; i < 4; i++)
		c->is_large |= plan->slots[i] > PLAN_BLOCKS;
	if (!c->is_large)
		clear(c);
	for (int u = 0; u < plan->nodes && !c->is_large; u++)
		for (int b = 0; second_has_buffer(c, u, IN) && b < second_blocks_of(c, u, IN); b++)
			c->cell[u][second_cell_of(c, u, IN, b)] = second_contribution(c, u, b);
	return true;
}

enum second_verdict second_check(const char *text, const ls_topology *network, char *why)
{
	static struct second_plan plan;
	static struct checker c;
	enum second_verdict verdict = second_plan_read(text, &plan, why);

	if (verdict == ACCEPTED) {
		c.plan = &plan;
		c.info = ls_operation_describe((enum ls_operation)plan.operation);
		c.network = network;
		c.why = why;
		c.is_large = false;
		open_checker(&c);

		bool right = begin(&c);

		for (int step = 0; step < plan.steps && right && !c.is_large; step++)
			right = second_check_step(&c, step);
		right = right && (c.is_large || check_results(&c));
		verdict = c.is_large ? TOO_LARGE : right ? ACCEPTED : REFUSED;
	}
	return verdict;
}
