/*
 * Single contributions: a node keeps every contribution that it receives, and combines them at the
 * end, in rank order.
 *
 * The forward pass delivers with each message all contributions that its sender has and its
 * receiver lacks.  The backward pass keeps only needed deliveries: the receiver needs them for its
 * result or for a later message.  Broadcast from 0, messages 0->1, 1->2, 2->0:
 *
 *   forward    0->1 {a}   1->2 {a}   2->0 {}
 *   backward   0->1 {a}   1->2 {a}   2->0 spare: a, which node 0 ignores
 *
 * So a needed contribution arrives at a node only once, and no message carries more than necessary.
 * A message must not be empty: without a needed delivery it carries one spare contribution of its
 * sender.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/expected.h"
#include "plan/storage.h"
#include "schedule/infer.h"

enum { CONTRIBUTIONS_LOG2 = 33 }; /* of nodes * items at most: two bits of memory for each */

/* A contribution that a message delivers. */
struct delivery {
	int64_t item;
	bool needed;
};

/* The deliveries of a message are those up to the first of the next one. */
struct carried {
	size_t first;
	int64_t spare; /* a contribution that the sender has, for a message that delivers nothing */
	bool sends_spare;
};

struct flood {
	struct lsi_inference *x;
	int64_t sources, blocks, items; /* nodes with an operand; blocks of each; their product */
	size_t words;                   /* of a set of items */
	uint64_t *has, *before;         /* by node; backward, `has` holds what a node needs */
	struct carried *carried;        /* by message, one more */
	struct delivery *delivery;
	size_t deliveries, room;
	int64_t *list; /* scratch, for one slice */
};

/* ---- Items: block b of source s is item b * sources + s, and lies in that block of scratch */

static int64_t source_of(const struct flood *f, int64_t rank)
{
	return f->sources == 1 ? 0 : rank;
}

static int64_t item_of(const struct flood *f, int64_t rank, int64_t block)
{
	return block * f->sources + source_of(f, rank);
}

static bool has_item(const uint64_t *set, int64_t item)
{
	return set[item / 64] >> (item % 64) & 1;
}

static void add_item(uint64_t *set, int64_t item)
{
	set[item / 64] |= (uint64_t)1 << (item % 64);
}

static uint64_t *set_of(uint64_t *sets, const struct flood *f, int64_t node)
{
	return &sets[(size_t)node * f->words];
}

static void add_operands(struct flood *f)
{
	for (int64_t r = 0; r < f->x->plan->problem.nodes; r++)
		for (int64_t b = 0; b < f->blocks && lsi_storage_has(f->x->plan, r, LS_INPUT); b++)
			add_item(set_of(f->has, f, r), item_of(f, r, b));
}

/* Write the items of a block of the result to list, in rank order.  Returns their number. */
static int64_t list_result(const struct flood *f, int64_t rank, int64_t block, int64_t *list)
{
	const struct lsi_expected_block e = lsi_plan_expected(f->x->plan, rank, block);

	for (int64_t i = 0; i < e.count; i++)
		list[i] = item_of(f, e.first + i, e.block);
	return e.count;
}

static int64_t result_blocks(const struct flood *f, int64_t rank)
{
	return lsi_storage_has(f->x->plan, rank, LS_OUTPUT) ? lsi_buffer_blocks(f->x->plan, LS_OUTPUT)
														: 0;
}

/* ---- Forward */

/* The deliveries of a message; false: no memory.  Its sender has what it had before the round. */
static bool deliver(struct flood *f, size_t number)
{
	const struct ls_message *m = &f->x->message[number].message;
	const uint64_t *from = set_of(f->before, f, m->src);
	uint64_t *to = set_of(f->has, f, m->dst);

	f->carried[number] =
		(struct carried){ .first = f->deliveries, .spare = lsi_infer_lowest(from, f->words) };
	for (size_t w = 0; w < f->words && !m->unsent; w++) {
		for (uint64_t fresh = from[w] & ~to[w]; fresh; fresh &= fresh - 1) {
			const int64_t item = (int64_t)(64 * w) + __builtin_ctzll(fresh);

			if (!lsi_table_grow(&f->delivery, f->deliveries, &f->room, sizeof *f->delivery))
				return false;
			f->delivery[f->deliveries++] = (struct delivery){ item, false };
		}
		to[w] |= from[w];
	}
	return true;
}

/* All messages in time order.  A node that sends must have at least one contribution. */
static int deliver_messages(struct flood *f)
{
	const struct lsi_inference *x = f->x;
	const size_t bytes = (size_t)x->plan->problem.nodes * f->words * sizeof *f->has;

	add_operands(f);
	for (size_t i = 0; i < x->count; i++) {
		const struct ls_message *m = &x->message[i].message;

		if (i == 0 || m->round != x->message[i - 1].message.round)
			memcpy(f->before, f->has, bytes);
		if (!deliver(f, i))
			return LS_ERR_MEMORY;
		if (f->carried[i].spare < 0 && !m->unsent)
			return lsi_infer_fail_empty(x, i);
	}
	f->carried[x->count].first = f->deliveries;
	return LS_OK;
}

