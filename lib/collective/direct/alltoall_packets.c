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
#include "base/alloc.h"
#include "collective/direct/packets.h"
#include "collective/round_bound.h"
#include "collective/shift_bound.h"

enum { TRANSIT = LS_SCRATCH, HOME };

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

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t blocks = is_shift(problem) ? 1 : problem->nodes;

	return (struct lsi_frame){
		.blocks = blocks,
		.has_prologue = problem->in_place || (is_shift(problem) && problem->shift == 0),
		.scratch[HOME - LS_SCRATCH] = { problem->in_place ? blocks : 0, 1 },
	};
}

static int prepare(struct ls_plan *plan)
{
	struct lsi_packets *packets = lsi_packets_make(&plan->problem, false);

	if (!packets)
		return LS_ERR_MEMORY;
	plan->table = packets;
	plan->frame.rounds = packets->rounds;
	plan->frame.scratch[TRANSIT - LS_SCRATCH] = (struct lsi_scratch){ packets->slots, 1 };
	return LS_OK;
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct lsi_packets *packets = plan->table;

	if (k != TRANSIT - LS_SCRATCH)
		return (struct lsi_window){ 0, plan->frame.scratch[k].slots };
	return (struct lsi_window){ 0, packets->used[rank] };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_packet_hop *sent = lsi_packets_at(plan->table, LSI_SENT, rank, round).hop;
	const struct lsi_packet_hop *received =
		lsi_packets_at(plan->table, LSI_RECEIVED, rank, round).hop;

	if (sent)
		out->to[0] = sent->to;
	if (received)
		out->from[0] = received->from;
}

/*
 * Where a node has a packet that it sends first, and where it stores one that it receives for
 * itself.
 */
static struct ls_slice home(const struct lsi_problem *problem, int64_t packet)
{
	return lsi_block(
		problem->in_place ? HOME : LS_INPUT, is_shift(problem) ? 0 : packet % problem->nodes);
}

static struct ls_slice destination(const struct lsi_problem *problem, int64_t packet)
{
	return lsi_block(LS_OUTPUT, is_shift(problem) ? 0 : packet / problem->nodes);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_packet_hop *sent = NULL, *received = NULL;

	if (round >= 0) {
		sent = lsi_packets_at(plan->table, LSI_SENT, rank, round).hop;
		received = lsi_packets_at(plan->table, LSI_RECEIVED, rank, round).hop;
	} else if (problem->in_place) {
		lsi_step_copy(step, lsi_blocks(HOME, 0, plan->frame.blocks),
			lsi_blocks(LS_INPUT, 0, plan->frame.blocks));
	} else {
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, 0));
	}
	if (sent)
		lsi_step_send(
			step, sent->taken >= 0 ? lsi_block(TRANSIT, sent->taken) : home(problem, sent->packet));
	if (received) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step,
			received->put >= 0 ? lsi_block(TRANSIT, received->put)
							   : destination(problem, received->packet),
			lsi_arrival(step));
	}
	if (round == 0 && !is_shift(problem))
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
}

/* The sum of the distances of all packets. */
static int64_t messages_of(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;
	int64_t sum = 0;

	for (int64_t u = 0; u < p && is_shift(problem); u++)
		sum += ls_distance(problem->topology, u, lsi_wrap(u + problem->shift, p));
	for (int64_t pair = 0; pair < p * p && !is_shift(problem); pair++)
		sum += ls_distance(problem->topology, pair / p, pair % p);
	return sum;
}

/* There is no formula for the rounds, so this makes the schedule again; -1: no memory for it. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	struct lsi_packets *packets = lsi_packets_make(problem, false);
	const int64_t rounds = packets ? packets->rounds : -1, messages = messages_of(problem);

	lsi_free(packets);
	return (struct ls_counts){ rounds, messages, lsi_mul_sat(messages, (int64_t)n),
		rounds < 0 ? -1 : lsi_mul_sat(rounds, (int64_t)n) };
}

static int64_t lower_bound(const struct lsi_problem *problem)
{
	return is_shift(problem) ? lsi_shift_bound(problem) : lsi_round_lower_bound(problem);
}

static const struct lsi_whole_machine whole = { .window = window };

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
	.frame = frame,
	.prepare = prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lower_bound,
	.whole = &whole,
};
