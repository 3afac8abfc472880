#include "check/expression.h"

#include <string.h>

#include <lockstep/status.h>

#include "base/alloc.h"
#include "base/math.h"

int lsi_expressions_init(struct lsi_expressions *e, int64_t ranks, int64_t blocks, size_t limit)
{
	*e = (struct lsi_expressions){ .ranks = ranks, .blocks = blocks, .limit = limit };
	if (ranks > (int64_t)(UINT32_MAX / 2) / blocks)
		return LS_ERR_MEMORY;
	e->leaves = ranks * blocks;
	e->room = 256;
	e->mask = 2 * e->room - 1;
	e->made = lsi_alloc(e->room * sizeof *e->made);
	e->table = lsi_alloc_zero(e->mask + 1, sizeof *e->table);
	e->scratch = lsi_alloc(2 * lsi_set_words(e) * sizeof *e->scratch);
	return e->made && e->table && e->scratch ? LS_OK : LS_ERR_MEMORY;
}

void lsi_expressions_fini(struct lsi_expressions *e)
{
	for (size_t i = 0; i < e->count; i++) {
		if (e->made[i].holding == LSI_HOLDS_SET)
			lsi_free(e->made[i].set);
	}
	lsi_free(e->made);
	lsi_free(e->table);
	lsi_free(e->scratch);
	lsi_free(e->before);
}

/* The expression of a value that is not a leaf. */
static const struct lsi_expression *made(const struct lsi_expressions *e, lsi_value value)
{
	return &e->made[value - 1 - (lsi_value)e->leaves];
}

int64_t lsi_expression_block(const struct lsi_expressions *e, lsi_value value)
{
	return lsi_expression_is_leaf(e, value) ? (value - 1) % e->blocks : made(e, value)->block;
}

int64_t lsi_expression_origin(const struct lsi_expressions *e, lsi_value value)
{
	while (!lsi_expression_is_leaf(e, value))
		value = made(e, value)->a;
	return (value - 1) / e->blocks;
}

struct lsi_contents lsi_expression_contents(const struct lsi_expressions *e, lsi_value value)
{
	struct lsi_contents c = { .holding = LSI_HOLDS_ARC, .ordered = true, .twice = -1 };

	if (lsi_expression_is_leaf(e, value)) {
		c.arc.first = (value - 1) / e->blocks;
		c.arc.count = 1;
		return c;
	}

	const struct lsi_expression *x = made(e, value);

	c.holding = x->holding;
	c.ordered = x->ordered;
	c.twice = (int64_t)x->twice - 1;
	if (x->holding == LSI_HOLDS_SET) {
		c.set = x->set;
	} else if (x->holding == LSI_HOLDS_FINGERPRINT) {
		c.fingerprint = x->fingerprint;
	} else {
		c.arc.first = x->arc.first;
		c.arc.count = x->arc.count;
	}
	return c;
}

/* ---- Sets */

size_t lsi_set_words(const struct lsi_expressions *e)
{
	return (size_t)e->ranks / 64 + 1;
}

/* The ranks from .. to - 1, a word at a time; nothing if the range is empty. */
static void add_range(uint64_t *set, int64_t from, int64_t to)
{
	for (int64_t r = from; r < to;) {
		const int64_t end = r / 64 == to / 64 ? to : (r / 64 + 1) * 64;
		const uint64_t ones = end - r == 64 ? UINT64_MAX : ((uint64_t)1 << (end - r)) - 1;

		set[r / 64] |= ones << (r % 64);
		r = end;
	}
}

/* Add an arc or a set; an arc that wraps is two ranges. */
static void add(const struct lsi_expressions *e, uint64_t *set, const struct lsi_contents *c)
{
	if (c->holding == LSI_HOLDS_SET) {
		for (size_t i = 0; i < lsi_set_words(e); i++)
			set[i] |= c->set[i];
		return;
	}

	const int64_t end = c->arc.first + c->arc.count;

	add_range(set, c->arc.first, end < e->ranks ? end : e->ranks);
	add_range(set, 0, end - e->ranks);
}

void lsi_set_add(const struct lsi_expressions *e, uint64_t *set, lsi_value value)
{
	const struct lsi_contents c = lsi_expression_contents(e, value);

	add(e, set, &c);
}

int64_t lsi_set_common(const struct lsi_expressions *e, const uint64_t *set, lsi_value value)
{
	memset(e->scratch, 0, lsi_set_words(e) * sizeof *e->scratch);
	lsi_set_add(e, e->scratch, value);
	for (size_t i = 0; i < lsi_set_words(e); i++) {
		if (set[i] & e->scratch[i])
			return (int64_t)(i * 64) + __builtin_ctzll(set[i] & e->scratch[i]);
	}
	return -1;
}

