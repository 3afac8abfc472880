/*
 * Reduction by recursive halving: the broadcast by recursive doubling in reverse time order.
 *
 * Neighboring intervals of ranks are combined in rank order, the nearest peers first (Figure 4.3).
 * On a mesh or torus all rows come first, then the root's column.  On a hypercube the lowest
 * dimension comes first (Algorithm 4.3).  Any root and any number of nodes are possible.
 *
 *   rounds     sum over all sides s: ceil(log2 s); a network that is not a grid has one side p
 *   messages   p - 1, of m words
 *   cost       (t_s + t_w m) rounds   (equation 4.1 if p is a power of two)
 *   memory     one block; none at the root
 *   requires   routed mode, or a hypercube or complete network; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1
 */
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/binomial.h"
#include "collective/tree/reversal.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_binomial_levels),
		.blocks = 1,
		.scratch = { { 1, 1 } } };
}

/* *first: the node has combined nothing in earlier rounds. */
static struct lsi_binomial meeting_at(
	const struct lsi_problem *problem, int64_t rank, int64_t round, bool *first)
{
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_binomial_levels, round);
	struct lsi_binomial meeting = { LSI_BINOMIAL_IDLE, LS_NO_RANK, 1 };

	if (lsi_axis_same_before(phase.axis, rank, problem->root))
		meeting = lsi_binomial_at(problem, phase.axis, rank, (int64_t)1 << phase.round);
	*first = lsi_axis_is_first(phase.axis) && meeting.held == 1;
	return meeting;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	bool first;
	const struct lsi_binomial meeting = meeting_at(&plan->problem, rank, round, &first);

	if (meeting.role == LSI_BINOMIAL_PARTNER)
		out->to[0] = meeting.peer;
	else
		out->from[0] = meeting.peer;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	bool first;
	const struct lsi_binomial meeting = meeting_at(&plan->problem, rank, round, &first);

	if (meeting.role == LSI_BINOMIAL_IDLE)
		return 0;
	return (rank == plan->problem.root ? LSI_REDUCE_ROOT : 0) | (first ? 0 : LSI_REDUCE_HELD)
		| (meeting.role == LSI_BINOMIAL_PARTNER ? LSI_REDUCE_SENDS : LSI_REDUCE_RECEIVES)
		| (meeting.peer > rank ? LSI_REDUCE_ABOVE : 0);
}

/*
 * The parent of a node, and the round in which the node receives from it in the mirrored broadcast.
 * The edge lies on the axis of the first phase in which the node's coordinate differs from the
 * root's.
 */
static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const struct lsi_problem *problem = &plan->problem;
	struct lsi_receive_at receipt = { -1, LS_NO_RANK };
	struct lsi_axis axis = { 1, 1 };
	int64_t begin = 0;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0 && receipt.round < 0; d--) {
		axis = lsi_axis_next(problem, axis, d);
		if (lsi_axis_coordinate(axis, rank) != lsi_axis_coordinate(axis, problem->root))
			receipt.round = plan->frame.rounds - 1 - begin
				- lsi_binomial_receive_level(problem, axis, rank, &receipt.from);
		begin += lsi_binomial_levels(problem, axis);
	}
	return receipt;
}

static int64_t edge_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	(void)round;
	if (edge.peer == LS_NO_RANK)
		return 0;
	return (rank == plan->problem.root ? LSI_REDUCE_ROOT : 0) | (edge.last ? 0 : LSI_REDUCE_HELD)
		| (edge.up ? LSI_REDUCE_SENDS : LSI_REDUCE_RECEIVES)
		| (edge.peer > rank ? LSI_REDUCE_ABOVE : 0);
}

static const struct lsi_single_tree tree = { receives, lsi_reversal_round_of, edge_shape };

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t messages = problem->nodes - 1;
	int64_t rounds = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++)
		rounds += lsi_log2_ceil(lsi_axis_side(problem->topology, d));
	return lsi_equal_counts(rounds, messages, n);
}

static const struct lsi_whole_machine whole = { .tree = &tree, .window = lsi_reduce_window };

const struct lsi_algorithm lsi_reduce_binomial = {
	.operations = LSI_FOR(LS_REDUCE),
	.name = "binomial",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "sum over all sides s: ceil(log2 s)",
	.bound = "ceil(log2 p) with one port",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.3, Problem 4.1",
	.claim = LS_ORDERED,
	.identical = true,
	.nodup = true,
	.supports = lsi_reaches_across_bits,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = lsi_reduce_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
