/*
 * Sorts the senders to each other process by receiver.
 *
 * The place of a sender is the number of receivers before its own: a sum over a bitmap of the ranks
 * of the other process.  In many steps the senders are in this order already.
 */
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_exchange.h"

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
	struct lsi_crossing_lists *lists = w->sweep->fast->crossings;
	const uint32_t *receiver = lists->memory[LSI_LIST_RECEIVERS];
	bool unsorted = false;

	for (int process = 0; process < ls_world_processes(w->sweep->world); process++) {
		const struct lsi_sweep_part part = part_of(w, process);
		const int64_t begin = lsi_crossing_lists_of(w->sweep, LSI_OUT, process).begin;

		for (int64_t k = part.begin > begin ? part.begin : begin + 1; k < part.end; k++)
			unsorted |= receiver[k] < receiver[k - 1];
	}
	if (unsorted)
		lsi_store(&lists->unsorted, true, relaxed); /* a barrier follows */
}

static void count_before(struct lsi_crossing_lists *lists, int64_t words)
{
	uint32_t sum = 0;

	for (int64_t i = 0; i < words; i++) {
		const uint64_t word = lsi_load(&lists->receives[i], relaxed); /* after a barrier */

		lists->before[i] = sum;
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

/* Sort the senders to one process. */
static bool sort_senders(struct lsi_sweep_worker *w, int process)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_crossing_lists *lists = s->fast->crossings;
	const int64_t *first = s->exchange->first_rank + process;
	const int64_t words = (first[1] - first[0]) / 64 + 1;
	const struct lsi_sweep_part clear = lsi_sweep_part_of(w, words), part = part_of(w, process);
	const uint32_t *receiver = lists->memory[LSI_LIST_RECEIVERS];
	const int64_t begin = lsi_crossing_lists_of(s, LSI_OUT, process).begin;
	uint32_t *sorted = lists->memory[LSI_LIST_SORTED] + begin;

	for (int64_t i = clear.begin; i < clear.end; i++)
		lsi_store(&lists->receives[i], 0, relaxed); /* a barrier follows */
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++)
		set_bit(s, &lists->receives[receiver[k] / 64], receiver[k] % 64);
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0)
		count_before(lists, words);
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++) {
		const int64_t at = receiver[k] / 64;
		const uint64_t below = ((uint64_t)1 << receiver[k] % 64) - 1;
		const uint64_t word = lsi_load(&lists->receives[at], relaxed); /* after a barrier */

		sorted[lists->before[at] + (uint32_t)__builtin_popcountll(word & below)] =
			lists->node[LSI_OUT][k];
	}
	return lsi_sweep_barrier(w);
}

bool lsi_crossing_lists_sort(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_crossing_lists *lists = s->fast->crossings;

	check_order(w);
	if (!lsi_sweep_barrier(w))
		return false;
	if (!lsi_load(&lists->unsorted, relaxed)) /* after a barrier */
		return true;
	for (int process = 0; process < ls_world_processes(s->world); process++) {
		const struct lsi_sweep_part all = lsi_crossing_lists_of(s, LSI_OUT, process);

		if (all.begin < all.end && !sort_senders(w, process))
			return false;
	}
	if (w->number == 0)
		lists->node[LSI_OUT] = lists->memory[LSI_LIST_SORTED];
	return lsi_sweep_barrier(w);
}