/* ---- Fingerprints */

/* Prefix sums of one random number per rank, twice, so that an arc takes two subtractions. */
static int make_fingerprints(struct lsi_expressions *e)
{
	if (e->before)
		return LS_OK;
	e->before = lsi_alloc_zero((size_t)e->ranks + 1, sizeof *e->before);
	if (!e->before)
		return LS_ERR_MEMORY;
	for (int64_t r = 0; r < e->ranks; r++) {
		for (int i = 0; i < 2; i++)
			e->before[r + 1].sum[i] = e->before[r].sum[i] + lsi_mix((uint64_t)(4 * r + i + 1));
	}
	return LS_OK;
}

/* The ranks from .. to - 1. */
static void add_sums(
	const struct lsi_expressions *e, struct lsi_fingerprint *f, int64_t from, int64_t to)
{
	for (int i = 0; i < 2; i++)
		f->sum[i] += e->before[to].sum[i] - e->before[from].sum[i];
}

/* The fingerprint of any contents. */
static struct lsi_fingerprint fingerprint(
	const struct lsi_expressions *e, const struct lsi_contents *c)
{
	struct lsi_fingerprint f = { { 0, 0 } };

	if (c->holding == LSI_HOLDS_FINGERPRINT)
		return c->fingerprint;
	if (c->holding == LSI_HOLDS_SET) {
		for (int64_t r = lsi_set_next(c->set, e->ranks, 0); r < e->ranks;
			 r = lsi_set_next(c->set, e->ranks, r + 1))
			add_sums(e, &f, r, r + 1);
		return f;
	}

	const int64_t end = c->arc.first + c->arc.count;

	add_sums(e, &f, c->arc.first, end < e->ranks ? end : e->ranks);
	if (end > e->ranks)
		add_sums(e, &f, 0, end - e->ranks);
	return f;
}

/* ---- Combining */

static void hold_arc(struct lsi_expression *x, int64_t first, int64_t count, bool ordered)
{
	x->holding = LSI_HOLDS_ARC;
	x->ordered = ordered;
	x->arc.first = (uint32_t)first;
	x->arc.count = (uint32_t)count;
}

/* a (+) b is one arc if a ends where b begins; b before a works, too, but not in rank order. */
static bool join_arcs(const struct lsi_expressions *e, struct lsi_expression *x,
	const struct lsi_contents *a, const struct lsi_contents *b)
{
	if (a->holding != LSI_HOLDS_ARC || b->holding != LSI_HOLDS_ARC)
		return false;

	const int64_t count = a->arc.count + b->arc.count;

	if (count > e->ranks)
		return false;
	if ((a->arc.first + a->arc.count) % e->ranks == b->arc.first) {
		const bool wraps = a->arc.first + a->arc.count != b->arc.first;

		hold_arc(x, a->arc.first, count, a->ordered && b->ordered && !wraps);
		return true;
	}
	if ((b->arc.first + b->arc.count) % e->ranks == a->arc.first) {
		hold_arc(x, b->arc.first, count, false);
		return true;
	}
	return false;
}

/* Beyond the memory limit: x holds the sum of both fingerprints. */
static int add_fingerprints(struct lsi_expressions *e, struct lsi_expression *x,
	const struct lsi_contents *a, const struct lsi_contents *b)
{
	if (make_fingerprints(e) != LS_OK)
		return LS_ERR_MEMORY;

	const struct lsi_fingerprint f = fingerprint(e, a), g = fingerprint(e, b);

	e->by_fingerprint = true;
	x->holding = LSI_HOLDS_FINGERPRINT;
	for (int i = 0; i < 2; i++)
		x->fingerprint.sum[i] = f.sum[i] + g.sum[i];
	return LS_OK;
}

/* Represent a (+) b as a set, and record the first rank that is in both. */
static int unite(struct lsi_expressions *e, struct lsi_expression *x, const struct lsi_contents *a,
	const struct lsi_contents *b)
{
	const size_t words = lsi_set_words(e), bytes = words * sizeof(uint64_t);

	if (a->holding == LSI_HOLDS_FINGERPRINT || b->holding == LSI_HOLDS_FINGERPRINT
		|| e->used + bytes > e->limit)
		return add_fingerprints(e, x, a, b);

	uint64_t *set = lsi_alloc_zero(words, sizeof *set);
	int64_t ranks = 0;

	if (!set)
		return LS_ERR_MEMORY;
	memset(e->scratch, 0, bytes);
	add(e, set, a);
	add(e, e->scratch, b);
	for (size_t i = 0; i < words; i++) {
		const uint64_t common = set[i] & e->scratch[i];

		if (common && x->twice == 0)
			x->twice = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(common) + 1;
		set[i] |= e->scratch[i];
		ranks += __builtin_popcountll(set[i]);
	}
	if (ranks == e->ranks) {
		lsi_free(set);
		hold_arc(x, 0, ranks, false);
		return LS_OK;
	}
	e->used += bytes;
	x->holding = LSI_HOLDS_SET;
	x->set = set;
	return LS_OK;
}

