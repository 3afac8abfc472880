#include "collective/matching/delivery.h"

#include <string.h>

#include "base/alloc.h"
#include "collective/round_bound.h"

bool lsi_delivery_fits(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && lsi_topology_is_direct(problem->topology)
		&& problem->nodes <= LSI_DELIVERY_NODES;
}

/* ---- Blocks of messages */

struct replay {
	int64_t limbs;
	uint64_t *has; /* a set of blocks for each node, in limbs of 64 */
};

static uint64_t *blocks_of(const struct replay *r, int64_t node)
{
	return r->has + node * r->limbs;
}

/* Append the blocks that a message brings. */
static void append(struct lsi_delivery *d, const struct replay *r, const struct lsi_link_use *use)
{
	const uint64_t *const from = blocks_of(r, use->from), *const to = blocks_of(r, use->to);

	if (use->block >= 0) {
		d->block[d->words++] = use->block;
		return;
	}
	for (int64_t i = 0; i < r->limbs; i++)
		for (uint64_t fresh = from[i] & ~to[i]; fresh; fresh &= fresh - 1)
			d->block[d->words++] = 64 * i + __builtin_ctzll(fresh);
}

static bool is_one_message(const struct lsi_link_use *a, const struct lsi_link_use *b)
{
	return a->round == b->round && a->from == b->from && a->to == b->to;
}

/* All messages of a round bring what their senders had before it. */
static int64_t run_round(
	struct lsi_delivery *d, const struct replay *r, const struct lsi_link_use *use, int64_t uses)
{
	const int64_t begin = d->messages;
	int64_t n = 0, longest = 0;

	while (n < uses && use[n].round == use[0].round) {
		const int64_t before = d->words, one = n;

		while (n < uses && is_one_message(&use[one], &use[n]))
			append(d, r, &use[n++]);
		if (d->words > before)
			d->message[d->messages++] = (struct lsi_delivery_message){ .round = use[one].round,
				.from = use[one].from,
				.to = use[one].to,
				.first = (int32_t)before };
		longest = longest < d->words - before ? d->words - before : longest;
	}
	d->message[d->messages].first = (int32_t)d->words;
	for (int64_t m = begin; m < d->messages; m++)
		for (int64_t i = d->message[m].first; i < d->message[m + 1].first; i++)
			blocks_of(r, d->message[m].to)[d->block[i] / 64] |= (uint64_t)1 << d->block[i] % 64;
	d->volume += longest;
	d->rounds = use[0].round + 1;
	return n;
}

/* ---- Messages of nodes */

static int32_t end_of(const struct lsi_delivery_message *message, enum lsi_delivery_end end)
{
	return end == LSI_DELIVERY_SENT ? message->from : message->to;
}

static void list_messages(struct lsi_delivery *d, int64_t nodes, enum lsi_delivery_end end)
{
	int32_t *const first = d->first[end];

	for (int64_t m = 0; m < d->messages; m++)
		first[end_of(&d->message[m], end) + 1]++;
	for (int64_t u = 0; u < nodes; u++)
		first[u + 1] += first[u];
	for (int64_t m = d->messages - 1; m >= 0; m--)
		d->at[end][--first[end_of(&d->message[m], end) + 1]] = (int32_t)m;
	/* Now each first[u + 1] is where node u begins. */
	for (int64_t u = 0; u < nodes; u++)
		first[u] = first[u + 1];
	first[nodes] = (int32_t)d->messages;
}

/* Mark the messages whose block is sent once more; `r` has no blocks at first. */
static void find_later_sends(struct lsi_delivery *d, const struct replay *r)
{
	for (int64_t m = d->messages - 1; m >= 0; m--) {
		struct lsi_delivery_message *const message = &d->message[m];
		const int64_t block = d->block[message->first];
		const uint64_t bit = (uint64_t)1 << block % 64;

		message->sent_again = blocks_of(r, message->from)[block / 64] & bit;
		message->sent_on = blocks_of(r, message->to)[block / 64] & bit;
		blocks_of(r, message->from)[block / 64] |= bit;
	}
}

static struct lsi_delivery *allocate(int64_t nodes, struct lsi_block_goal goal, int64_t uses)
{
	const size_t p = (size_t)nodes, n = (size_t)uses, words = (p - 1) * (size_t)goal.blocks;
	struct lsi_delivery *d = lsi_alloc_zero(1,
		sizeof *d + words * sizeof *d->block + (n + 1) * sizeof *d->message
			+ 2 * (n + p + 1) * sizeof(int32_t));

	if (!d)
		return NULL;
	d->block = (int64_t *)(d + 1);
	d->message = (struct lsi_delivery_message *)(d->block + words);
	d->at[LSI_DELIVERY_SENT] = (int32_t *)(d->message + n + 1);
	d->at[LSI_DELIVERY_RECEIVED] = d->at[LSI_DELIVERY_SENT] + n;
	d->first[LSI_DELIVERY_SENT] = d->at[LSI_DELIVERY_RECEIVED] + n;
	d->first[LSI_DELIVERY_RECEIVED] = d->first[LSI_DELIVERY_SENT] + p + 1;
	return d;
}

