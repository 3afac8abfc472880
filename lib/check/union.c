/*
 * Unions of contributions for idempotent plans, 64 contributions at a time.
 */
#include "check/expression.h"

size_t lsi_expressions_count(const struct lsi_expressions *e)
{
	return 1 + (size_t)e->leaves + e->count;
}

/* The operands of a value are leaves, or were made before it. */
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
