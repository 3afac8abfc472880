/*
 * User-defined element types: matrices, sequences and triples with their operators.
 */
#ifndef LOCKSTEP_TEST_USER_ELEMENTS_H
#define LOCKSTEP_TEST_USER_ELEMENTS_H

#include "support/operand.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "operator_reference.h"
#include "support/guard.h"
#include "test.h"

/* ---- User-defined elements */

/* 2 x 2 matrices of integers modulo 2^32 under their product: not commutative. */
struct matrix {
	uint32_t a, b, c, d;
};

static struct matrix product(struct matrix x, struct matrix y)
{
	return (struct matrix){ x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
		x.c * y.b + x.d * y.d };
}

/*
 * A sequence of neighboring ranks and the hash of its words.  What does not follow is spoilt for
 * good.
 */
struct sequence {
	int64_t first, last;
	uint64_t hash;
};
enum { SPOILT = -1 };

static uint64_t power(uint64_t base, int64_t exponent)
{
	uint64_t y = 1;

	for (; exponent > 0; exponent /= 2, base *= base)
		y *= exponent % 2 ? base : 1;
	return y;
}

static struct sequence join(struct sequence x, struct sequence y)
{
	if (x.first == SPOILT || y.first == SPOILT || x.last + 1 != y.first)
		return (struct sequence){ SPOILT, SPOILT, 0 };
	return (struct sequence){ x.first, y.last,
		x.hash * power(0x100000001b3u, y.last - y.first + 1) + y.hash };
}

/* Three bytes, each added for itself: an element that is aligned to nothing. */
struct triple {
	uint8_t x[3];
};

static struct triple add(struct triple x, struct triple y)
{
	return (struct triple){ { (uint8_t)(x.x[0] + y.x[0]), (uint8_t)(x.x[1] + y.x[1]),
		(uint8_t)(x.x[2] + y.x[2]) } };
}

#define COMBINE(name, T, join) \
	static void name(void *dst, const void *a, const void *b, size_t n, void *context) \
	{ \
		(void)context; \
		for (size_t i = 0; i < n; i++) { \
			T x, y; \
			memcpy(&x, (const char *)a + i * sizeof x, sizeof x); \
			memcpy(&y, (const char *)b + i * sizeof y, sizeof y); \
			x = join(x, y); \
			memcpy((char *)dst + i * sizeof x, &x, sizeof x); \
		} \
	}
COMBINE(combine_matrices, struct matrix, product)
COMBINE(combine_sequences, struct sequence, join)
COMBINE(combine_triples, struct triple, add)

#endif
