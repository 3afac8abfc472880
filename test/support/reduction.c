#include "support/reduction.h"

struct reduction *reduction_make(struct chunk **chunk, bool sums, int n)
{
	struct reduction *r = chunk_take(chunk, sizeof *r + (size_t)n * sizeof *r->value);

	r->sums = sums;
	r->n = n;
	return r;
}

void reduction_contribute(struct reduction *r, const int64_t *values)
{
	for (int i = 0; i < r->n; i++) {
		if (r->sums)
			r->value[i] = (int64_t)((uint64_t)r->value[i] + (uint64_t)values[i]);
		else if (r->arrived == 0 || values[i] < r->value[i])
			r->value[i] = values[i];
	}
	r->arrived++;
}
