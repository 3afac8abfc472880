/*
 * Integer arithmetic that C lacks: the mathematical mod, saturating sums and products, logarithms,
 * divisors and multiples, the mixing of bits.
 */
#ifndef LSI_BASE_MATH_H
#define LSI_BASE_MATH_H

#include <stddef.h>
#include <stdint.h>

/* a mod m in 0 .. m-1, also for negative a (C's % is negative there); m > 0. */
static inline int64_t lsi_wrap(int64_t a, int64_t m)
{
	const int64_t rest = a % m;

	return rest < 0 ? rest + m : rest;
}

static inline int64_t lsi_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t lsi_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Saturating sum and product of two numbers >= 0: INT64_MAX stands for everything above. */
static inline int64_t lsi_add_sat(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static inline int64_t lsi_mul_sat(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* floor and ceiling of log2(x); x >= 1. */
static inline int lsi_log2_floor(int64_t x)
{
	return 63 - __builtin_clzll((unsigned long long)x);
}

static inline int lsi_log2_ceil(int64_t x)
{
	return x > 1 ? lsi_log2_floor(x - 1) + 1 : 0;
}

/* The greatest common divisor. */
static inline int64_t lsi_gcd(int64_t a, int64_t b)
{
	return b ? lsi_gcd(b, a % b) : a;
}

/* The next multiple; SIZE_MAX stands for everything above. */
static inline size_t lsi_round_up(size_t n, size_t to)
{
	return n > SIZE_MAX - to ? SIZE_MAX : (n + to - 1) / to * to;
}

/* splitmix64 of Steele, Lea, Flood, OOPSLA 2014, without its counter. */
static inline uint64_t lsi_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* A number for all that was mixed before, and a text; NULL is the empty text. */
static inline uint64_t lsi_mix_text(uint64_t before, const char *text)
{
	for (; text && *text; text++)
		before = lsi_mix(before + (unsigned char)*text);
	return lsi_mix(before + 1);
}

#endif
