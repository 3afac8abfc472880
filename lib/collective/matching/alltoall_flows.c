/*
 * All-to-all of long blocks, on any network without switches: one block per message, along paths
 * that spread the load over all ports (flow_rounds.h).
 *
 *   rounds     length of the schedule, for which there is no formula; at least the blocks that the
 *              busiest port must carry
 *   traffic    one message per hop of a block
 *   cost       rounds (t_s + t_w m)
 *   memory     slots for blocks in transit; 32 bytes per hop with the topology
 *   requires   hop mode, at most 128 nodes: the search then takes at most half a second
 *   source     this project: prices as in PathFinder, McMurchie, Ebeling 1995; largest matchings
 */
#include "collective/direct/single_packets.h"
#include "collective/matching/flow_paths.h"
#include "collective/matching/flow_rounds.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& problem->nodes <= LSI_FLOW_NODES;
}

static int prepare(struct ls_plan *plan)
{
	return lsi_single_prepare_with(plan, lsi_flow_packets(plan->problem.topology));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_counts(lsi_flow_packets(problem->topology), n);
}

/* No path is shorter than the distance. */
static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	const int64_t hops = lsi_packets_distance_sum(problem);

	return lsi_equal_counts((hops + problem->nodes - 1) / problem->nodes, hops, n);
}

const struct lsi_algorithm lsi_alltoall_flows = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "flows",
	.networks = "any network without switches, in hop mode",
	.rounds = "length of a schedule of largest matchings, one block per message",
	.bound = LSI_ROUND_BOUND "; with one block per message the load of the busiest port",
	.source = "this project: prices as in PathFinder, McMurchie, Ebeling 1995; largest matchings",
	.claim = LS_MOVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = lsi_single_frame,
	.prepare = prepare,
	.release = lsi_release_kept,
	.peers = lsi_single_peers,
	.body = lsi_single_body,
	.predict = predict,
	.predict_least = predict_least,
	.lower_bound = lsi_round_lower_bound,
	.whole = &lsi_single_whole,
};
