#include "collective/direct/single_packets.h"

enum { TRANSIT = LS_SCRATCH, HOME };

static bool is_shift(const struct lsi_problem *problem)
{
	return problem->operation == LS_SHIFT;
}

struct lsi_frame lsi_single_frame(const struct lsi_problem *problem)
{
	const int64_t blocks = is_shift(problem) ? 1 : problem->nodes;

	return (struct lsi_frame){
		.blocks = blocks,
		.has_prologue = problem->in_place || (is_shift(problem) && problem->shift == 0),
		.scratch[HOME - LS_SCRATCH] = { problem->in_place ? blocks : 0, 1 },
	};
}

int lsi_single_prepare_with(struct ls_plan *plan, const struct lsi_packets *packets)
{
	plan->table = (void *)(uintptr_t)packets;
	if (!packets)
		return LS_ERR_MEMORY;
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

void lsi_single_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
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

void lsi_single_body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
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

const struct lsi_whole_machine lsi_single_whole = { .window = window };
