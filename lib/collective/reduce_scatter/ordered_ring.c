/*
 * Reduce-scatter round a ring in rank order.
 *
 * Block b starts at node b - 1, travels down and gains one operand a hop, until it is complete at
 * node b. Past the link from node 0 to the last it is two partial sums, which travel in one
 * message: LOW of the ranks 0 .. b-1, and HIGH, which grows from the last rank down to b.
 *
 *   rounds     p - 1
 *   messages   p (p - 1), of m words or 2 m: m (p - 1)(3 p - 2)/2 in all
 *   cost       t_s (p - 1) + t_w m (2 p - 3)
 *   memory     four blocks
 *   requires   hop mode: ring, complete network; routed mode: any topology, in rank order; any
 *              associative operator
 *   source     this project, after Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.5
 */
#include "collective/bound.h"
#include "collective/grid.h"

enum { LOW, HIGH };

/* Block numbers run on past p, so that a number and the next lie in different slots: to 4 p. */
static bool supports(const struct ls_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->nodes <= LS_NODES_MAX / 4 && (problem->mode == LS_ROUTED
		|| (ls_axes_closed(t) && ls_axis_longest(t) == problem->nodes));
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	struct ls_frame f = { .rounds = problem->nodes - 1, .blocks = problem->nodes };

	if (problem->nodes > 2)
		f.scratch[0] = (struct ls_scratch){ 4, 2 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	(void)round;
	out->to[0] = ls_wrap(rank - 1, plan->problem.nodes);
	out->from[0] = ls_wrap(rank + 1, plan->problem.nodes);
}

/* Which partial sums of a block leave a node. */
static bool leaves(int part, int64_t rank, int64_t block)
{
	return part == LOW ? block > 0 : rank >= block;
}

static struct ls_slice sum(int64_t number, int part)
{
	return ls_one(LS_SCRATCH, 2 * number + part);
}

/* The block is the node's own: LOW and HIGH meet. */
static void finish(int64_t rank, bool low, bool high, struct ls_step *step)
{
	const struct ls_slice output = ls_one(LS_OUTPUT, 0), input = ls_one(LS_INPUT, rank);

	if (high)
		ls_step_combine(step, output, input, ls_one(LS_ARRIVAL, low));
	if (low)
		ls_step_combine(step, output, ls_one(LS_ARRIVAL, 0), high ? output : input);
}

static void add(int64_t rank, int64_t number, int64_t block, bool low, bool high,
	struct ls_step *step)
{
	const struct ls_slice input = ls_one(LS_INPUT, block);

	if (rank < block) {
		ls_step_combine(step, sum(number, LOW), input, ls_one(LS_ARRIVAL, 0));
		return;
	}
	if (low)
		ls_step_copy(step, sum(number, LOW), ls_one(LS_ARRIVAL, 0));
	if (high)
		ls_step_combine(step, sum(number, HIGH), input, ls_one(LS_ARRIVAL, low));
	else
		ls_step_copy(step, sum(number, HIGH), input);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes, above = ls_wrap(rank + 1, p);
	const int64_t sent = rank + 1 + round, got = sent + 1;
	const bool low = leaves(LOW, above, got % p), high = leaves(HIGH, above, got % p);

	if (round == 0) {
		ls_step_send(step, ls_one(LS_INPUT, sent % p));
	} else {
		const bool sends_low = leaves(LOW, rank, sent % p);
		const bool sends_high = leaves(HIGH, rank, sent % p);

		ls_step_send(step, ls_blocks(LS_SCRATCH, 2 * sent + (sends_low ? LOW : HIGH),
			sends_low + sends_high));
	}
	ls_step_receive(step, low + high);
	if (round == p - 2)
		finish(rank, low, high, step);
	else
		add(rank, got, got % p, low, high, step);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, m = (int64_t)n, messages = ls_mul(p, p - 1);
	/* Of the messages of round t = 1 .. p - 2, t hold two blocks. */
	const int64_t blocks = ls_add(messages,
		p % 2 ? ls_mul(p - 2, (p - 1) / 2) : ls_mul((p - 2) / 2, p - 1));

	return (struct ls_counts){ p - 1, messages, ls_mul(blocks, m), ls_mul(2 * p - 3, m) };
}

const struct ls_algorithm ls_reduce_scatter_ordered_ring = {
	.operations = LS_FOR(LS_REDUCE_SCATTER),
	.name = "ordered-ring",
	.networks = "ring:P complete:P; any in routed mode",
	.rounds = "p - 1",
	.bound = "diameter, ceil(log2 p)",
	.source = "this project",
	.claim = LS_ORDERED,
	.nodup = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
