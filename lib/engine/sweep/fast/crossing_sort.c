/*
 * Sorts the senders to each other process by receiver.
 *
 * The place of a sender is the number of receivers before its own: a sum over a bitmap of the ranks
 * of the other process.  In many steps the senders are in this order already.
 */
#include <string.h>

#include "base/math.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_exchange.h"

/* The most senders to one process. */
static int64_t count_most(const struct lsi_sweep_state *s)
{
	int64_t most = 0;

	for (int process = 0; process < ls_world_processes(s->world); process++) {
		const struct lsi_sweep_part all = lsi_crossing_lists_of(s, LSI_OUT, process);

		most = lsi_max(most, all.end - all.begin);
	}
	return most;
}

void lsi_crossing_sort_layout(const struct lsi_sweep_state *s, enum lsi_crossing_order order,
	struct lsi_memory_layout *layout)
{
	struct lsi_crossing_lists *lists = s->fast->crossings;
	struct lsi_crossing_sort *sort = &lists->sort;
	const int64_t out = lists->begin[LSI_OUT][ls_world_processes(s->world)];
	const size_t words = (size_t)(s->most_local / 64 + 1);

	*sort = (struct lsi_crossing_sort){ .sender = lists->memory[LSI_IN],
		.receiver = lists->memory[LSI_OUT] };
	if (order == LSI_IN_ORDER || out == 0)
		return;
	if (order == LSI_ONE_WAY)
		sort->sender = lsi_memory_layout_take(layout, (size_t)out, sizeof *sort->sender);
	sort->sorted = lsi_memory_layout_take(layout, (size_t)count_most(s), sizeof *sort->sorted);
	sort->receives = lsi_memory_layout_take(layout, words, sizeof *sort->receives);
	sort->before = lsi_memory_layout_take(layout, words, sizeof *sort->before);
}

/* This worker's part of the senders to a process. */
static struct lsi_sweep_part part_of(const struct lsi_sweep_worker *w, int process)
{
	const struct lsi_sweep_part all = lsi_crossing_lists_of(w->sweep, LSI_OUT, process);
	const struct lsi_sweep_part part = lsi_sweep_part_of(w, all.end - all.begin);

	return (struct lsi_sweep_part){ all.begin + part.begin, all.begin + part.end };
}

/* Note whether the receivers of this worker's part are in order. */
static void check_order(const struct lsi_sweep_worker *w)
{
	struct lsi_crossing_sort *sort = &w->sweep->fast->crossings->sort;
	const uint32_t *receiver = sort->receiver;
	bool unsorted = false;

	for (int process = 0; process < ls_world_processes(w->sweep->world); process++) {
		const struct lsi_sweep_part part = part_of(w, process);
		const int64_t begin = lsi_crossing_lists_of(w->sweep, LSI_OUT, process).begin;

		for (int64_t k = part.begin > begin ? part.begin : begin + 1; k < part.end; k++)
			unsorted |= receiver[k] < receiver[k - 1];
	}
	if (unsorted)
		lsi_store(&sort->unsorted, true, relaxed); /* a barrier follows */
}

static void copy(uint32_t *to, const uint32_t *from, struct lsi_sweep_part part)
{
	if (part.end > part.begin)
		memcpy(to + part.begin, from + part.begin, (size_t)(part.end - part.begin) * sizeof *to);
}

static void count_before(const struct lsi_crossing_sort *sort, int64_t words)
{
	uint32_t sum = 0;

	for (int64_t i = 0; i < words; i++) {
		const uint64_t word = lsi_load(&sort->receives[i], relaxed); /* after a barrier */

		sort->before[i] = sum;
		sum += (uint32_t)__builtin_popcountll(word);
	}
}

/* Alone, a worker needs no atomic addition, which takes longer than all else for a sender. */
static void set_bit(const struct lsi_sweep_state *s, LSI_ATOMIC(uint64_t) * word, int bit)
{
	if (s->workers == 1)
		lsi_store(word, lsi_load(word, relaxed) | (uint64_t)1 << bit, relaxed);
	else
		lsi_fetch_add(word, (uint64_t)1 << bit, relaxed); /* a barrier follows */
}

/* Replace the receivers of one process by their senders, sorted. */
static bool sort_senders(struct lsi_sweep_worker *w, int process)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_crossing_sort *sort = &s->fast->crossings->sort;
	const int64_t *first = s->exchange->first_rank + process;
	const int64_t words = (first[1] - first[0]) / 64 + 1;
	const struct lsi_sweep_part clear = lsi_sweep_part_of(w, words), part = part_of(w, process);
	const int64_t begin = lsi_crossing_lists_of(s, LSI_OUT, process).begin;
	uint32_t *receiver = sort->receiver;

	for (int64_t i = clear.begin; i < clear.end; i++)
		lsi_store(&sort->receives[i], 0, relaxed); /* a barrier follows */
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++)
		set_bit(s, &sort->receives[receiver[k] / 64], receiver[k] % 64);
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0)
		count_before(sort, words);
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++) {
		const int64_t at = receiver[k] / 64;
		const uint64_t below = ((uint64_t)1 << receiver[k] % 64) - 1;
		const uint64_t word = lsi_load(&sort->receives[at], relaxed); /* after a barrier */

		sort->sorted[sort->before[at] + (uint32_t)__builtin_popcountll(word & below)] =
			sort->sender[k];
	}
	if (!lsi_sweep_barrier(w))
		return false;
	copy(receiver + begin, sort->sorted,
		(struct lsi_sweep_part){ part.begin - begin, part.end - begin });
	return true;
}

/* The senders are in order: they are the list. */
static bool keep_order(struct lsi_sweep_worker *w, bool exchange)
{
	struct lsi_crossing_lists *lists = w->sweep->fast->crossings;
	const int64_t out = lists->begin[LSI_OUT][ls_world_processes(w->sweep->world)];

	if (!exchange)
		copy(lists->memory[LSI_OUT], lists->sort.sender, lsi_sweep_part_of(w, out));
	else if (w->number == 0)
		lists->node[LSI_OUT] = lists->node[LSI_IN];
	return lsi_sweep_barrier(w);
}

bool lsi_crossing_lists_sort(struct lsi_sweep_worker *w, bool exchange)
{
	const struct lsi_sweep_state *s = w->sweep;

	check_order(w);
	if (!lsi_sweep_barrier(w))
		return false;
	if (!lsi_load(&s->fast->crossings->sort.unsorted, relaxed)) /* after a barrier */
		return keep_order(w, exchange);
	for (int process = 0; process < ls_world_processes(s->world); process++) {
		const struct lsi_sweep_part all = lsi_crossing_lists_of(s, LSI_OUT, process);

		if (all.begin < all.end && !sort_senders(w, process))
			return false;
	}
	return lsi_sweep_barrier(w);
}
