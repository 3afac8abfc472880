/*
 * All-to-all on any network without switches, with combined messages (packets.h).
 *
 * Every block takes a shortest path.  A message carries all blocks that wait for its link.  Blocks
 * wait in slots; at first the block for node d is in slot d.  So a message comes from one buffer.
 *
 *   rounds     length of the greedy schedule, for which there is no formula; at least the diameter
 *   words      m times the sum of the distances, the least of any algorithm
 *   cost       rounds t_s + volume t_w; the schedule also gives the volume
 *   memory     p slots and slots for blocks in transit; tables of 48 bytes per hop of a block
 *   requires   hop mode; every vertex of the network is a node
 *   source     this project: most hops left first
 */
#include "collective/direct/combined_packets.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& lsi_packets_fit(problem);
}

static int prepare(struct ls_plan *plan)
{
	return lsi_combined_prepare_with(plan, lsi_packets_make(&plan->problem, true));
}

/* There is no formula, so this makes the schedule again. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_predict_with(lsi_packets_make(problem, true), n);
}

const struct lsi_algorithm lsi_alltoall_combining = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "combining",
	.networks = "any network without switches, in hop mode",
	.rounds = "length of a greedy schedule in which the block with the most hops left goes first",
	.bound = LSI_ROUND_BOUND,
	.source = "this project: greedy schedule, most hops left first",
	.claim = LS_MOVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = lsi_combined_frame,
	.prepare = prepare,
	.release = lsi_combined_release,
	.peers = lsi_combined_peers,
	.body = lsi_combined_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &lsi_combined_whole,
};
