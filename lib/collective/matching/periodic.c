#include "collective/matching/periodic.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A plan keeps a number for each. */
enum { TIMES = 1 << 22 };

struct lsi_periodic *lsi_periodic_make(int64_t nodes, int64_t period, int64_t hops)
{
	const size_t entries = (size_t)(nodes * period), n = (size_t)hops;
	struct lsi_periodic *const s = lsi_alloc_zero(
		1, sizeof *s + n * (sizeof *s->hop + sizeof *s->sorted) + 2 * entries * sizeof *s->at[0]);

	if (!s)
		return NULL;
	s->nodes = nodes;
	s->period = period;
	s->hop = (struct lsi_periodic_hop *)(s + 1);
	s->sorted = (int64_t *)(s->hop + n);
	s->at[LSI_HOP_SENT] = (int32_t *)(s->sorted + n);
	s->at[LSI_HOP_RECEIVED] = s->at[LSI_HOP_SENT] + entries;
	memset(s->at[LSI_HOP_SENT], -1, 2 * entries * sizeof *s->at[0]);
	return s;
}

static int32_t *entry(struct lsi_periodic *s, enum lsi_hop_end end, int64_t node, int64_t start)
{
	return &s->at[end][node * s->period + start % s->period];
}

void lsi_periodic_add(struct lsi_periodic *s, int64_t from, int64_t to, int64_t start)
{
	*entry(s, LSI_HOP_SENT, from, start) = (int32_t)s->hops;
	*entry(s, LSI_HOP_RECEIVED, to, start) = (int32_t)s->hops;
	s->hop[s->hops++] = (struct lsi_periodic_hop){ (int32_t)from, (int32_t)to, start };
	s->last = s->last < start ? start : s->last;
}

static int smaller(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

void lsi_periodic_finish(struct lsi_periodic *s)
{
	const int64_t rows = s->last / s->period + 1;

	for (int64_t h = 0; h < s->hops; h++)
		s->sorted[h] = s->hop[h].start % s->period * rows + s->hop[h].start / s->period;
	qsort(s->sorted, (size_t)s->hops, sizeof *s->sorted, smaller);
	for (int64_t h = 0; h < s->hops; h++)
		s->sorted[h] = s->sorted[h] % rows * s->period + s->sorted[h] / rows;
}

int64_t lsi_periodic_at(const struct lsi_periodic *s, enum lsi_hop_end end, int64_t rank,
	int64_t time, int64_t blocks, int64_t *block)
{
	const int32_t hop = s->at[end][rank * s->period + time % s->period];

	if (hop < 0 || time < s->hop[hop].start)
		return -1;
	*block = (time - s->hop[hop].start) / s->period;
	return *block < blocks ? hop : -1;
}

int64_t lsi_periodic_span(const struct lsi_periodic *s, int64_t blocks)
{
	return s->last + s->period * (blocks - 1) + 1;
}

int64_t lsi_periodic_blocks(int64_t segments, int64_t period)
{
	return lsi_min(segments, lsi_max(1, TIMES / period));
}

/* ---- Functions of algorithms */

/* The rounds in which one of the blocks 0 .. count-1 moves. */
static int64_t busy_rounds(const struct lsi_periodic *s, int64_t count)
{
	int64_t rounds = 0;

	for (int64_t h = 0; h < s->hops; h++) {
		const int64_t here = s->sorted[h], next = h + 1 < s->hops ? s->sorted[h + 1] : here;
		const int64_t apart = (next - here) / s->period;
		const bool same_phase = next > here && (next - here) % s->period == 0;

		if (next != here || h + 1 == s->hops)
			rounds += same_phase && apart < count ? apart : count;
	}
	return rounds;
}

struct lsi_times *lsi_periodic_times(const struct lsi_periodic *s, int64_t blocks)
{
	const size_t span = (size_t)lsi_periodic_span(s, blocks);
	struct lsi_times *times = lsi_alloc(sizeof *times + span * sizeof *times->of);
	bool *const busy = lsi_alloc_zero(span, sizeof *busy);

	if (times && busy) {
		times->rounds = 0;
		for (int64_t h = 0; h < s->hops; h++)
			for (int64_t b = 0; b < blocks; b++)
				busy[s->hop[h].start + b * s->period] = true;
		for (size_t time = 0; time < span; time++)
			if (busy[time])
				times->of[times->rounds++] = (int64_t)time;
	} else {
		lsi_free(times);
		times = NULL;
	}
	lsi_free(busy);
	return times;
}

/* Of n elements, the first n mod B blocks have one more than the others. */
struct ls_counts lsi_periodic_counts(const struct lsi_periodic *s, int64_t blocks, size_t n)
{
	const int64_t length = (int64_t)n / blocks, rest = (int64_t)n % blocks;
	const int64_t rounds = busy_rounds(s, blocks);

	return (struct ls_counts){ rounds, lsi_mul_sat(s->hops, blocks),
		lsi_mul_sat(s->hops, (int64_t)n),
		lsi_add_sat(lsi_mul_sat(rounds, length), busy_rounds(s, rest)) };
}

void lsi_periodic_peers(
	const struct lsi_periodic *s, int64_t rank, int64_t time, int64_t blocks, struct lsi_peers *out)
{
	int64_t block;
	const int64_t sent = lsi_periodic_at(s, LSI_HOP_SENT, rank, time, blocks, &block);
	const int64_t received = lsi_periodic_at(s, LSI_HOP_RECEIVED, rank, time, blocks, &block);

	if (sent >= 0)
		out->to[0] = s->hop[sent].to;
	if (received >= 0)
		out->from[0] = s->hop[received].from;
}
