/*
 * The ranks of contents as runs of consecutive ranks, whatever form the contents have.
 */
#include "check/expression.h"

#include "base/math.h"

/* The first rank from `rank` on whose bit differs from those of `ignored`; none: `ranks`. */
static int64_t next_bit(const uint64_t *set, int64_t ranks, int64_t rank, uint64_t ignored)
{
	int64_t i = rank / 64;
	uint64_t word = (set[i] ^ ignored) & (UINT64_MAX << (rank % 64));

	while (word == 0) {
		if (++i > ranks / 64)
			return ranks;
		word = set[i] ^ ignored;
	}
	return lsi_min(i * 64 + __builtin_ctzll(word), ranks);
}

int64_t lsi_set_next(const uint64_t *set, int64_t ranks, int64_t rank)
{
	return next_bit(set, ranks, rank, 0);
}

/* An arc that wraps is two runs: 0 .. end - 1 and first .. ranks - 1. */
static struct lsi_run run_of_arc(int64_t first, int64_t count, int64_t ranks, int64_t rank)
{
	const int64_t end = first + count;

	if (count >= ranks)
		return (struct lsi_run){ 0, ranks - 1 };
	if (end > ranks && rank < end - ranks)
		return (struct lsi_run){ 0, end - ranks - 1 };
	return (struct lsi_run){ first, lsi_min(end, ranks) - 1 };
}

bool lsi_contents_run(
	const struct lsi_contents *contents, int64_t ranks, int64_t rank, struct lsi_run *out)
{
	struct lsi_run run = { 0, -1 };

	if (rank >= ranks)
		return false;
	if (contents->holding == LSI_HOLDS_ARC) {
		run = run_of_arc(contents->arc.first, contents->arc.count, ranks, rank);
	} else if (contents->holding == LSI_HOLDS_SET) {
		run.first = lsi_set_next(contents->set, ranks, rank);
		run.last = next_bit(contents->set, ranks, run.first, UINT64_MAX) - 1;
	}
	if (run.first < rank)
		run.first = rank;
	*out = run;
	return run.first <= run.last;
}