/* ---- Backward */

/* Mark the items that each node needs for its own result. */
static void add_results(struct flood *f)
{
	for (int64_t r = 0; r < f->x->plan->problem.nodes; r++)
		for (int64_t b = 0; b < result_blocks(f, r); b++)
			for (int64_t i = list_result(f, r, b, f->list); i-- > 0;)
				add_item(set_of(f->has, f, r), f->list[i]);
}

/* All messages in reverse order; a needed delivery makes its sender need the item, too. */
static void mark_needed(struct flood *f)
{
	const struct lsi_inference *x = f->x;

	memset(f->has, 0, (size_t)x->plan->problem.nodes * f->words * sizeof *f->has);
	add_results(f);
	for (size_t i = x->count; i-- > 0;) {
		const struct ls_message *m = &x->message[i].message;
		bool empty = true;

		for (size_t k = f->carried[i].first; k < f->carried[i + 1].first; k++) {
			struct delivery *d = &f->delivery[k];

			d->needed = has_item(set_of(f->has, f, m->dst), d->item);
			if (d->needed)
				add_item(set_of(f->has, f, m->src), d->item);
			empty = empty && !d->needed;
		}
		f->carried[i].sends_spare = empty && !m->unsent;
		if (f->carried[i].sends_spare)
			add_item(set_of(f->has, f, m->src), f->carried[i].spare);
	}
}

/* ---- The table */

/* Write the items that a message carries to f->list.  Returns their number. */
static int64_t list_carried(const struct flood *f, size_t number)
{
	const struct carried *c = &f->carried[number];
	int64_t n = 0;

	for (size_t k = c->first; k < c[1].first; k++)
		if (f->delivery[k].needed)
			f->list[n++] = f->delivery[k].item;
	if (n == 0)
		f->list[n++] = c->sends_spare ? c->spare : 0;
	return n;
}

/* The send or receive of one end of a message. */
static void add_message(struct flood *f, const struct lsi_part_of_round *part)
{
	const struct lsi_scheduled *m = &f->x->message[part->message];
	const int64_t n = list_carried(f, part->message);

	lsi_infer_node(f->x, part->node);
	if (part->sends)
		lsi_infer_action(f->x,
			(struct lsi_table_action){ .kind = LSI_ACT_SEND,
				.port = m->out,
				.peer = m->message.dst,
				.a = lsi_infer_slice(f->x, LS_SCRATCH, f->list, n) });
	else
		lsi_infer_action(f->x,
			(struct lsi_table_action){
				.kind = LSI_ACT_RECEIVE, .port = m->in, .peer = m->message.src, .arrives = n });
}

/* Copy arriving items to their blocks of scratch; a spare is not kept. */
static void add_move(struct flood *f, const struct lsi_part_of_round *part)
{
	const struct lsi_scheduled *m = &f->x->message[part->message];
	const int64_t n = list_carried(f, part->message);

	if (part->sends || m->message.unsent || f->carried[part->message].sends_spare)
		return;
	lsi_infer_action(f->x,
		(struct lsi_table_action){ .kind = LSI_ACT_COPY,
			.dst = lsi_infer_slice(f->x, LS_SCRATCH, f->list, n),
			.a = { 0, n, false, (uint8_t)(LS_ARRIVAL + m->in) } });
}

/* The rounds: at each node sends and receives, then moves. */
static void add_rounds(struct flood *f)
{
	size_t first = 0;

	for (int64_t round = 1; round <= f->x->rounds && !f->x->no_memory; round++) {
		struct lsi_round_parts r = lsi_infer_round(f->x, first, round);

		lsi_infer_step(f->x, false);
		for (size_t i = 0, next; i < r.parts && !f->x->no_memory; i = next) {
			for (next = i; next < r.parts && r.part[next].node == r.part[i].node; next++)
				add_message(f, &r.part[next]);
			for (size_t k = i; k < next; k++)
				add_move(f, &r.part[k]);
		}
		first = r.last;
		lsi_free(r.part);
	}
}

/* A local step that copies INPUT to scratch. */
static void add_first_step(struct flood *f)
{
	lsi_infer_step(f->x, true);
	for (int64_t r = 0; r < f->x->plan->problem.nodes && !f->x->no_memory; r++) {
		if (!lsi_storage_has(f->x->plan, r, LS_INPUT))
			continue;
		for (int64_t b = 0; b < f->blocks; b++)
			f->list[b] = item_of(f, r, b);
		lsi_infer_node(f->x, r);
		lsi_infer_action(f->x,
			(struct lsi_table_action){ .kind = LSI_ACT_COPY,
				.dst = lsi_infer_slice(f->x, LS_SCRATCH, f->list, f->blocks),
				.a = { 0, f->blocks, false, LS_INPUT } });
	}
}