/* The slot of (a, b) in the table: its value, or LSI_UNDEFINED where it can be inserted. */
static lsi_value *find(const struct lsi_expressions *e, lsi_value a, lsi_value b)
{
	size_t i = (size_t)lsi_mix((uint64_t)a << 32 | b) & e->mask;

	for (; e->table[i]; i = (i + 1) & e->mask) {
		const struct lsi_expression *x = made(e, e->table[i]);

		if (x->a == a && x->b == b)
			break;
	}
	return &e->table[i];
}

/* Double the arrays if they are full, and insert all values into the larger table. */
static int make_room(struct lsi_expressions *e)
{
	if (e->count < e->room)
		return LS_OK;
	if ((uint64_t)e->leaves + 2 * e->room >= UINT32_MAX)
		return LS_ERR_MEMORY;

	struct lsi_expression *more =
		lsi_alloc_grow(e->made, e->count * sizeof *more, 2 * e->room * sizeof *more);

	if (!more)
		return LS_ERR_MEMORY;
	e->made = more;

	lsi_value *table = lsi_alloc_zero(4 * e->room, sizeof *table);

	if (!table)
		return LS_ERR_MEMORY;
	lsi_free(e->table);
	e->table = table;
	e->room *= 2;
	e->mask = 2 * e->room - 1;
	for (size_t i = 0; i < e->count; i++)
		*find(e, more[i].a, more[i].b) = (lsi_value)(1 + (size_t)e->leaves + i);
	return LS_OK;
}

int lsi_expression_combine(struct lsi_expressions *e, lsi_value a, lsi_value b, lsi_value *out)
{
	if (make_room(e) != LS_OK)
		return LS_ERR_MEMORY;

	lsi_value *slot = find(e, a, b);

	if (*slot == LSI_UNDEFINED) {
		const struct lsi_contents in_a = lsi_expression_contents(e, a);
		const struct lsi_contents in_b = lsi_expression_contents(e, b);
		const int64_t twice = in_a.twice >= 0 ? in_a.twice : in_b.twice;
		struct lsi_expression x = { .a = a,
			.b = b,
			.twice = (uint32_t)(twice + 1),
			.block = (uint32_t)lsi_expression_block(e, a) };

		if (!join_arcs(e, &x, &in_a, &in_b) && unite(e, &x, &in_a, &in_b) != LS_OK)
			return LS_ERR_MEMORY;
		e->made[e->count++] = x;
		*slot = (lsi_value)((size_t)e->leaves + e->count);
	}
	*out = *slot;
	return LS_OK;
}

/* ---- Comparing */

/* The first rank that is in one set and not in the other; -1: none. */
static int64_t first_only_in(
	const struct lsi_expressions *e, const uint64_t *set, const uint64_t *other)
{
	for (size_t i = 0; i < lsi_set_words(e); i++) {
		if (set[i] & ~other[i])
			return (int64_t)(i * 64) + __builtin_ctzll(set[i] & ~other[i]);
	}
	return -1;
}

bool lsi_expression_is(const struct lsi_expressions *e, lsi_value value, int64_t first,
	int64_t count, struct lsi_difference *difference)
{
	const struct lsi_contents held = lsi_expression_contents(e, value);
	const struct lsi_contents expected = { .holding = LSI_HOLDS_ARC, .arc = { first, count } };
	uint64_t *held_set = e->scratch, *expected_set = e->scratch + lsi_set_words(e);

	*difference = (struct lsi_difference){ -1, -1 };
	if (held.holding == LSI_HOLDS_ARC && held.arc.count == count
		&& (held.arc.first == first || count == e->ranks))
		return true;
	if (held.holding == LSI_HOLDS_FINGERPRINT) {
		const struct lsi_fingerprint f = fingerprint(e, &expected);

		return f.sum[0] == held.fingerprint.sum[0] && f.sum[1] == held.fingerprint.sum[1];
	}
	memset(e->scratch, 0, 2 * lsi_set_words(e) * sizeof *e->scratch);
	add(e, held_set, &held);
	add(e, expected_set, &expected);
	difference->lacks = first_only_in(e, expected_set, held_set);
	difference->excess = first_only_in(e, held_set, expected_set);
	return difference->lacks < 0 && difference->excess < 0;
}
