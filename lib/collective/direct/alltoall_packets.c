/*
 * All-to-all and circular shift on any network without switches by store-and-forward packets
 * (packets.h): one block per message.
 *
 *   rounds     length of the greedy schedule, for which there is no formula: at least D/p and at
 *              most D, the sum of the distances of all blocks
 *   messages   D: one per hop of a block
 *   cost       (t_s + t_w m) rounds
 *   memory     a table of 32 bytes per message; slots for blocks in transit; in place a copy of the
 *              blocks to send
 *   requires   hop mode; every vertex of the network is a node; all-to-all: not a group, for those
 *              see alltoall_translation.c
 *   source     this project: most hops left first
 */
#include "collective/direct/single_packets.h"
#include "collective/round_bound.h"

static bool is_shift(const struct lsi_problem *problem)
{
	return problem->operation == LS_SHIFT;
}

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_HOP && lsi_topology_is_direct(t)
		&& (is_shift(problem) || !lsi_topology_is_group(t)) && lsi_packets_fit(problem);
}

static int prepare(struct ls_plan *plan)
{
	return lsi_single_prepare_with(plan, lsi_packets_make(&plan->problem, false));
}

/* There is no formula for the rounds, so this makes the schedule again. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_predict_with(lsi_packets_make(problem, false), n);
}

const struct lsi_algorithm lsi_alltoall_packets = {
	.operations = LSI_FOR(LS_ALLTOALL) | LSI_FOR(LS_SHIFT),
	.name = "parcels",
	.networks = "any network without switches, in hop mode",
	.rounds = "length of a greedy schedule in which the block with the most hops left goes first",
	.bound =
		"alltoall: " LSI_ROUND_BOUND "; with one block per message sum of distances / (p ports). "
		"shift: longest distance",
	.source = "this project: greedy schedule, most hops left first",
	.claim = LS_MOVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = lsi_single_frame,
	.prepare = prepare,
	.peers = lsi_single_peers,
	.body = lsi_single_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &lsi_single_whole,
};
