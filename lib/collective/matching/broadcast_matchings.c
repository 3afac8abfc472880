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
 *   memory     36 B p bytes, and 32 B p more for the search; reduce: m elements; 4 B (p + 2) bytes
 *              for each root and B that the choice tries, with the topology
 *   requires   hop mode, at most 256 nodes; reduce: a commutative operation
 *   source     greedy matchings, after TACOS: Won et al. 2024
 */
#include "base/alloc.h"
#include "base/math.h"
#include "collective/matching/block_matchings.h"
#include "collective/round_bound.h"

enum { BLOCKS = 1 << 16 }; /* of all nodes together */

/* A message of one block, in the four bytes in which it is kept. */
struct kept_message {
	uint8_t from, to;
	uint16_t block;
};

_Static_assert(LSI_BLOCK_SEARCH_NODES <= UINT8_MAX + 1 && BLOCKS / 2 <= UINT16_MAX + 1,
	"a kept message has room for its nodes and its block");

/* What remains of a schedule until a plan needs it again: its counts, and its messages by round. */
struct kept_schedule {
	struct lsi_kept kept;
	int64_t rounds, messages;
	int32_t *sent;        /* by round: messages of the rounds before it */
	int32_t *long_rounds; /* by e: rounds whose messages have one of the blocks 0 .. e-1 */
	struct kept_message *message;
};

static int64_t blocks_of(const struct lsi_problem *problem)
{
	const int64_t most = BLOCKS / problem->nodes;

	return problem->segments < most ? problem->segments : most;
}

/* ---- Counts */

static void count_rounds(struct kept_schedule *s, const struct lsi_delivery *d, int64_t blocks)
{
	for (int64_t m = 0; m < d->messages;) {
		const int32_t round = d->message[m].round;
		int64_t least = blocks;

		for (; m < d->messages && d->message[m].round == round; m++)
			if (d->block[m] < least)
				least = d->block[m];
		s->long_rounds[least + 1]++;
	}
	for (int64_t e = 1; e <= blocks; e++)
		s->long_rounds[e] += s->long_rounds[e - 1];
}

static void keep_messages(struct kept_schedule *s, const struct lsi_delivery *d)
{
	for (int64_t m = 0; m < d->messages; m++) {
		const struct lsi_delivery_message *const message = &d->message[m];

		s->message[m] = (struct kept_message){ (uint8_t)message->from, (uint8_t)message->to,
			(uint16_t)d->block[message->first] };
		s->sent[message->round + 1]++;
	}
	for (int64_t r = 0; r < d->rounds; r++)
		s->sent[r + 1] += s->sent[r];
}

static struct kept_schedule *allocate(const struct lsi_delivery *d, int64_t blocks)
{
	const size_t rounds = (size_t)d->rounds + 1, blocks_and_none = (size_t)blocks + 2;
	struct kept_schedule *const s = lsi_alloc_zero(1,
		sizeof *s + rounds * sizeof *s->sent + blocks_and_none * sizeof *s->long_rounds
			+ (size_t)d->messages * sizeof *s->message);

	if (!s)
		return NULL;
	s->rounds = d->rounds;
	s->messages = d->messages;
	s->sent = (int32_t *)(s + 1);
	s->long_rounds = s->sent + rounds;
	s->message = (struct kept_message *)(s->long_rounds + blocks_and_none);
	return s;
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const int64_t root = key / BLOCKS, blocks = key % BLOCKS;
	struct lsi_delivery *const delivery = lsi_block_broadcast(t, root, blocks);
	struct kept_schedule *const schedule = delivery ? allocate(delivery, blocks) : NULL;

	if (schedule) {
		count_rounds(schedule, delivery, blocks);
		keep_messages(schedule, delivery);
	}
	lsi_free(delivery);
	return schedule ? &schedule->kept : NULL;
}

/* NULL: no memory. */
static const struct kept_schedule *schedule_of(const struct lsi_problem *problem)
{
	return (const struct kept_schedule *)lsi_topology_keep(
		problem->topology, make, problem->root * BLOCKS + blocks_of(problem));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t B = blocks_of(problem), others = problem->nodes - 1;
	const struct kept_schedule *const s = schedule_of(problem);

	if (!s)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ s->rounds, others * B, lsi_mul_sat(others, (int64_t)n),
		lsi_add_sat(lsi_mul_sat(s->rounds, (int64_t)n / B), s->long_rounds[(int64_t)n % B]) };
}

/*
 * One block after another leaves the root, or reaches it: n elements in all.  After the last one
 * leaves, this block alone still needs all rounds of a broadcast but one.
 */
static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_round_lower_bound(problem);

	return (struct ls_counts){ rounds, 0, 0, n ? lsi_add_sat((int64_t)n, rounds - 1) : 0 };
}

/* ---- Plans */

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame frame = { .blocks = blocks_of(problem) };

	if (problem->operation == LS_REDUCE)
		frame.scratch[0] = (struct lsi_scratch){ frame.blocks, 1 };
	return frame;
}

static const struct lsi_delivery *delivery_of(const struct lsi_problem *problem)
{
	const struct kept_schedule *const s = schedule_of(problem);
	struct lsi_link_use *const use = s ? lsi_alloc((size_t)s->messages * sizeof *use) : NULL;
	const struct lsi_delivery *delivery = NULL;

	for (int64_t r = 0; use && r < s->rounds; r++)
		for (int64_t m = s->sent[r]; m < s->sent[r + 1]; m++)
			use[m] = (struct lsi_link_use){ (int32_t)r, s->message[m].from, s->message[m].to,
				s->message[m].block };
	if (use)
		delivery = lsi_delivery_make(problem->nodes,
			(struct lsi_block_goal){ (int32_t)blocks_of(problem), (int32_t)problem->root }, use,
			s->messages);
	lsi_free(use);
	return delivery;
}

/* The delivery belongs to the plan. */
static int prepare(struct ls_plan *plan)
{
	return lsi_delivery_prepare(plan, delivery_of);
}

static int64_t block_of(const struct ls_plan *plan, const struct lsi_delivery_message *message)
{
	return ((const struct lsi_delivery *)plan->table)->block[message->first];
}

static void broadcast_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_delivery_exchange e = lsi_delivery_exchange_of(plan, rank, round);
	const int64_t B = plan->frame.blocks;
	const bool is_root = rank == plan->problem.root;

	if (e.sent)
		lsi_step_send(step, lsi_block(is_root ? LS_INPUT : LS_OUTPUT, block_of(plan, e.sent)));
	if (e.received) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, block_of(plan, e.received)), lsi_arrival(step));
	}
	if (is_root && round == 0)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, B), lsi_blocks(LS_INPUT, 0, B));
}

/* A node adds the sum of its last child of a block first.  Before that the block is in INPUT. */
static void reduce_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_delivery_exchange e = lsi_delivery_exchange_of(plan, rank, round);
	const struct lsi_delivery_message *const up = e.received, *const down = e.sent;
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
	.frame = frame, .prepare = prepare, .peers = lsi_delivery_peers, .predict = predict, \
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
