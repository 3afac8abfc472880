/*
 * Scatter and gather by recursive halving: in every round a node with blocks sends half of them.
 *
 * Intervals of ranks are halved as in broadcast_binomial.c.  On a mesh or torus the first dimension
 * comes first, so a node always has a contiguous range of ranks and blocks keep their numbers.  If
 * the number of nodes is not a power of two, the root is in the larger part: if it is in the upper
 * half, intervals are counted from the other end.  Gather is the scatter in reverse time order.
 *
 *   rounds     sum over all sides s: ceil(log2 s); a network that is not a grid has one side p
 *   messages   p - 1; the sum over the rounds of the longest message is p - 1 blocks of m words
 *   cost       t_s rounds + t_w m (p - 1)
 *   memory     one block per node of the subtree
 *   requires   routed mode, or a hypercube or complete network
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.4
 */
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/binomial.h"
#include "collective/tree/scatter_tree.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_binomial_levels),
		.blocks = problem->nodes,
		.scratch = { { problem->nodes, 1 } } };
}

/* An axis, mirrored if the root is in its upper half. */
struct view {
	struct lsi_axis axis;
	bool mirrored;
};

static struct view view_of(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const int64_t upper = (int64_t)1 << (lsi_log2_ceil(axis.side) - 1);

	return (struct view){ axis, lsi_axis_coordinate(axis, problem->root) >= upper };
}

static int64_t seen(struct view view, int64_t rank)
{
	const int64_t at = lsi_axis_coordinate(view.axis, rank);

	return view.mirrored ? lsi_axis_node(view.axis, rank, view.axis.side - 1 - at) : rank;
}

/* The blocks of the interval of `half` coordinates that contains a node. */
static struct ls_slice block_of(struct view view, int64_t rank, int64_t half)
{
	const struct lsi_axis axis = view.axis;
	const int64_t at = lsi_axis_coordinate(axis, seen(view, rank)) / half * half;
	const int64_t held = axis.side - at < half ? axis.side - at : half;
	const int64_t lowest = view.mirrored ? axis.side - at - held : at;
	const int64_t line = rank - rank % (axis.side * axis.stride);

	return lsi_blocks(LS_SCRATCH, line + lowest * axis.stride, held * axis.stride);
}

static struct lsi_subtree_message message_of(
	const struct ls_plan *plan, int64_t rank, int64_t broadcast_round)
{
	struct lsi_problem problem = plan->problem;
	const struct lsi_axis_phase phase =
		lsi_phase_at(&problem, lsi_binomial_levels, plan->frame.rounds - 1 - broadcast_round);
	const struct view view = view_of(&problem, phase.axis);
	const int64_t half = (int64_t)1 << phase.round;
	struct lsi_subtree_message message = { .edge = { .peer = LS_NO_RANK }, .own = rank };

	if (!lsi_axis_same_before(phase.axis, rank, problem.root))
		return message;
	problem.root = seen(view, problem.root);

	const struct lsi_binomial meeting =
		lsi_binomial_at(&problem, phase.axis, seen(view, rank), half);

	if (meeting.role == LSI_BINOMIAL_IDLE)
		return message;
	message.edge.peer = seen(view, meeting.peer);
	message.edge.up = meeting.role == LSI_BINOMIAL_PARTNER;
	message.edge.last = meeting.held * phase.axis.stride == 1;
	message.blocks = block_of(view, message.edge.up ? rank : message.edge.peer, half);
	return message;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_subtree_message message =
		message_of(plan, rank, lsi_reversal_round(plan, round));

	lsi_reversal_peers(plan, round, message.edge, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_subtree_message message =
		message_of(plan, rank, lsi_reversal_round(plan, round));

	lsi_subtree_body(plan, rank, &message, step);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	(void)k;
	for (int64_t broadcast_round = 0;
		 broadcast_round < plan->frame.rounds && rank != plan->problem.root; broadcast_round++) {
		const struct lsi_subtree_message message = message_of(plan, rank, broadcast_round);

		if (message.edge.up && message.blocks.run > 1)
			return (struct lsi_window){ message.blocks.first, message.blocks.run };
	}
	return (struct lsi_window){ 0, 0 };
}

/* The coordinates that all messages along a line carry; `at` is the root's, from the nearer end. */
static int64_t carried(int64_t side, int64_t at)
{
	int64_t sum = 0;

	while (side > 1) {
		const int levels = lsi_log2_ceil(side) - 1;
		const int64_t half = (int64_t)1 << levels, rest = side - half;

		sum = lsi_add_sat(sum, lsi_add_sat(lsi_mul_sat(levels, half / 2), at < half ? rest : half));
		if (at >= half)
			at -= half;
		else if (at >= rest)
			at = rest - 1;
		side = rest;
	}
	return sum;
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, m = (int64_t)n;
	struct ls_counts counts = { .messages = p - 1, .volume = lsi_mul_sat(p - 1, m) };
	int64_t lines = 1;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);
		const int64_t levels = lsi_log2_ceil(side);
		const int64_t stride = p / lines / side;
		const int64_t at = problem->root / stride % side;
		const bool upper = 2 * at >= (int64_t)1 << levels;

		counts.rounds += levels;
		counts.words = lsi_add_sat(
			counts.words, lsi_mul_sat(lines * stride, carried(side, upper ? side - 1 - at : at)));
		lines *= side;
	}
	counts.words = lsi_mul_sat(counts.words, m);
	return counts;
}

static const struct lsi_whole_machine whole = { .window = window };

#define COMMON \
	.name = "binomial", .networks = "hypercube:D complete:P; any in routed mode", \
	.rounds = "sum over all sides s: ceil(log2 s)", .bound = "ceil(log2 p) with one port", \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.4", .claim = LS_MOVE, .nodup = true, \
	.supports = lsi_reaches_across_bits, .frame = frame, .peers = peers, .body = body, \
	.whole = &whole, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_scatter_binomial = { COMMON, .operations = LSI_FOR(LS_SCATTER) };

const struct lsi_algorithm lsi_gather_binomial = { COMMON, .operations = LSI_FOR(LS_GATHER) };
