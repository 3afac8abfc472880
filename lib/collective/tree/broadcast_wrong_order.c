/*
 * Broadcast by recursive doubling on a line or ring with the nearest peers first.
 *
 * In round i (from 1) all nodes less than 2^(i-1) ranks above the root send 2^(i-1) ranks further:
 *
 *   round 3, root 0     0 -> 4, 1 -> 5, 2 -> 6, 3 -> 7: all cross the link 3 - 4
 *
 * So the messages of a round share a link.  The other order (broadcast_binomial.c) shares none.
 *
 *   rounds     ceil(log2 p)
 *   messages   p - 1, of m words
 *   cost       t_s ceil(log2 p) + t_w m (p - 1): up to 2^(i-1) messages on one link in round i
 *   requires   routed mode, linear array or ring
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1: why the farthest comes first
 */
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"
#include "collective/tree/reversal.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_ROUTED && ls_topology_dims(problem->topology) == 1;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_log2_ceil(problem->nodes), .blocks = 1 };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t p = plan->problem.nodes, root = plan->problem.root;
	const int64_t far = (int64_t)1 << round, above = lsi_wrap(rank - root, p);

	if (above < far && above + far < p)
		out->to[0] = lsi_wrap(rank + far, p);
	else if (above >= far && above < 2 * far)
		out->from[0] = lsi_wrap(rank - far, p);
}

static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const int64_t p = plan->problem.nodes, above = lsi_wrap(rank - plan->problem.root, p);
	const int round = above > 0 ? lsi_log2_floor(above) : -1;

	if (round < 0)
		return (struct lsi_receive_at){ -1, LS_NO_RANK };
	return (struct lsi_receive_at){ round, lsi_wrap(rank - ((int64_t)1 << round), p) };
}

static const struct lsi_single_tree tree = { receives, lsi_reversal_round_of,
	lsi_broadcast_edge_shape };

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int64_t informed = 1; informed < problem->nodes; informed *= 2)
		rounds++;
	return lsi_broadcast_counts(problem, rounds, n);
}

static const struct lsi_whole_machine whole = { .tree = &tree };

const struct lsi_algorithm lsi_broadcast_wrong_order = {
	.operations = LSI_FOR(LS_BROADCAST),
	.name = "wrong-order",
	.networks = "linear:P ring:P in routed mode",
	.rounds = "ceil(log2 p)",
	.bound = "ceil(log2 p) with one port",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1: why the farthest comes first",
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.teaching = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