/*
 * Write to `list` the items of its result that a node has, in the order of OUTPUT, and to `block`
 * the block of OUTPUT of each.  Returns their number.
 */
static int64_t list_held(const struct flood *f, int64_t rank, int64_t *list, int64_t *block)
{
	const uint64_t *held = set_of(f->before, f, rank);
	int64_t n = 0;

	for (int64_t b = 0; b < result_blocks(f, rank); b++) {
		const int64_t count = list_result(f, rank, b, &list[n]);
		int64_t kept = n;

		for (int64_t i = 0; i < count; i++)
			if (has_item(held, list[n + i])) {
				block[kept] = b;
				list[kept++] = list[n + i];
			}
		n = kept;
	}
	return n;
}

/* A local step that folds or copies the items to OUTPUT. */
static void add_last_step(struct flood *f)
{
	const bool folds = lsi_operation_adds(f->x->plan->problem.operation);
	int64_t *const block = f->list + f->items + f->x->plan->problem.nodes;

	lsi_infer_step(f->x, true);
	for (int64_t r = 0; r < f->x->plan->problem.nodes && !f->x->no_memory; r++) {
		const int64_t n = list_held(f, r, f->list, block);

		if (n == 0)
			continue;
		lsi_infer_node(f->x, r);
		lsi_infer_action(f->x,
			(struct lsi_table_action){ .kind = folds ? LSI_ACT_FOLD : LSI_ACT_COPY,
				.dst = folds ? (struct lsi_table_blocks){ 0, 1, false, LS_OUTPUT }
							 : lsi_infer_slice(f->x, LS_OUTPUT, block, n),
				.a = lsi_infer_slice(f->x, LS_SCRATCH, f->list, n) });
	}
}

/* Set f->before to the items that each node has after the last message. */
static void replay_deliveries(struct flood *f)
{
	memset(f->has, 0, (size_t)f->x->plan->problem.nodes * f->words * sizeof *f->has);
	add_operands(f);
	for (size_t i = 0; i < f->x->count; i++)
		for (size_t k = f->carried[i].first; k < f->carried[i + 1].first; k++)
			if (f->delivery[k].needed)
				add_item(set_of(f->has, f, f->x->message[i].message.dst), f->delivery[k].item);
	memcpy(f->before, f->has, (size_t)f->x->plan->problem.nodes * f->words * sizeof *f->has);
}

/* Both passes, then the steps of the plan.  Scratch has one block for each item. */
static int make_table(struct flood *f)
{
	struct ls_plan *plan = f->x->plan;
	const int status = deliver_messages(f);

	if (status != LS_OK)
		return status;
	mark_needed(f);
	replay_deliveries(f);
	plan->frame.scratch[0] = (struct lsi_scratch){ f->items, f->items / plan->frame.blocks };
	add_first_step(f);
	if (!f->x->no_memory)
		add_rounds(f);
	if (!f->x->no_memory)
		add_last_step(f);
	f->x->table->algorithm.identical = true;
	return LS_OK;
}

int lsi_infer_blocks(struct lsi_inference *x)
{
	const struct ls_plan *plan = x->plan;
	const int64_t nodes = plan->problem.nodes;
	struct flood f = { .x = x,
		.sources = lsi_storage_is_rooted(plan, LS_INPUT) ? 1 : nodes,
		.blocks = lsi_buffer_blocks(plan, LS_INPUT) };
	int status = LS_ERR_MEMORY;

	if (f.blocks > ((int64_t)1 << CONTRIBUTIONS_LOG2) / nodes / f.sources)
		return lsi_error_set(x->why, LS_ERR_UNSUPPORTED,
			"too many contributions to follow: %" PRId64 " nodes with %" PRId64
			" blocks each; try fewer nodes",
			f.sources, f.blocks);
	f.items = f.sources * f.blocks;
	f.words = ((size_t)f.items + 63) / 64;
	f.has = lsi_alloc_zero((size_t)nodes * f.words, sizeof *f.has);
	f.before = lsi_alloc_zero((size_t)nodes * f.words, sizeof *f.before);
	f.carried = lsi_alloc_zero(x->count + 1, sizeof *f.carried);
	f.list = lsi_alloc(2 * (size_t)(f.items + nodes) * sizeof *f.list);
	if (f.has && f.before && f.carried && f.list)
		status = make_table(&f);
	lsi_free(f.has);
	lsi_free(f.before);
	lsi_free(f.carried);
	lsi_free(f.delivery);
	lsi_free(f.list);
	return status;
}
