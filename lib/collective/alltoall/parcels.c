/*
 * All-to-all and circular shift on any network, one block a message (collective/parcels.h).
 *
 *   rounds     those of a greedy schedule, which no formula gives: between the sum of all distances
 *              over p and, for the all-to-all, p times the sum
 *   messages   the sum of the distances: every hop of every block
 *   cost       (t_s + t_w m) rounds
 *   memory     a table of 32 bytes for each message; slots for the blocks in transit; in place a
 *              copy of what is sent
 *   requires   every vertex a node; all-to-all: no group, for which translation.c knows the rounds
 *   source     this project: farthest to go first
 */
#include "base/alloc.h"
#include "collective/parcels.h"
#include "collective/shift/bound.h"

enum { TRANSIT = LS_SCRATCH, HOME };

static bool is_shift(const struct ls_problem *problem)
{
	return problem->operation == LS_SHIFT;
}

static bool supports(const struct ls_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_HOP && ls_topology_is_direct(t)
		&& (is_shift(problem) || !ls_topology_is_group(t)) && ls_parcels_fit(problem);
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t blocks = is_shift(problem) ? 1 : problem->nodes;

	return (struct ls_frame){
		.blocks = blocks,
		.lead = problem->in_place || (is_shift(problem) && problem->shift == 0),
		.scratch[HOME - LS_SCRATCH] = { problem->in_place ? blocks : 0, 1 },
	};
}

static int prepare(struct ls_plan *plan)
{
	struct ls_parcels *parcels = ls_parcels_make(&plan->problem, false);

	if (!parcels)
		return LS_ERR_MEMORY;
	plan->table = parcels;
	plan->frame.rounds = parcels->rounds;
	plan->frame.scratch[TRANSIT - LS_SCRATCH] = (struct ls_scratch){ parcels->slots, 1 };
	return LS_OK;
}

static struct ls_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct ls_parcels *parcels = plan->table;

	if (k != TRANSIT - LS_SCRATCH)
		return (struct ls_window){ 0, plan->frame.scratch[k].slots };
	return (struct ls_window){ 0, parcels->used[rank] };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_hop *sent = ls_parcels_sent(plan->table, rank, round).hop;
	const struct ls_hop *received = ls_parcels_received(plan->table, rank, round).hop;

	if (sent)
		out->to[0] = sent->to;
	if (received)
		out->from[0] = received->from;
}

/* Where a node has a parcel of its own, and where it puts one that is for it. */
static struct ls_slice home(const struct ls_problem *problem, int64_t parcel)
{
	return ls_one(problem->in_place ? HOME : LS_INPUT,
		is_shift(problem) ? 0 : parcel % problem->nodes);
}

static struct ls_slice destination(const struct ls_problem *problem, int64_t parcel)
{
	return ls_one(LS_OUTPUT, is_shift(problem) ? 0 : parcel / problem->nodes);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_problem *problem = &plan->problem;
	const struct ls_hop *sent = NULL, *received = NULL;

	if (round >= 0) {
		sent = ls_parcels_sent(plan->table, rank, round).hop;
		received = ls_parcels_received(plan->table, rank, round).hop;
	} else if (problem->in_place) {
		ls_step_copy(step, ls_blocks(HOME, 0, plan->frame.blocks),
			ls_blocks(LS_INPUT, 0, plan->frame.blocks));
	} else {
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_INPUT, 0));
	}
	if (sent)
		ls_step_send(step, sent->taken >= 0 ? ls_one(TRANSIT, sent->taken)
						    : home(problem, sent->parcel));
	if (received) {
		ls_step_receive(step, 1);
		ls_step_copy(step, received->put >= 0 ? ls_one(TRANSIT, received->put)
						      : destination(problem, received->parcel),
			ls_arrival(step));
	}
	if (round == 0 && !is_shift(problem))
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, rank));
}

/* The distances of all that is to be carried. */
static int64_t messages_of(const struct ls_problem *problem)
{
	const int64_t p = problem->nodes;
	int64_t sum = 0;

	for (int64_t u = 0; u < p && is_shift(problem); u++)
		sum += ls_distance(problem->topology, u, ls_wrap(u + problem->shift, p));
	for (int64_t pair = 0; pair < p * p && !is_shift(problem); pair++)
		sum += ls_distance(problem->topology, pair / p, pair % p);
	return sum;
}

/* No formula gives the rounds: the schedule is made once more; -1: no memory for that. */
static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	struct ls_parcels *parcels = ls_parcels_make(problem, false);
	const int64_t rounds = parcels ? parcels->rounds : -1, messages = messages_of(problem);

	ls_free(parcels);
	return (struct ls_counts){ rounds, messages, ls_mul(messages, (int64_t)n),
		rounds < 0 ? -1 : ls_mul(rounds, (int64_t)n) };
}

/* In a round each node sends one block over one link, on each port. */
static int64_t lower_bound(const struct ls_problem *problem)
{
	const int64_t a_round = problem->nodes * problem->ports;

	if (is_shift(problem))
		return ls_shift_bound(problem);
	return (messages_of(problem) + a_round - 1) / a_round;
}

const struct ls_algorithm ls_alltoall_parcels = {
	.operations = LS_FOR(LS_ALLTOALL) | LS_FOR(LS_SHIFT),
	.name = "parcels",
	.networks = "any connected network",
	.rounds = "as the schedule comes out, farthest to go first",
	.bound = "alltoall: sum of distances / p with one block a message; shift: the longest way",
	.source = "this project: farthest to go first",
	.claim = LS_MOVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = frame,
	.prepare = prepare,
	.window = window,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lower_bound,
};
