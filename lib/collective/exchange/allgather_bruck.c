/*
 * All-gather in the fewest rounds for any number of nodes; in reverse time order, a reduce-scatter.
 *
 * Before a round node u has k consecutive blocks from its own on, mod p.  It sends them, or the
 * first p - k of them, to u - k, and receives as many from u + k.  So k doubles:
 *
 *   p = 5          node 0 has       node 0 receives
 *   round 0        0                1 from node 1
 *   round 1        0 1              2 3 from node 2
 *   round 2        0 1 2 3          4 from node 4
 *
 * Every block is stored at its final offset, so there is no rotation at the end.  In reverse, a
 * node returns the sums of the blocks that it received, and adds the sums that come back for those
 * that it sent.
 *
 *   rounds     ceil(log2 p)
 *   traffic    ceil(log2 p) messages per node, m (p - 1) words
 *   cost       t_s ceil(log2 p) + t_w m (p - 1)
 *   memory     reduce-scatter: p blocks
 *   requires   hop mode: complete network; routed mode: any topology; reduce-scatter: a commutative
 *              operation
 *   source     J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, IEEE Trans. Parallel
 *              Distrib. Syst. 8(11), 1997, concatenation
 */
#include "collective/algorithm.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static bool adds(const struct lsi_problem *problem)
{
	return problem->operation == LS_REDUCE_SCATTER;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame f = { .rounds = lsi_log2_ceil(problem->nodes), .blocks = problem->nodes };

	if (adds(problem) && problem->nodes > 2)
		f.scratch[0] = (struct lsi_scratch){ problem->nodes, 1 };
	return f;
}

/* The blocks that a node has before a round of the all-gather, and the blocks that it sends. */
struct held {
	int64_t has, sends;
};

static struct held held_at(const struct ls_plan *plan, int64_t round)
{
	const int64_t i = adds(&plan->problem) ? plan->frame.rounds - 1 - round : round;
	const int64_t has = (int64_t)1 << i, missing = plan->problem.nodes - has;

	return (struct held){ has, has < missing ? has : missing };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t p = plan->problem.nodes, has = held_at(plan, round).has;
	const int64_t below = lsi_wrap(rank - has, p), above = lsi_wrap(rank + has, p);

	out->to[0] = adds(&plan->problem) ? above : below;
	out->from[0] = adds(&plan->problem) ? below : above;
}

/* A run of blocks that begins `distance` above the node's own, mod p. */
static struct ls_slice from(
	const struct ls_plan *plan, int buffer, int64_t rank, int64_t distance, int64_t run)
{
	const int64_t p = plan->problem.nodes;

	return lsi_cyclic(buffer, lsi_wrap(rank + distance, p), run, p);
}

static void add(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct held held = held_at(plan, round);
	const int64_t rest = held.has - held.sends;
	const int mine = round == 0 ? LS_INPUT : LS_SCRATCH;

	lsi_step_send(step, from(plan, mine, rank, held.has, held.sends));
	lsi_step_receive(step, held.sends);
	if (held.has == 1) {
		lsi_step_combine(step, lsi_block(LS_OUTPUT, 0), lsi_arrival(step), lsi_block(mine, rank));
		return;
	}
	lsi_step_combine(step, from(plan, LS_SCRATCH, rank, 0, held.sends), lsi_arrival(step),
		from(plan, mine, rank, 0, held.sends));
	/* The next round sends these operands together with the sums, so copy them. */
	if (rest > 0)
		lsi_step_copy(step, from(plan, LS_SCRATCH, rank, held.sends, rest),
			from(plan, LS_INPUT, rank, held.sends, rest));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct held held = held_at(plan, round);

	if (adds(&plan->problem)) {
		add(plan, round, rank, step);
		return;
	}
	lsi_step_send(
		step, round == 0 ? lsi_block(LS_INPUT, 0) : from(plan, LS_OUTPUT, rank, 0, held.sends));
	lsi_step_receive(step, held.sends);
	lsi_step_copy(step, from(plan, LS_OUTPUT, rank, held.has, held.sends), lsi_arrival(step));
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, words = lsi_mul_sat(p - 1, (int64_t)n);
	int64_t rounds = 0;

	for (int64_t reached = 1; reached < p; reached *= 2)
		rounds++;
	return (struct ls_counts){ rounds, lsi_mul_sat(p, rounds), lsi_mul_sat(p, words), words };
}

#define BRUCK \
	.name = "bruck", .networks = "complete:P; any in routed mode", .rounds = "ceil(log2 p)", \
	.bound = "ceil(log2 p) with one port", .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997", \
	.nodup = true, .supports = lsi_reaches_all, .frame = frame, .peers = peers, .body = body, \
	.predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_bruck = {
	.operations = LSI_FOR(LS_ALLGATHER), .claim = LS_MOVE, .identical = true, BRUCK
};

const struct lsi_algorithm lsi_reduce_scatter_bruck = {
	.operations = LSI_FOR(LS_REDUCE_SCATTER), .claim = LS_COMMUTATIVE, BRUCK
};
