/*
 * Unions of contributions for idempotent plans, 64 ranks at a time.
 *
 * One pass over all values in the order of their numbers takes one OR per value, so the exact check
 * of p ranks needs p / 64 passes and no sets.
 */
#include "check/expression.h"

size_t lsi_expressions_count(const struct lsi_expressions *e)
{
	return 1 + (size_t)e->leaves + e->count;
}

/* The operands of a value have lower numbers: held[] of both is already computed. */
void lsi_expressions_unite(const struct lsi_expressions *e, int64_t word, uint64_t *held)
{
	held[LSI_UNDEFINED] = 0;
	for (int64_t i = 0; i < e->leaves; i++) {
		const int64_t rank = i / e->blocks;

		held[1 + i] = rank / 64 == word ? (uint64_t)1 << (rank % 64) : 0;
	}
	for (size_t i = 0; i < e->count; i++)
		held[1 + (size_t)e->leaves + i] = held[e->made[i].a] | held[e->made[i].b];
}
