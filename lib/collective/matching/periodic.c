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

int64_t lsi_periodic_span(const struct lsi_periodic *s, int64_t blocks)
{
	return s->last + s->period * (blocks - 1) + 1;
}

int64_t lsi_periodic_blocks(const struct lsi_periodic *s, int64_t segments)
{
	return s ? lsi_min(segments, lsi_max(1, TIMES / s->period)) : 0;
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

/* Of n elements, the first n mod B blocks have one more than the others. */
struct ls_counts lsi_periodic_counts(const struct lsi_periodic *s, int64_t blocks, size_t n)
{
	if (!s || blocks == 0)
		return (struct ls_counts){ -1, -1, -1, -1 };

	const int64_t length = (int64_t)n / blocks, rest = (int64_t)n % blocks;
	const int64_t rounds = busy_rounds(s, blocks);

	return (struct ls_counts){ rounds, lsi_mul_sat(s->hops, blocks),
		lsi_mul_sat(s->hops, (int64_t)n),
		lsi_add_sat(lsi_mul_sat(rounds, length), busy_rounds(s, rest)) };
}

static struct lsi_periodic_table *table_of(const struct ls_plan *plan)
{
	return plan->table;
}

int lsi_periodic_prepare(struct ls_plan *plan, const struct lsi_periodic *s)
{
	const int64_t blocks = plan->frame.blocks;
	const size_t span = s ? (size_t)lsi_periodic_span(s, blocks) : 0;
	int64_t *const times = lsi_alloc(span * sizeof *times);
	bool *const busy = lsi_alloc_zero(span, sizeof *busy);
	const bool made = s && times && busy;

	table_of(plan)->schedule = s;
	table_of(plan)->times = times;
	for (int64_t h = 0; made && h < s->hops; h++)
		for (int64_t b = 0; b < blocks; b++)
			busy[s->hop[h].start + b * s->period] = true;
	for (size_t time = 0; made && time < span; time++)
		if (busy[time])
			times[plan->frame.rounds++] = (int64_t)time;
	lsi_free(busy);
	return made ? LS_OK : LS_ERR_MEMORY;
}

void lsi_periodic_release(struct ls_plan *plan)
{
	struct lsi_periodic_table *const table = table_of(plan);

	if (table)
		lsi_free(table->times);
	lsi_free(table);
}

int64_t lsi_periodic_at(
	const struct ls_plan *plan, enum lsi_hop_end end, int64_t rank, int64_t round, int64_t *block)
{
	const struct lsi_periodic *const s = table_of(plan)->schedule;
	const int64_t time = table_of(plan)->times[round];
	const int32_t hop = s->at[end][rank * s->period + time % s->period];

	if (hop < 0 || time < s->hop[hop].start)
		return -1;
	*block = (time - s->hop[hop].start) / s->period;
	return *block < plan->frame.blocks ? hop : -1;
}

void lsi_periodic_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_periodic_hop *const hop = table_of(plan)->schedule->hop;
	int64_t block;
	const int64_t sent = lsi_periodic_at(plan, LSI_HOP_SENT, rank, round, &block);
	const int64_t received = lsi_periodic_at(plan, LSI_HOP_RECEIVED, rank, round, &block);

	if (sent >= 0)
		out->to[0] = hop[sent].to;
	if (received >= 0)
		out->from[0] = hop[received].from;
}
