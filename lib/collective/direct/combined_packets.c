#include "collective/direct/combined_packets.h"

#include "base/alloc.h"

/* For each hop the slot before it, and after it the slot or the block of OUTPUT. */
struct table {
	const struct lsi_packets *packets;
	struct lsi_packets *owned; /* NULL: the topology keeps them */
	int64_t *left, *reached;
};

/* The packets of a node. */
static int64_t blocks_of(const struct lsi_problem *problem)
{
	return problem->operation == LS_SHIFT ? 1 : problem->nodes;
}

struct lsi_frame lsi_combined_frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .blocks = blocks_of(problem), .has_prologue = true };
}

static int fill_table(struct ls_plan *plan, struct table *table, const struct lsi_packets *packets)
{
	const bool shifts = plan->problem.operation == LS_SHIFT;

	table->packets = packets;
	table->left = lsi_alloc((2 * (size_t)packets->hops + 1) * sizeof *table->left);
	if (!table->left)
		return LS_ERR_MEMORY;
	table->reached = table->left + packets->hops;
	for (int64_t h = 0; h < packets->hops; h++) {
		const struct lsi_packet_hop hop = packets->hop[h];
		const int64_t block = shifts ? 0 : hop.packet / plan->problem.nodes;

		table->left[h] = hop.taken;
		table->reached[h] = hop.put >= 0 ? hop.put : block;
	}
	plan->frame.rounds = packets->rounds;
	plan->frame.scratch[0] = (struct lsi_scratch){ packets->slots, 1 };
	return LS_OK;
}

int lsi_combined_prepare_kept(struct ls_plan *plan, const struct lsi_packets *packets)
{
	struct table *table = lsi_alloc_zero(1, sizeof *table);

	plan->table = table;
	return table && packets ? fill_table(plan, table, packets) : LS_ERR_MEMORY;
}

int lsi_combined_prepare_with(struct ls_plan *plan, struct lsi_packets *made)
{
	const int status = lsi_combined_prepare_kept(plan, made);
	struct table *const table = plan->table;

	if (table)
		table->owned = made;
	else
		lsi_free(made);
	return status;
}

void lsi_combined_release(struct ls_plan *plan)
{
	struct table *table = plan->table;

	if (table) {
		lsi_free(table->left);
		lsi_free(table->owned);
	}
	lsi_free(table);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct table *table = plan->table;

	(void)k;
	return (struct lsi_window){ 0, table->packets->used[rank] };
}

void lsi_combined_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
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

/* Packets go to their first slots.  A node may keep one. */
static void begin(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *const problem = &plan->problem;
	const int64_t blocks = blocks_of(problem), own = problem->operation == LS_SHIFT ? 0 : rank;
	const bool keeps = problem->operation != LS_SHIFT || problem->shift == 0;

	if (plan->frame.rounds > 0)
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, blocks), lsi_blocks(LS_INPUT, 0, blocks));
	if (keeps)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, own), lsi_block(LS_INPUT, own));
}

void lsi_combined_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct table *table = plan->table;

	if (round < 0) {
		begin(plan, rank, step);
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

const struct lsi_whole_machine lsi_combined_whole = { .window = window };
