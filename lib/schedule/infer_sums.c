/*
 * Partial sums: each node holds one value, the sum of a set of contributions, and sends it.
 *
 *   own set      arriving set   relation     move
 *   {0 1}        {2 3}          DISJOINT     add the arriving value
 *   {0 1}        {0 1 2 3}      CONTAINED    replace the own value
 *   {0 1 2 3}    {2 3}          CONTAINS     none
 *   {0 1}        {1 2}          OVERLAPS     1 would be added twice: no plan of sums exists
 *
 * Values alternate between two slots of scratch, because law 4 forbids overwriting a block that is
 * sent in the same round.
 */
#include "schedule/infer.h"

#include <string.h>

#include "base/alloc.h"

struct sums {
	struct lsi_inference *x;
	size_t words;           /* of a set */
	uint64_t *set, *before; /* by node: now, and at the start of the round */
	uint8_t *slot;          /* by node: the scratch slot of its value */
	bool ordered;           /* every sum covers consecutive ranks, added in rank order */
};

enum relation { DISJOINT, CONTAINS, CONTAINED, OVERLAPS };

/* How a node's own set relates to another one; CONTAINS if they are equal. */
static enum relation relation_of(const uint64_t *own, const uint64_t *other, size_t words)
{
	bool common = false, own_only = false, other_only = false;

	for (size_t w = 0; w < words; w++) {
		common |= (own[w] & other[w]) != 0;
		own_only |= (own[w] & ~other[w]) != 0;
		other_only |= (other[w] & ~own[w]) != 0;
	}
	if (!other_only)
		return CONTAINS;
	return !common ? DISJOINT : own_only ? OVERLAPS : CONTAINED;
}

/* The highest member of a set; -1: it is empty. */
static int64_t highest_member(const uint64_t *set, size_t words)
{
	for (size_t w = words; w-- > 0;)
		if (set[w])
			return (int64_t)(64 * w) + 63 - __builtin_clzll(set[w]);
	return -1;
}

static struct lsi_table_blocks value_in(uint8_t slot)
{
	return (struct lsi_table_blocks){ slot, 1, false, LS_SCRATCH };
}

/*
 * Add or copy the value on a port to slot `to`, and unite the sets.  Keep rank order if possible.
 */
static void receive_value(struct sums *s, int64_t node, const uint64_t *arriving, uint8_t port,
	enum relation relation, uint8_t to)
{
	uint64_t *own = &s->set[(size_t)node * s->words];
	const struct lsi_table_blocks arrival = { 0, 1, false, (uint8_t)(LS_ARRIVAL + port) };
	struct lsi_table_action move = { .kind = LSI_ACT_COPY, .dst = value_in(to), .a = arrival };

	if (relation == DISJOINT) {
		const bool after =
			highest_member(own, s->words) + 1 == lsi_infer_lowest(arriving, s->words);
		const bool before =
			highest_member(arriving, s->words) + 1 == lsi_infer_lowest(own, s->words);

		move.kind = LSI_ACT_COMBINE;
		move.a = before ? arrival : value_in(s->slot[node]);
		move.b = before ? value_in(s->slot[node]) : arrival;
		s->ordered &= after || before;
	}
	lsi_infer_action(s->x, move);
	s->slot[node] = to;
	for (size_t w = 0; w < s->words; w++)
		own[w] |= arriving[w];
}

/* One end of a message. */
static void add_part(struct sums *s, const struct lsi_part_of_round *part)
{
	const struct lsi_scheduled *m = &s->x->message[part->message];

	lsi_infer_node(s->x, part->node);
	if (part->sends)
		lsi_infer_action(s->x,
			(struct lsi_table_action){ .kind = LSI_ACT_SEND,
				.port = m->out,
				.peer = m->message.dst,
				.a = value_in(s->slot[part->node]) });
	else
		lsi_infer_action(s->x,
			(struct lsi_table_action){
				.kind = LSI_ACT_RECEIVE, .port = m->in, .peer = m->message.src, .arrives = 1 });
}

