/*
 * Broadcast by recursive doubling: the nodes with the vector double in every round (binomial.h).
 *
 * Intervals of ranks are halved, and the most distant peers come first.  So no two messages share a
 * link of a line or ring (Figure 4.2).  On a mesh or torus the root's row comes first, then all
 * columns at once (Figure 4.5).  On a hypercube the highest dimension comes first (Algorithms 4.1,
 * 4.2).  Any root and any number of nodes are possible (Problem 4.1): empty blocks are omitted.
 *
 *   rounds     sum over all sides s: ceil(log2 s); a network that is not a grid has one side p
 *   messages   p - 1, of m words
 *   cost       (t_s + t_w m) rounds   (equation 4.1 if p is a power of two)
 *   requires   routed mode, or a hypercube or complete network
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1
 */
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/binomial.h"
#include "collective/tree/broadcast_tree.h"
#include "collective/tree/reversal.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (
		struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_binomial_levels), .blocks = 1 };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_binomial_levels, round);
	const int64_t half = (int64_t)1 << (lsi_log2_ceil(phase.axis.side) - 1 - phase.round);

	if (!lsi_axis_same_after(phase.axis, rank, problem->root))
		return;

	const struct lsi_binomial meeting = lsi_binomial_at(problem, phase.axis, rank, half);

	if (meeting.role == LSI_BINOMIAL_LEADER)
		out->to[0] = meeting.peer;
	else
		out->from[0] = meeting.peer;
}

/* A node receives on the last phase's axis among those where it differs from the root. */
static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const struct lsi_problem *problem = &plan->problem;
	struct lsi_receive_at receipt = { -1, LS_NO_RANK };
	struct lsi_axis axis = { 1, 1 };
	int64_t end = 0;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		axis = lsi_axis_next(problem, axis, d);
		end += lsi_binomial_levels(problem, axis);
		if (lsi_axis_coordinate(axis, rank) != lsi_axis_coordinate(axis, problem->root))
			receipt.round =
				end - 1 - lsi_binomial_receive_level(problem, axis, rank, &receipt.from);
	}
	return receipt;
}

static const struct lsi_single_tree tree = { receives, lsi_reversal_round_of,
	lsi_broadcast_edge_shape };

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++)
		rounds += lsi_log2_ceil(lsi_axis_side(problem->topology, d));
	return lsi_broadcast_counts(problem, rounds, n);
}

static const struct lsi_whole_machine whole = { .tree = &tree };

const struct lsi_algorithm lsi_broadcast_binomial = {
	.operations = LSI_FOR(LS_BROADCAST),
	.name = "binomial",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "sum over all sides s: ceil(log2 s)",
	.bound = "ceil(log2 p) with one port",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.1 and 4.2, Problem 4.1",
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.supports = lsi_reaches_across_bits,
	.frame = frame,
	.peers = peers,
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
