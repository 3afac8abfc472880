/*
 * Broadcast by a pipeline of neighbors: on a line or ring in both directions from the root
 * (`pipeline`), on a mesh or torus dimension by dimension, the root's row first, then all columns
 * at once (`dimension`).  See chains.h for the rounds.
 *
 *   rounds     line: max(a, b), one more if a = b; a and b nodes on each side of the root; ring:
 *              ceil(s/2); two ports: max(a, b) and ceil((s - 1)/2); grids: the sum over the
 *              dimensions
 *   messages   p - 1, of m words, each over one link
 *   cost       (t_s + t_w m) rounds
 *   requires   a grid of any sides
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1, hop by hop
 */
#include "collective/line/chains.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (
		struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_chains_rounds), .blocks = 1 };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, lsi_chains_rounds, round);
	const struct lsi_chains chains = lsi_chains_of(&plan->problem, phase.axis);

	if (lsi_axis_same_after(phase.axis, rank, plan->problem.root))
		lsi_chains_peers(&chains, phase.axis, rank, phase.round, out);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int d = 0; d < ls_topology_dims(problem->topology); d++)
		rounds += lsi_chains_rounds_predicted(problem, d);
	return lsi_broadcast_counts(problem, rounds, n);
}

#define COMMON \
	.operations = LSI_FOR(LS_BROADCAST), .claim = LS_MOVE, .identical = true, .nodup = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1, hop by hop", .frame = frame, \
	.peers = peers, .shape = lsi_broadcast_shape, .body = lsi_broadcast_body, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_broadcast_pipeline = { COMMON, LSI_CHAINS_ON_LINE };

const struct lsi_algorithm lsi_broadcast_dimension = { COMMON, LSI_CHAINS_ON_GRID };
