/*
 * All-to-all on Cayley graphs with one block per message.
 *
 * The block from u to u.g follows the links that lead from the identity to g.  All nodes send the
 * blocks of one displacement g at the same time, one g after another.  In a round all use the same
 * link, so each node also receives one block and holds at most one in transit.
 *
 *   rounds     the sum of the distances from a node to all others: 1, 9, 62, 442, 3444 for
 *              star:2..6; ring floor(p^2/4); hypercube p/2 log2 p
 *   cost       (t_s + t_w m) rounds; with one block per message no algorithm takes fewer rounds or
 *              sends fewer words
 *   memory     two blocks; a table of 12 bytes per round; in place a copy of INPUT
 *   requires   a network that is a group, but not complete: pairwise exchange serves that
 *   source     V. V. Dimakopoulos, N. J. Dimopoulos, "Optimal total exchange in Cayley graphs",
 *              IEEE Trans. Parallel Distrib. Syst. 12(11), 2001
 */
#include "base/alloc.h"
#include "collective/algorithm.h"
#include "collective/distance_sum.h"
#include "collective/round_bound.h"

enum { MOST_ROUNDS = 1 << 24 };
enum { TRANSIT = LS_SCRATCH, HOME };

/* One round of all nodes: a hop of the blocks with displacement `type`. */
struct hop {
	int32_t type, link;
	bool is_first, is_last;
};

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_HOP && lsi_topology_is_group(t) && lsi_topology_is_direct(t)
		&& !lsi_topology_is(t, &lsi_network_complete)
		&& lsi_mul_sat(t->nodes, ls_topology_diameter(t)) <= MOST_ROUNDS;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct lsi_frame){
		.blocks = p,
		.has_prologue = problem->in_place,
		.scratch = { { 2, 1 }, { problem->in_place ? p : 0, 1 } },
	};
}

/* Append the hops of a type to the table, if there is one; returns their number. */
static int64_t list(const struct ls_topology *t, int64_t type, struct hop *table)
{
	struct lsi_route route = lsi_route_begin(0, type);
	int64_t hops = 0;

	for (; lsi_route_hop(t, &route); hops++)
		if (table)
			table[hops] =
				(struct hop){ (int32_t)type, (int32_t)route.link, hops == 0, route.at == type };
	return hops;
}

static int prepare(struct ls_plan *plan)
{
	const struct ls_topology *t = plan->problem.topology;
	int64_t rounds = 0;
	struct hop *table;

	for (int64_t type = 1; type < t->nodes; type++)
		rounds += list(t, type, NULL);
	table = lsi_alloc((size_t)rounds * sizeof *table);
	if (!table)
		return LS_ERR_MEMORY;
	plan->table = table;
	plan->frame.rounds = rounds;
	for (int64_t type = 1; type < t->nodes; type++)
		table += list(t, type, table);
	return LS_OK;
}

static const struct hop *hop_of(const struct ls_plan *plan, int64_t round)
{
	return (const struct hop *)plan->table + round;
}

/* Link l leads from u to u.x, and its reverse from u to u.x^-1. */
static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t link = hop_of(plan, round)->link;

	out->to[0] = ls_neighbor(t, rank, link);
	out->from[0] = ls_neighbor(t, rank, ls_reverse(t, 0, link));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(HOME, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}

	const struct hop *hop = hop_of(plan, round);
	const int home = plan->problem.in_place ? HOME : LS_INPUT;
	struct ls_slice sent = lsi_block(TRANSIT, round % 2), got = lsi_block(TRANSIT, (round + 1) % 2);

	if (hop->is_first)
		sent = lsi_block(home, t->network->product(t, rank, hop->type));
	if (hop->is_last)
		got = lsi_block(LS_OUTPUT, t->network->product(t, rank, t->network->inverse(t, hop->type)));
	lsi_step_send(step, sent);
	lsi_step_receive(step, 1);
	lsi_step_copy(step, got, lsi_arrival(step));
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_distance_sum(problem->topology);
	const int64_t messages = lsi_mul_sat(rounds, problem->nodes);

	return lsi_equal_counts(rounds, messages, n);
}

const struct lsi_algorithm lsi_alltoall_translation = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "parcels",
	.networks = "star pancake bubblesort ring torus hypercube, and products of these",
	.rounds = "sum of the distances from one node to all others",
	.bound = LSI_ROUND_BOUND "; with one block per message ceil(rounds / ports)",
	.source = "Dimakopoulos, Dimopoulos 2001",
	.claim = LS_MOVE,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.prepare = prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
