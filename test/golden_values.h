/*
 * Operands of test/golden_bits.c for every type and operator.  They are made of integers alone, so
 * they are the same on every processor and with every compiler.
 */
#ifndef LOCKSTEP_TEST_GOLDEN_VALUES_H
#define LOCKSTEP_TEST_GOLDEN_VALUES_H

#include "operator_values.h"

/* A type with an operator, and where its elements begin in a row of operands or results. */
struct combination {
	struct shape shape;
	ls_op op;
	bool is_first; /* of its type */
	size_t size, at;
};

enum { COMBINATIONS = 118, ELEMENTS_MOST = 120 };
struct combinations {
	struct combination of[COMBINATIONS];
	int n;
	size_t row; /* bytes */
};

static void add_combinations(struct combinations *c, struct shape shape)
{
	bool is_first = true;

	for (size_t i = 0; i < OPERATORS; i++) {
		if (!strchr(operators[i].forms, shape.form))
			continue;

		const size_t size = ls_type_size(shape.type);

		c->of[c->n++] = (struct combination){ shape, operators[i].op, is_first, size, c->row };
		c->row += ELEMENTS_MOST * size;
		is_first = false;
	}
}

static struct combinations all_combinations(void)
{
	struct combinations c = { .n = 0 };

	for (size_t i = 0; i < VALUE_SHAPES; i++) {
		add_combinations(&c, value_shapes[i]);
		if (value_shapes[i].form != 'c')
			add_combinations(&c, pair_of(value_shapes[i]));
	}
	CHECK(c.n == COMBINATIONS, "%d types with operators", c.n);
	return c;
}

/* ---- Operands */

/*
 * What the elements at one index are.  Near one: products of all nodes stay in range.  Wide: sums
 * lose digits, and cancel.  Low, high: products under- and overflow.  Few: values that are often
 * equal, and both zeros.  Any: infinities and NaN with payloads, too.
 */
enum mix { NEAR_ONE, WIDE, SUBNORMAL, HUGE_SUM, LOW, HIGH, FEW, ANY, MIXES };

static uint64_t floating_part(enum mix mix, size_t width)
{
	const unsigned digits = width == 4 ? 23 : 52;
	const uint64_t bias = width == 4 ? 127 : 1023, one = bias << digits;
	const struct {
		uint64_t least, span;
	} exponents[] = { { bias - 1, 2 }, { bias - digits, 2 * digits }, { 0, 3 }, { 2 * bias - 2, 3 },
		{ bias - bias / 6, 3 }, { bias + bias / 6, 3 } };
	const uint64_t bits = random_bits(), how = random_bits(), sign = how & 1 ? sign_bit(width) : 0;

	if (mix == FEW)
		return sign | (how & 2 ? one : 0);
	return sign | (exponents[mix].least + (how >> 8) % exponents[mix].span) << digits
		| (bits & (((uint64_t)1 << digits) - 1));
}

static uint64_t part(const struct shape *s, enum mix mix)
{
	if (s->part == 'f')
		return floating_part(mix, s->width);
	/* Odd: a product of many random integers would be 0. */
	return mix == FEW ? random_bits() % 3 : random_bits() | (mix == NEAR_ONE);
}

static void put_mixed(const struct shape *s, enum mix mix, void *element)
{
	const int64_t index = (int64_t)(random_bits() % 4) - 1;

	if (mix == ANY) {
		put_random(s, element);
		return;
	}
	put_special(s, 0, element); /* padding */
	store(element, s->width, part(s, mix));
	if (s->form == 'c')
		store((char *)element + s->width, s->width, part(s, mix));
	if (s->form == 'p')
		memcpy((char *)element + 8, &index, sizeof index);
}

/* The row of a node; the nodes in turn. */
static void fill_row(const struct combinations *c, char *row)
{
	for (int i = 0; i < c->n; i++) {
		for (size_t k = 0; k < ELEMENTS_MOST; k++)
			put_mixed(&c->of[i].shape, k % MIXES, row + c->of[i].at + k * c->of[i].size);
	}
}

#endif
