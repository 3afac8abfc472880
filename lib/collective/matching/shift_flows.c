/*
 * Circular shift in few rounds on any network without switches, along paths that state the round of
 * each hop (timed_paths.h).
 *
 *   flows       one block per message
 *   combining   blocks that cross a link in the same round are one message
 *
 *   rounds     length of the schedule, for which there is no formula; at least the longest
 *              distance, and at most that of parcels
 *   cost       flows: rounds (t_s + t_w m); combining: rounds t_s + volume t_w
 *   memory     slots for blocks in transit; 32 bytes per hop and shift with the topology
 *   requires   hop mode, at most 128 nodes: a search then takes some hundredths of a second
 *   source     negotiated congestion, after PathFinder: McMurchie, Ebeling 1995
 */
#include "collective/direct/combined_packets.h"
#include "collective/direct/single_packets.h"
#include "collective/matching/timed_paths.h"
#include "collective/shift_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& problem->nodes <= LSI_TIMED_NODES;
}

/* Every round has a message. */
static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	return lsi_equal_counts(lsi_shift_bound(problem), 0, n);
}

/* ---- One block per message */

static int prepare(struct ls_plan *plan)
{
	return lsi_single_prepare_with(plan, lsi_timed_packets(&plan->problem, false));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_counts(lsi_timed_packets(problem, false), n);
}

/* ---- Several */

static int combining_prepare(struct ls_plan *plan)
{
	return lsi_combined_prepare_kept(plan, lsi_timed_packets(&plan->problem, true));
}

static struct ls_counts combining_predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_counts(lsi_timed_packets(problem, true), n);
}

#define COMMON \
	.operations = LSI_FOR(LS_SHIFT), .networks = "any network without switches, in hop mode", \
	.rounds = "length of a schedule of paths in time, found with prices on ports in use", \
	.bound = "longest distance", \
	.source = "negotiated congestion, after PathFinder: McMurchie, Ebeling 1995", \
	.claim = LS_MOVE, .identical = true, .general = true, .supports = supports, \
	.predict_least = predict_least, .lower_bound = lsi_shift_bound

const struct lsi_algorithm lsi_shift_flows = {
	COMMON,
	.name = "flows",
	.frame = lsi_single_frame,
	.prepare = prepare,
	.release = lsi_release_kept,
	.peers = lsi_single_peers,
	.body = lsi_single_body,
	.predict = predict,
	.whole = &lsi_single_whole,
};

const struct lsi_algorithm lsi_shift_combining = {
	COMMON,
	.name = "combining",
	.frame = lsi_combined_frame,
	.prepare = combining_prepare,
	.release = lsi_combined_release,
	.peers = lsi_combined_peers,
	.body = lsi_combined_body,
	.predict = combining_predict,
	.whole = &lsi_combined_whole,
};