/* The moves of a node in a round, after its sends and receives; false: an overlap. */
static bool add_moves(
	struct sums *s, const struct lsi_part_of_round *part, size_t parts, int64_t node)
{
	const uint8_t to = s->slot[node] ^ 1;

	for (size_t i = 0; i < parts && part[i].node == node; i++) {
		const struct lsi_scheduled *m = &s->x->message[part[i].message];
		const uint64_t *arriving = &s->before[(size_t)m->message.src * s->words];

		if (part[i].sends || m->message.unsent)
			continue;

		const enum relation relation =
			relation_of(&s->set[(size_t)node * s->words], arriving, s->words);

		if (relation == OVERLAPS)
			return false;
		if (relation != CONTAINS)
			receive_value(s, node, arriving, m->in, relation, to);
	}
	return true;
}

/* All nodes of a round send the values that they had before it. */
static bool add_round(struct sums *s, const struct lsi_round_parts *round)
{
	const size_t bytes = (size_t)s->x->plan->problem.nodes * s->words * sizeof *s->set;

	memcpy(s->before, s->set, bytes);
	lsi_infer_step(s->x, false);
	for (size_t i = 0, next; i < round->parts && !s->x->no_memory; i = next) {
		for (next = i; next < round->parts && round->part[next].node == round->part[i].node; next++)
			add_part(s, &round->part[next]);
		if (!add_moves(s, &round->part[i], round->parts - i, round->part[i].node))
			return false;
	}
	return true;
}

/* The first and the last step: INPUT to slot 0; the value to OUTPUT where the result is defined. */
static void copy_at_all(struct sums *s, bool end)
{
	const struct lsi_problem *p = &s->x->plan->problem;

	lsi_infer_step(s->x, true);
	for (int64_t r = 0; r < p->nodes && !s->x->no_memory; r++) {
		const struct lsi_table_blocks input = { 0, 1, false, LS_INPUT },
									  output = { 0, 1, false, LS_OUTPUT };

		if (end && p->operation == LS_REDUCE && r != p->root)
			continue;
		lsi_infer_node(s->x, r);
		lsi_infer_action(s->x,
			(struct lsi_table_action){ .kind = LSI_ACT_COPY,
				.dst = end ? output : value_in(0),
				.a = end ? value_in(s->slot[r]) : input });
	}
}

/* The whole table; false: an overlap. */
static bool add_all(struct sums *s)
{
	bool fits = true;
	size_t next = 0;

	copy_at_all(s, false);
	for (int64_t round = 1; round <= s->x->rounds && fits && !s->x->no_memory; round++) {
		struct lsi_round_parts parts = lsi_infer_round(s->x, next, round);

		fits = !s->x->no_memory && add_round(s, &parts);
		next = parts.last;
		lsi_free(parts.part);
	}
	if (fits && !s->x->no_memory)
		copy_at_all(s, true);
	return fits;
}

/* After a failure the other method starts with an empty table. */
static void clear_table(struct lsi_table *t)
{
	t->steps = t->rows = t->actions = t->numbers = 0;
}

int lsi_infer_sums(struct lsi_inference *x)
{
	const size_t nodes = (size_t)x->plan->problem.nodes, words = (nodes + 63) / 64;
	struct sums s = { x, words, lsi_alloc_zero(nodes * words, sizeof *s.set),
		lsi_alloc_zero(nodes * words, sizeof *s.before), lsi_alloc_zero(nodes, 1), true };
	bool fits = false;

	x->no_memory = !s.set || !s.before || !s.slot;
	if (!x->no_memory) {
		for (size_t r = 0; r < nodes; r++)
			s.set[r * words + r / 64] = (uint64_t)1 << (r % 64);
		fits = add_all(&s);
	}
	lsi_free(s.set);
	lsi_free(s.before);
	lsi_free(s.slot);
	if (x->no_memory)
		return LS_ERR_MEMORY;
	if (!fits) {
		clear_table(x->table);
		return LS_ERR_UNSUPPORTED;
	}
	x->plan->frame.scratch[0] = (struct lsi_scratch){ 2, 2 };
	x->table->algorithm.claim = s.ordered ? LS_ORDERED : LS_COMMUTATIVE;
	return LS_OK;
}
