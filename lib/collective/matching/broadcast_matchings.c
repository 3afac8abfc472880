/*
 * Broadcast and reduce of long vectors, on any network without switches.
 *
 * The vector is cut into B blocks.  Each message has one block, and each round is a largest
 * matching of senders to receivers (block_matchings.h).  So each block follows a tree of its own.
 * Reduce is the broadcast in reverse time order.
 *
 *   rounds     length of the schedule, for which there is no formula; at least B - 1 more than a
 *              broadcast of one block
 *   traffic    B (p - 1) messages of m / B elements
 *   cost       rounds (t_s + t_w m / B)
 *   memory     36 B p bytes, and 32 B p more for the search; reduce: m elements; 4 B bytes for each
 *              root with the topology
 *   requires   hop mode, at most 256 nodes; reduce: a commutative operation
 *   source     greedy matchings, after TACOS: Won et al. 2024
 */
#include "base/alloc.h"
#include "collective/matching/block_matchings.h"
#include "collective/round_bound.h"

enum { BLOCKS = 1 << 16 }; /* of all nodes together */

/* What remains of a schedule until a plan needs it again: its counts. */
struct block_counts {
	struct lsi_kept kept;
	int64_t rounds;
	int32_t long_rounds[]; /* by e: rounds whose messages have one of the blocks 0 .. e-1 */
};

static int64_t blocks_of(const struct lsi_problem *problem)
{
	const int64_t most = BLOCKS / problem->nodes;

	return problem->segments < most ? problem->segments : most;
}

/* ---- Counts */

static void count_rounds(struct block_counts *counts, const struct lsi_delivery *d, int64_t blocks)
{
	counts->rounds = d->rounds;
	for (int64_t m = 0; m < d->messages;) {
		const int32_t round = d->message[m].round;
		int64_t least = blocks;

		for (; m < d->messages && d->message[m].round == round; m++)
			if (d->block[m] < least)
				least = d->block[m];
		counts->long_rounds[least + 1]++;
	}
	for (int64_t e = 1; e <= blocks; e++)
		counts->long_rounds[e] += counts->long_rounds[e - 1];
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const int64_t root = key / BLOCKS, blocks = key % BLOCKS;
	struct lsi_delivery *const delivery = lsi_block_broadcast(t, root, blocks);
	struct block_counts *const counts =
		lsi_alloc_zero(1, sizeof *counts + (size_t)(blocks + 1) * sizeof *counts->long_rounds);

	if (delivery && counts)
		count_rounds(counts, delivery, blocks);
	if (!delivery) {
		lsi_free(counts);
		return NULL;
	}
	lsi_free(delivery);
	return counts ? &counts->kept : NULL;
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t B = blocks_of(problem), others = problem->nodes - 1;
	const struct block_counts *const counts = (const struct block_counts *)lsi_topology_keep(
		problem->topology, make, problem->root * BLOCKS + B);

	if (!counts)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ counts->rounds, others * B, lsi_mul_sat(others, (int64_t)n),
		lsi_add_sat(
			lsi_mul_sat(counts->rounds, (int64_t)n / B), counts->long_rounds[(int64_t)n % B]) };
}

/* Every node receives, or sends, the whole vector. */
static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	return (struct ls_counts){ lsi_round_lower_bound(problem), 0, 0, (int64_t)n };
}

/* ---- Plans */

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame frame = { .blocks = blocks_of(problem) };

	if (problem->operation == LS_REDUCE)
		frame.scratch[0] = (struct lsi_scratch){ frame.blocks, 1 };
	return frame;
}

static int prepare(struct ls_plan *plan)
{
	struct lsi_delivery *const delivery =
		lsi_block_broadcast(plan->problem.topology, plan->problem.root, plan->frame.blocks);

	plan->table = delivery;
	if (!delivery)
		return LS_ERR_MEMORY;
	plan->frame.rounds = delivery->rounds;
	return LS_OK;
}

static bool reduces(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_REDUCE;
}

/* What a node sends or receives in the broadcast, in the round that is performed or mirrored. */
static const struct lsi_delivery_message *message_at(
	const struct ls_plan *plan, enum lsi_delivery_end end, int64_t rank, int64_t round)
{
	const struct lsi_delivery *const d = plan->table;

	return lsi_delivery_at(d, end, rank, reduces(plan) ? d->rounds - 1 - round : round);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_delivery_message *const sent =
		message_at(plan, LSI_DELIVERY_SENT, rank, round);
	const struct lsi_delivery_message *const received =
		message_at(plan, LSI_DELIVERY_RECEIVED, rank, round);

	if (sent)
		*(reduces(plan) ? out->from : out->to) = sent->to;
	if (received)
		*(reduces(plan) ? out->to : out->from) = received->from;
}

static int64_t block_of(const struct ls_plan *plan, const struct lsi_delivery_message *message)
{
	return ((const struct lsi_delivery *)plan->table)->block[message->first];
}

static void broadcast_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_delivery_message *const sent =
		message_at(plan, LSI_DELIVERY_SENT, rank, round);
	const struct lsi_delivery_message *const received =
		message_at(plan, LSI_DELIVERY_RECEIVED, rank, round);
	const int64_t B = plan->frame.blocks;
	const bool is_root = rank == plan->problem.root;

	if (sent)
		lsi_step_send(step, lsi_block(is_root ? LS_INPUT : LS_OUTPUT, block_of(plan, sent)));
	if (received) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, block_of(plan, received)), lsi_arrival(step));
	}
	if (is_root && round == 0)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, B), lsi_blocks(LS_INPUT, 0, B));
}

/* A node adds the sum of its last child of a block first.  Before that the block is in INPUT. */
static void reduce_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_delivery_message *const up =
		message_at(plan, LSI_DELIVERY_RECEIVED, rank, round);
	const struct lsi_delivery_message *const down =
		message_at(plan, LSI_DELIVERY_SENT, rank, round);
	const int sum = rank == plan->problem.root ? LS_OUTPUT : LS_SCRATCH;

	if (up)
		lsi_step_send(step, lsi_block(up->sent_on ? sum : LS_INPUT, block_of(plan, up)));
	if (down) {
		const int64_t block = block_of(plan, down);

		lsi_step_receive(step, 1);
		lsi_step_combine(step, lsi_block(sum, block),
			lsi_block(down->sent_again ? sum : LS_INPUT, block), lsi_arrival(step));
	}
}

#define COMMON \
	.name = "matchings", .networks = "any network without switches, in hop mode", \
	.rounds = "length of a schedule of largest matchings, B blocks, one per message", \
	.bound = LSI_ROUND_BOUND, .source = "greedy matchings, after TACOS: Won et al. 2024", \
	.identical = true, .nodup = true, .general = true, .supports = lsi_block_search_fits, \
	.frame = frame, .prepare = prepare, .peers = peers, .predict = predict, \
	.predict_least = predict_least, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_broadcast_matchings = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.body = broadcast_body,
};

const struct lsi_algorithm lsi_reduce_matchings = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_COMMUTATIVE,
	.body = reduce_body,
};
