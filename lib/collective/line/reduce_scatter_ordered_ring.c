/*
 * Reduce-scatter around a ring in rank order.
 *
 * Block b starts at node b - 1, moves down and gains one operand per hop, until it is complete at
 * node b.  Beyond the link from node 0 to the last node it has two partial sums, which move in one
 * message:
 *
 *   block 2 of 5     node 1     0          4          3          2
 *   LOW              1          0+1        0+1        0+1        LOW + HIGH
 *   HIGH                                   4          3+4        2+3+4
 *
 * LOW is the sum of the ranks 0 .. b-1, and HIGH grows from the last rank down to b.
 *
 *   rounds     p - 1
 *   messages   p (p - 1), of m words or 2 m: m (p - 1)(3 p - 2)/2 in total
 *   cost       t_s (p - 1) + t_w m (2 p - 3)
 *   memory     four blocks
 *   requires   hop mode: ring, complete network; routed mode: any topology, in rank order; any
 *              associative operator
 *   source     this project, after Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.5
 */
#include "collective/axis.h"
#include "collective/round_bound.h"

enum { LOW, HIGH };

/* Block numbers run on beyond p, up to 4 p, so that consecutive ones are in different slots. */
static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->nodes <= LS_NODES_MAX / 4
		&& (problem->mode == LS_ROUTED
			|| (lsi_axes_closed(t) && lsi_axis_longest(t) == problem->nodes));
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame f = { .rounds = problem->nodes - 1, .blocks = problem->nodes };

	if (problem->nodes > 2)
		f.scratch[0] = (struct lsi_scratch){ 4, 2 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	(void)round;
	out->to[0] = lsi_wrap(rank - 1, plan->problem.nodes);
	out->from[0] = lsi_wrap(rank + 1, plan->problem.nodes);
}

/* Whether a partial sum of a block leaves a node. */
static bool leaves(int part, int64_t rank, int64_t block)
{
	return part == LOW ? block > 0 : rank >= block;
}

static struct ls_slice sum(int64_t number, int part)
{
	return lsi_block(LS_SCRATCH, 2 * number + part);
}

/* The node's own block: LOW and HIGH meet. */
static void finish(int64_t rank, bool low, bool high, struct ls_step *step)
{
	const struct ls_slice output = lsi_block(LS_OUTPUT, 0), input = lsi_block(LS_INPUT, rank);

	if (high)
		lsi_step_combine(step, output, input, lsi_block(LS_ARRIVAL, low));
	if (low)
		lsi_step_combine(step, output, lsi_block(LS_ARRIVAL, 0), high ? output : input);
}

static void add(
	int64_t rank, int64_t number, int64_t block, bool low, bool high, struct ls_step *step)
{
	const struct ls_slice input = lsi_block(LS_INPUT, block);

	if (rank < block) {
		lsi_step_combine(step, sum(number, LOW), input, lsi_block(LS_ARRIVAL, 0));
		return;
	}
	if (low)
		lsi_step_copy(step, sum(number, LOW), lsi_block(LS_ARRIVAL, 0));
	if (high)
		lsi_step_combine(step, sum(number, HIGH), input, lsi_block(LS_ARRIVAL, low));
	else
		lsi_step_copy(step, sum(number, HIGH), input);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes, above = lsi_wrap(rank + 1, p);
	const int64_t sent = rank + 1 + round, got = sent + 1;
	const bool low = leaves(LOW, above, got % p), high = leaves(HIGH, above, got % p);

	if (round == 0) {
		lsi_step_send(step, lsi_block(LS_INPUT, sent % p));
	} else {
		const bool sends_low = leaves(LOW, rank, sent % p);
		const bool sends_high = leaves(HIGH, rank, sent % p);

		lsi_step_send(step,
			lsi_blocks(LS_SCRATCH, 2 * sent + (sends_low ? LOW : HIGH), sends_low + sends_high));
	}
	lsi_step_receive(step, low + high);
	if (round == p - 2)
		finish(rank, low, high, step);
	else
		add(rank, got, got % p, low, high, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, m = (int64_t)n, messages = lsi_mul_sat(p, p - 1);
	/* Of the messages of round t = 1 .. p - 2, t have two blocks. */
	const int64_t blocks = lsi_add_sat(
		messages, p % 2 ? lsi_mul_sat(p - 2, (p - 1) / 2) : lsi_mul_sat((p - 2) / 2, p - 1));

	return (struct ls_counts){ p - 1, messages, lsi_mul_sat(blocks, m), lsi_mul_sat(2 * p - 3, m) };
}

const struct lsi_algorithm lsi_reduce_scatter_ordered_ring = {
	.operations = LSI_FOR(LS_REDUCE_SCATTER),
	.name = "ordered-ring",
	.networks = "ring:P complete:P; any in routed mode",
	.rounds = "p - 1",
	.bound = LSI_ROUND_BOUND,
	.source = "this project",
	.claim = LS_ORDERED,
	.nodup = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
