#include "find/rounds_front.h"

#include <stdlib.h>

static int compare_rows(const void *a, const void *b)
{
	const struct front_row *x = a, *y = b;

	if (x->rounds != y->rounds)
		return x->rounds < y->rounds ? -1 : 1;
	if (x->volume != y->volume)
		return x->volume < y->volume ? -1 : 1;
	return x->cost < y->cost ? -1 : x->cost > y->cost;
}

int front_of(struct front_row *row, int count)
{
	int kept = 0;

	qsort(row, (size_t)count, sizeof *row, compare_rows);
	for (int i = 0; i < count; i++)
		if (kept == 0 || row[i].volume < row[kept - 1].volume)
			row[kept++] = row[i];
	return kept;
}

int list_front_candidates(const struct ls_request *request, struct front_row *row, int count)
{
	struct ls_candidate c = { .size = sizeof c };

	for (size_t i = 0; count < FRONT_ROWS && ls_candidate_list(request, i, &c); i++)
		if (c.cost >= 0)
			row[count++] =
				(struct front_row){ c.algorithm, c.counts.rounds, c.counts.volume, c.cost };
	return count;
}
