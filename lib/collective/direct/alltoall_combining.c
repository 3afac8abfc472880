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
#include "base/alloc.h"
#include "collective/direct/packets.h"
#include "collective/round_bound.h"

/* For each hop the slot before it, and after it the slot or the block of OUTPUT. */
struct table {
	struct lsi_packets *packets;
	int64_t *left, *reached;
};

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& lsi_packets_fit(problem);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .blocks = problem->nodes, .has_prologue = true };
}

static int prepare(struct ls_plan *plan)
{
	const int64_t p = plan->problem.nodes;
	struct table *table = lsi_alloc_zero(1, sizeof *table);

	plan->table = table;
	if (!table)
		return LS_ERR_MEMORY;
	table->packets = lsi_packets_make(&plan->problem, true);
	if (!table->packets)
		return LS_ERR_MEMORY;

	const struct lsi_packets *packets = table->packets;

	table->left = lsi_alloc(2 * (size_t)packets->hops * sizeof *table->left);
	if (!table->left)
		return LS_ERR_MEMORY;
	table->reached = table->left + packets->hops;
	for (int64_t h = 0; h < packets->hops; h++) {
		const struct lsi_packet_hop hop = packets->hop[h];

		table->left[h] = hop.taken;
		table->reached[h] = hop.put >= 0 ? hop.put : hop.packet / p;
	}
	plan->frame.rounds = packets->rounds;
	plan->frame.scratch[0] = (struct lsi_scratch){ packets->slots, 1 };
	return LS_OK;
}

static void release(struct ls_plan *plan)
{
	struct table *table = plan->table;

	if (table) {
		lsi_free(table->left);
		lsi_free(table->packets);
	}
	lsi_free(table);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct table *table = plan->table;

	(void)k;
	return (struct lsi_window){ 0, table->packets->used[rank] };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct table *table = plan->table;
	const struct lsi_packet_message sent = lsi_packets_at(table->packets, LSI_SENT, rank, round);
	const struct lsi_packet_message received =
		lsi_packets_at(table->packets, LSI_RECEIVED, rank, round);

	if (sent.count > 0)
		out->to[0] = sent.hop->to;
	if (received.count > 0)
		out->from[0] = received.hop->from;
}

/* In a message the blocks with more hops left come first. */
static void receive(
	const struct table *table, struct lsi_packet_message message, struct ls_step *step)
{
	const int64_t *reached = table->reached + (message.hop - table->packets->hop);
	int64_t on = message.count;

	while (on > 0 && message.hop[on - 1].put < 0)
		on--;
	lsi_step_receive(step, message.count);
	if (on > 0)
		lsi_step_copy(step, lsi_indexed(LS_SCRATCH, reached, on), lsi_blocks(LS_ARRIVAL, 0, on));
	if (on < message.count)
		lsi_step_copy(step, lsi_indexed(LS_OUTPUT, reached + on, message.count - on),
			lsi_blocks(LS_ARRIVAL, on, message.count - on));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct table *table = plan->table;
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
		return;
	}

	const struct lsi_packet_message sent = lsi_packets_at(table->packets, LSI_SENT, rank, round);
	const struct lsi_packet_message received =
		lsi_packets_at(table->packets, LSI_RECEIVED, rank, round);

	if (sent.count > 0)
		lsi_step_send(step,
			lsi_indexed(LS_SCRATCH, table->left + (sent.hop - table->packets->hop), sent.count));
	if (received.count > 0)
		receive(table, received, step);
}

/* There is no formula, so this makes the schedule again; -1: no memory for it. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	struct lsi_packets *packets = lsi_packets_make(problem, true);
	struct ls_counts c = { -1, -1, 0, -1 };

	if (packets)
		c = (struct ls_counts){ packets->rounds, packets->messages, 0,
			lsi_mul_sat(packets->volume, (int64_t)n) };
	lsi_free(packets);
	for (int64_t pair = 0; pair < problem->nodes * problem->nodes; pair++)
		c.words += ls_distance(problem->topology, pair / problem->nodes, pair % problem->nodes);
	c.words = lsi_mul_sat(c.words, (int64_t)n);
	return c;
}

static const struct lsi_whole_machine whole = { .window = window };

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
	.frame = frame,
	.prepare = prepare,
	.release = release,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
