/*
 * The contributions in a symbolic value equal those of plain counting: random expressions over
 * machines of many sizes, with sets and with fingerprints.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/expression.h"
#include "support/guard.h"
#include "test.h"

enum { VALUES = 400, RANKS_MAX = 200 };

/* A value counted plainly: how often each rank is in it, and whether they are in order. */
struct plain {
	lsi_value value;
	int64_t block, times[RANKS_MAX];
	bool ordered;
	int64_t first, last;
};

static uint64_t state;

static struct plain leaf(const struct lsi_expressions *e, int64_t rank, int64_t block)
{
	struct plain x = { .value = lsi_expression_leaf(e, rank, block),
		.block = block,
		.ordered = true,
		.first = rank,
		.last = rank };

	x.times[rank] = 1;
	return x;
}

static struct plain combine(struct lsi_expressions *e, const struct plain *a, const struct plain *b)
{
	struct plain x = { .block = a->block,
		.ordered = a->ordered && b->ordered && a->last + 1 == b->first,
		.first = a->first,
		.last = b->last };
	lsi_value again;

	for (int64_t r = 0; r < RANKS_MAX; r++)
		x.times[r] = a->times[r] + b->times[r];
	CHECK(lsi_expression_combine(e, a->value, b->value, &x.value) == 0, "no memory");
	CHECK(lsi_expression_combine(e, a->value, b->value, &again) == 0 && again == x.value,
		"not the same value");
	return x;
}

/* Whether exactly the ranks first .. first+count-1, modulo nothing, are in it. */
static bool is_plainly(const struct plain *x, int64_t ranks, int64_t first, int64_t count)
{
	for (int64_t r = 0; r < ranks; r++) {
		if ((x->times[r] > 0) != (r >= first && r < first + count))
			return false;
	}
	return true;
}

/* Of all values at once, however they hold their ranks. */
static void test_unions(const struct lsi_expressions *e, const struct plain *x, int values)
{
	uint64_t *held = malloc(lsi_expressions_count(e) * sizeof *held);

	for (int64_t word = 0; held && 64 * word < e->ranks; word++) {
		lsi_expressions_unite(e, word, held);
		for (int64_t i = 0; i < 64 * values; i++) {
			const struct plain *v = &x[i / 64];
			const int64_t r = 64 * word + i % 64;
			const bool has = r < e->ranks && v->times[r] > 0;

			CHECK(
				(held[v->value] >> i % 64 & 1) == has, "p %" PRId64 ": rank %" PRId64, e->ranks, r);
		}
	}
	CHECK(held != NULL, "no memory");
	free(held);
}

static void compare(const struct lsi_expressions *e, const struct plain *x)
{
	const struct lsi_contents c = lsi_expression_contents(e, x->value);
	const int64_t p = e->ranks, first = random_below(&state, p),
				  count = 1 + random_below(&state, p - first);
	int64_t twice = 0;
	struct lsi_difference d;

	for (int64_t r = 0; r < p; r++)
		twice += x->times[r] > 1;
	CHECK(lsi_expression_block(e, x->value) == x->block, "block");
	CHECK(c.ordered == x->ordered, "p %" PRId64 ": ordered %d", p, c.ordered);
	if (c.holding == LSI_HOLDS_FINGERPRINT) {
		if (twice == 0)
			CHECK(lsi_expression_is(e, x->value, 0, p, &d) == is_plainly(x, p, 0, p), "p %" PRId64,
				p);
		return;
	}
	CHECK((c.twice >= 0) == (twice > 0) && (c.twice < 0 || x->times[c.twice] > 1), "twice %" PRId64,
		c.twice);
	CHECK(lsi_expression_is(e, x->value, first, count, &d) == is_plainly(x, p, first, count),
		"p %" PRId64 ": %" PRId64 " from %" PRId64, p, count, first);
	CHECK(lsi_expression_is(e, x->value, 0, p, &d) == is_plainly(x, p, 0, p), "p %" PRId64, p);
	CHECK(d.lacks < 0 || x->times[d.lacks] == 0, "lacks %" PRId64, d.lacks);
	CHECK(d.excess < 0, "excess %" PRId64, d.excess);
}

/* Combine what was made before, so that arcs, sets and repetitions all come about. */
static void test_random(int64_t ranks, size_t limit)
{
	static struct plain x[VALUES];
	struct lsi_expressions e;

	CHECK(lsi_expressions_init(&e, ranks, 2, limit) == 0, "no memory");
	for (int i = 0; i < VALUES; i++) {
		if (i < 2 * ranks && i < VALUES / 2) {
			x[i] = leaf(&e, i / 2, i % 2);
		} else {
			const struct plain *a = &x[random_below(&state, i)], *b = &x[random_below(&state, i)];

			x[i] = combine(&e, a, b->block == a->block ? b : a);
		}
		compare(&e, &x[i]);
	}
	CHECK(limit > 0 || ranks < 4 || e.by_fingerprint, "p %" PRId64, ranks);
	test_unions(&e, x, VALUES);
	lsi_expressions_fini(&e);
}

/* Everything, each once, put together in random order. */
static void test_whole(int64_t ranks, size_t limit)
{
	static struct plain x[RANKS_MAX];
	struct lsi_expressions e;

	CHECK(lsi_expressions_init(&e, ranks, 2, limit) == 0, "no memory");
	for (int64_t r = 0; r < ranks; r++)
		x[r] = leaf(&e, r, 1);
	for (int64_t left = ranks; left > 1; left--) {
		const int64_t i = random_below(&state, left - 1);
		struct lsi_difference d;

		CHECK(!lsi_expression_is(&e, x[i].value, 0, ranks, &d), "not whole yet");
		x[i] = combine(&e, &x[i], &x[left - 1]);
		compare(&e, &x[i]);
	}

	struct lsi_difference d;

	CHECK(lsi_expression_is(&e, x[0].value, 0, ranks, &d), "p %" PRId64 ": whole", ranks);
	lsi_expressions_fini(&e);
}

/* Sets that fill up as messages arrive. */
static void test_received(int64_t ranks)
{
	struct lsi_expressions e;
	uint64_t set[RANKS_MAX / 64 + 1] = { 0 };
	bool in[RANKS_MAX] = { false };

	CHECK(lsi_expressions_init(&e, ranks, 1, 1 << 20) == 0, "no memory");
	for (int i = 0; i < 300; i++) {
		const int64_t r = random_below(&state, ranks);
		const lsi_value value = lsi_expression_leaf(&e, r, 0);

		CHECK(lsi_set_common(&e, set, value) == (in[r] ? r : -1), "rank %" PRId64, r);
		lsi_set_add(&e, set, value);
		in[r] = true;
	}
	for (int64_t r = lsi_set_next(set, ranks, 0), expected = 0; r < ranks;
		 r = lsi_set_next(set, ranks, r + 1)) {
		while (!in[expected])
			expected++;
		CHECK(r == expected++, "next %" PRId64, r);
	}
	lsi_expressions_fini(&e);
}

int main(void)
{
	static const int64_t sizes[] = { 1, 2, 3, 5, 63, 64, 65, 127, 128, 129, 200 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (int round = 0; round < 5; round++) {
			test_random(sizes[i], (size_t)1 << 30);
			test_random(sizes[i], 0);
			test_whole(sizes[i], (size_t)1 << 30);
			test_whole(sizes[i], 0);
		}
		test_received(sizes[i]);
	}
	return test_result();
}