struct lsi_delivery *lsi_delivery_make(
	int64_t nodes, struct lsi_block_goal goal, const struct lsi_link_use *use, int64_t uses)
{
	struct replay r = { .limbs = goal.blocks / 64 + 1 };
	struct lsi_delivery *const d = allocate(nodes, goal, uses);

	r.has = lsi_alloc_zero((size_t)(nodes * r.limbs), sizeof *r.has);
	if (!d || !r.has) {
		lsi_free(r.has);
		lsi_free(d);
		return NULL;
	}
	for (int64_t x = 0; x < goal.blocks; x++)
		blocks_of(&r, goal.source < 0 ? x : goal.source)[x / 64] |= (uint64_t)1 << x % 64;
	for (int64_t i = 0; i < uses;)
		i += run_round(d, &r, use + i, uses - i);
	memset(r.has, 0, (size_t)(nodes * r.limbs) * sizeof *r.has);
	if (d->messages == d->words)
		find_later_sends(d, &r);
	lsi_free(r.has);
	list_messages(d, nodes, LSI_DELIVERY_SENT);
	list_messages(d, nodes, LSI_DELIVERY_RECEIVED);
	return d;
}

/* ---- Plans */

static bool adds(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_REDUCE_SCATTER || plan->problem.operation == LS_REDUCE;
}

int lsi_delivery_prepare(struct ls_plan *plan, lsi_delivery_of *of)
{
	const struct lsi_delivery *const delivery = of(&plan->problem);

	plan->table = (void *)(uintptr_t)delivery;
	if (!delivery)
		return LS_ERR_MEMORY;
	plan->frame.rounds = delivery->rounds;
	return LS_OK;
}

/* prepare() adds the rounds.  Sums begin as a copy of INPUT. */
struct lsi_frame lsi_delivery_frame(const struct lsi_problem *problem)
{
	const bool sums = problem->operation == LS_REDUCE_SCATTER;

	return (struct lsi_frame){ .blocks = problem->nodes,
		.has_prologue = true,
		.has_epilogue = sums,
		.scratch[0] = { sums ? problem->nodes : 0, 1 } };
}

/* The message that a node sends or receives in a round; NULL: none. */
static const struct lsi_delivery_message *message_at(
	const struct lsi_delivery *d, enum lsi_delivery_end end, int64_t rank, int64_t round)
{
	const int32_t *const at = d->at[end], last = d->first[end][rank + 1];
	int32_t low = d->first[end][rank], high = last;

	while (low < high) {
		const int32_t middle = low + (high - low) / 2;

		if (d->message[at[middle]].round < round)
			low = middle + 1;
		else
			high = middle;
	}
	return low < last && d->message[at[low]].round == round ? &d->message[at[low]] : NULL;
}

struct lsi_delivery_exchange lsi_delivery_exchange_of(
	const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_delivery *const d = plan->table;
	const int64_t r = adds(plan) ? d->rounds - 1 - round : round;

	return (struct lsi_delivery_exchange){ message_at(d, LSI_DELIVERY_SENT, rank, r),
		message_at(d, LSI_DELIVERY_RECEIVED, rank, r) };
}

void lsi_delivery_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_delivery_exchange e = lsi_delivery_exchange_of(plan, rank, round);
	const int64_t to = e.sent ? e.sent->to : LS_NO_RANK;
	const int64_t from = e.received ? e.received->from : LS_NO_RANK;

	out->to[0] = adds(plan) ? from : to;
	out->from[0] = adds(plan) ? to : from;
}

static struct ls_slice blocks(
	const struct ls_plan *plan, const struct lsi_delivery_message *message, int buffer)
{
	const struct lsi_delivery *const d = plan->table;

	return lsi_indexed(buffer, d->block + message->first, message[1].first - message->first);
}

static void spread(const struct ls_plan *plan, struct lsi_delivery_exchange e, struct ls_step *step)
{
	if (e.sent)
		lsi_step_send(step, blocks(plan, e.sent, LS_OUTPUT));
	if (!e.received)
		return;
	lsi_step_receive(step, e.received[1].first - e.received->first);
	lsi_step_copy(step, blocks(plan, e.received, LS_OUTPUT), lsi_arrival(step));
}

static void add(const struct ls_plan *plan, struct lsi_delivery_exchange e, struct ls_step *step)
{
	if (e.received)
		lsi_step_send(step, blocks(plan, e.received, LS_SCRATCH));
	if (!e.sent)
		return;

	const struct ls_slice sums = blocks(plan, e.sent, LS_SCRATCH);

	lsi_step_receive(step, ls_slice_blocks(&sums));
	lsi_step_combine(step, sums, sums, lsi_arrival(step));
}

void lsi_delivery_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;

	if (round >= 0 && round < plan->frame.rounds) {
		const struct lsi_delivery_exchange e = lsi_delivery_exchange_of(plan, rank, round);

		if (adds(plan))
			add(plan, e, step);
		else
			spread(plan, e, step);
	} else if (!adds(plan)) {
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
	} else if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
	} else {
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_SCRATCH, rank));
	}
}

struct ls_counts lsi_delivery_predict(
	const struct lsi_problem *problem, lsi_delivery_of *of, size_t n)
{
	const struct lsi_delivery *const d = of(problem);

	if (!d)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ d->rounds, d->messages, lsi_mul_sat(d->words, (int64_t)n),
		lsi_mul_sat(d->volume, (int64_t)n) };
}

struct ls_counts lsi_delivery_predict_least(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_round_lower_bound(problem);

	return (struct ls_counts){ rounds, 0, 0, lsi_mul_sat(problem->nodes - 1, (int64_t)n) };
}
