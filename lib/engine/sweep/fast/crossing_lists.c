/*
 * The nodes of a step whose messages cross to other processes, or come from there.
 *
 * Both ends of a pair of processes number its messages in the order of senders, so messages need no
 * headers.  A process finds its senders by walking its nodes.  It finds its receivers in the order
 * of their own ranks, and sorts them by sender:
 *
 *     process 0                        process 1
 *     senders   receivers              receivers, by own rank     sorted by sender
 *     1         8                      6 (of 4)  8 (of 1)         8  6  9
 *     4         6                      9 (of 5)
 *     5         9
 *
 * The place of a receiver is the number of senders before its own: a sum over a bitmap of the ranks
 * of the other process.  In many steps the receivers are in this order already.
 *
 * That both ends list the same messages is checked without a further message: each has a random
 * number, and the processes sum those that leave minus those that come.
 */
#include <string.h>

#include "base/math.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_exchange.h"

enum { BY_RANK_OUT, BY_RANK_IN, SORTED }; /* the memories of struct lsi_crossing_lists */

static int processes_of(const struct lsi_sweep_state *s)
{
	return ls_world_processes(s->world);
}

void lsi_crossing_lists_layout(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t parts = s->world ? (size_t)processes_of(s) * (size_t)s->workers : 0;
	struct lsi_crossing_lists counted, *lists;

	lists = lsi_memory_layout_take(layout, s->world != NULL, sizeof *lists);
	if (lists && s->world)
		s->fast->crossings = lists;
	else
		lists = &counted;
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		lists->begin[d] = lsi_memory_layout_take(
			layout, s->world ? (size_t)processes_of(s) + 1 : 0, sizeof *lists->begin[d]);
		lists->end[d] = lsi_memory_layout_take(layout, parts, sizeof *lists->end[d]);
	}
	lists->first_sender = lsi_memory_layout_take(layout, parts, sizeof *lists->first_sender);
	lists->last_sender = lsi_memory_layout_take(layout, parts, sizeof *lists->last_sender);
	lists->number =
		lsi_memory_layout_take(layout, s->world ? (size_t)s->workers : 0, sizeof *lists->number);
}

void lsi_crossing_lists_release(struct lsi_crossing_lists *lists)
{
	if (!lists)
		return;
	for (int i = 0; i <= SORTED; i++)
		lsi_free(lists->memory[i]);
	lsi_free((void *)lists->sends);
	lsi_free(lists->before);
}

/* ---- Counts */

void lsi_crossing_lists_clear(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_crossing_lists *lists = s->fast->crossings;

	lists->number[w->number] = 0;
	for (int i = 0; i < processes_of(s); i++)
		for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
			lists->end[d][i * s->workers + w->number] = 0;
}

/* Neighboring nodes often have their peers in the same process. */
static int find_process(const struct lsi_sweep_worker *w, int64_t rank)
{
	const int64_t *first = w->sweep->exchange->first_rank;
	int *last = &lsi_sweep_worker_tables_of(w)->process;

	if (rank < first[*last] || rank >= first[*last + 1])
		*last = lsi_exchange_process_of(w->sweep, rank);
	return *last;
}

static int64_t *end_of(const struct lsi_sweep_worker *w, int direction, int process)
{
	const struct lsi_sweep_state *s = w->sweep;

	return &s->fast->crossings->end[direction][process * s->workers + w->number];
}

void lsi_crossing_lists_count(struct lsi_sweep_worker *w, int64_t node, int64_t peer, int direction)
{
	const struct lsi_sweep_state *s = w->sweep;
	const bool leaves = direction == LSI_OUT;
	const uint64_t src = (uint64_t)(leaves ? node : peer), dst = (uint64_t)(leaves ? peer : node);
	const uint64_t number = lsi_mix(lsi_mix(s->seed + src) + dst);

	++*end_of(w, direction, find_process(w, peer));
	s->fast->crossings->number[w->number] += leaves ? number : -number;
}

uint64_t lsi_crossing_lists_number(const struct lsi_sweep_state *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < s->workers; i++)
		sum += s->fast->crossings->number[i];
	return sum;
}

int lsi_crossing_lists_partners(const struct lsi_sweep_state *s)
{
	int partners = 0;

	for (int process = 0; process < processes_of(s); process++) {
		bool has_messages = false;

		for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
			for (int i = 0; i < s->workers; i++)
				has_messages |= s->fast->crossings->end[d][process * s->workers + i] > 0;
		partners += has_messages;
	}
	return partners;
}

/* ---- Memory */

static bool reserve_list(struct lsi_crossing_lists *lists, int memory, int64_t n)
{
	return lsi_alloc_reserve((char **)&lists->memory[memory], &lists->bytes[memory],
		(size_t)n * sizeof *lists->memory[memory]);
}

/* The most nodes of another process that a bitmap must hold. */
static bool reserve_bitmap(const struct lsi_sweep_state *s, struct lsi_crossing_lists *lists)
{
	const size_t words = (size_t)(s->most_local / 64 + 1);

	return lsi_alloc_reserve(
			   (char **)&lists->sends, &lists->sends_bytes, words * sizeof *lists->sends)
		&& lsi_alloc_reserve(
			(char **)&lists->before, &lists->before_bytes, words * sizeof *lists->before);
}

/* Turn the counts of one direction into starts; returns their sum. */
static int64_t sum_counts(
	const struct lsi_sweep_state *s, struct lsi_crossing_lists *lists, int direction)
{
	int64_t *end = lists->end[direction], sum = 0;

	for (int process = 0; process < processes_of(s); process++) {
		lists->begin[direction][process] = sum;
		for (int i = 0; i < s->workers; i++, end++) {
			const int64_t n = *end;

			*end = sum;
			sum += n;
		}
	}
	return lists->begin[direction][processes_of(s)] = sum;
}

bool lsi_crossing_lists_reserve(const struct lsi_sweep_state *s, enum lsi_arrival_order order)
{
	struct lsi_crossing_lists *lists = s->fast->crossings;
	const int64_t out = sum_counts(s, lists, LSI_OUT), in = sum_counts(s, lists, LSI_IN);

	const bool sorts = order != LSI_IN_ORDER && in > 0;

	lsi_store(&lists->unsorted, false, relaxed); /* a barrier follows */
	if (!reserve_list(lists, BY_RANK_OUT, out)
		|| !reserve_list(lists, BY_RANK_IN, order == LSI_EXCHANGE ? 0 : in)
		|| (sorts && (!reserve_list(lists, SORTED, in) || !reserve_bitmap(s, lists))))
		return false;
	lists->node[LSI_OUT] = lists->memory[BY_RANK_OUT];
	lists->node[LSI_IN] = lists->memory[order == LSI_EXCHANGE ? BY_RANK_OUT : BY_RANK_IN];
	return true;
}

bool lsi_crossing_lists_have_any(const struct lsi_sweep_state *s)
{
	const struct lsi_crossing_lists *lists = s->fast->crossings;

	return lists->begin[LSI_OUT][processes_of(s)] + lists->begin[LSI_IN][processes_of(s)] > 0;
}

struct lsi_sweep_part lsi_crossing_lists_of(
	const struct lsi_sweep_state *s, int direction, int process)
{
	const int64_t *begin = s->fast->crossings->begin[direction] + process;

	return (struct lsi_sweep_part){ begin[0], begin[1] };
}

size_t lsi_crossing_lists_bytes(const struct lsi_sweep_state *s)
{
	const struct lsi_crossing_lists *lists = s->fast->crossings;
	size_t bytes = sizeof *lists;

	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
		bytes += (size_t)(processes_of(s) + 1) * sizeof *lists->begin[d]
			+ (size_t)lists->begin[d][processes_of(s)] * sizeof *lists->node[d];
	return bytes;
}

struct lsi_crossing_lists *lsi_crossing_lists_copy(const struct lsi_sweep_state *s)
{
	const struct lsi_crossing_lists *lists = s->fast->crossings;
	const size_t begins = (size_t)(processes_of(s) + 1) * sizeof *lists->begin[0];
	struct lsi_crossing_lists *copy = lsi_alloc(lsi_crossing_lists_bytes(s));
	char *at = (char *)(copy + 1);

	if (!copy)
		return NULL;
	*copy = (struct lsi_crossing_lists){ .most_partners = lists->most_partners };
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++, at += begins)
		copy->begin[d] = memcpy(at, lists->begin[d], begins);
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		const size_t bytes = (size_t)lists->begin[d][processes_of(s)] * sizeof *lists->node[d];

		copy->node[d] = bytes > 0 ? memcpy(at, lists->node[d], bytes) : NULL;
		at += bytes;
	}
	return copy;
}

/* ---- Lists by own rank */

/* Note the sender of the next arrival of this worker from its process. */
static void note_sender(const struct lsi_sweep_worker *w, int64_t sender)
{
	struct lsi_crossing_lists *lists = w->sweep->fast->crossings;
	const int64_t part = (int64_t)find_process(w, sender) * w->sweep->workers + w->number;

	if (lists->first_sender[part] < 0)
		lists->first_sender[part] = sender;
	if (sender < lists->last_sender[part])
		lsi_store(&lists->unsorted, true, relaxed); /* a barrier orders it */
	lists->last_sender[part] = sender;
}

void lsi_crossing_lists_append(
	const struct lsi_sweep_worker *w, int direction, uint32_t node, int64_t peer)
{
	int64_t *end = end_of(w, direction, find_process(w, peer));

	w->sweep->fast->crossings->node[direction][(*end)++] = node;
}

/* An exchange has one list, so its nodes are written once, and both ends move alike. */
static void list_nodes(struct lsi_sweep_worker *w, const struct lsi_peer_table *t)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;

	for (int64_t i = w->first, n; i < w->last; i += n) {
		n = lsi_min(w->last - i, LSI_QUERY_BATCH);
		if (!lsi_query_nodes(w, t, i, n)) /* it has succeeded before */
			return;
		for (int64_t j = 0; j < n; j++) {
			const int64_t from = query->from[j], to = query->to[j], entry = i + j - t->origin;

			if (to != LS_NO_RANK && !lsi_sweep_is_local(w->sweep, to))
				lsi_crossing_lists_append(w, LSI_OUT, (uint32_t)entry, to);
			if (from != LS_NO_RANK && t->from[entry] == LSI_ELSEWHERE) {
				lsi_crossing_lists_append(w, LSI_IN, (uint32_t)entry, from);
				note_sender(w, from);
			}
		}
	}
}

/* Whether the senders of all workers' arrivals are in order. */
static bool is_sorted(const struct lsi_sweep_state *s, struct lsi_crossing_lists *lists)
{
	bool sorted = !lsi_load(&lists->unsorted, relaxed); /* after a barrier */

	for (int process = 0; process < processes_of(s); process++) {
		int64_t last = -1;

		for (int i = 0; i < s->workers; i++) {
			const int64_t part = (int64_t)process * s->workers + i;

			if (lists->first_sender[part] < 0)
				continue;
			sorted = sorted && last < lists->first_sender[part];
			last = lists->last_sender[part];
		}
	}
	return sorted;
}

/* ---- Lists by sender */

static int64_t sender_of(
	const struct lsi_sweep_worker *w, const struct lsi_peer_table *t, uint32_t entry)
{
	struct lsi_peers peers;

	lsi_read_peers(w->sweep, t, t->origin + entry, &peers);
	return peers.from[0];
}

/* This worker's part of the arrivals from a process. */
static struct lsi_sweep_part part_of(const struct lsi_sweep_worker *w, int process)
{
	const struct lsi_sweep_part all = lsi_crossing_lists_of(w->sweep, LSI_IN, process);
	const struct lsi_sweep_part part = lsi_sweep_part_of(w, all.end - all.begin);

	return (struct lsi_sweep_part){ all.begin + part.begin, all.begin + part.end };
}

static void count_before(struct lsi_crossing_lists *lists, int64_t words)
{
	uint32_t sum = 0;

	for (int64_t i = 0; i < words; i++) {
		const uint64_t word = lsi_load(&lists->sends[i], relaxed); /* after a barrier */

		lists->before[i] = sum;
		sum += (uint32_t)__builtin_popcountll(word);
	}
}

/* Sort the arrivals from one process. */
static bool sort_arrivals(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int process)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_crossing_lists *lists = s->fast->crossings;
	const int64_t first = s->exchange->first_rank[process];
	const int64_t words = (s->exchange->first_rank[process + 1] - first) / 64 + 1;
	const struct lsi_sweep_part clear = lsi_sweep_part_of(w, words), part = part_of(w, process);
	const int64_t begin = lsi_crossing_lists_of(s, LSI_IN, process).begin;

	for (int64_t i = clear.begin; i < clear.end; i++)
		lsi_store(&lists->sends[i], 0, relaxed); /* a barrier follows */
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++) {
		const int64_t at = sender_of(w, t, lists->node[LSI_IN][k]) - first;

		lsi_fetch_add(&lists->sends[at / 64], (uint64_t)1 << at % 64, relaxed); /* as above */
	}
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0)
		count_before(lists, words);
	if (!lsi_sweep_barrier(w))
		return false;
	for (int64_t k = part.begin; k < part.end; k++) {
		const uint32_t entry = lists->node[LSI_IN][k];
		const int64_t at = sender_of(w, t, entry) - first;
		const uint64_t below = ((uint64_t)1 << at % 64) - 1;
		const uint64_t word = lsi_load(&lists->sends[at / 64], relaxed); /* after a barrier */

		lists->memory[SORTED][begin + lists->before[at / 64] + __builtin_popcountll(word & below)] =
			entry;
	}
	return lsi_sweep_barrier(w);
}

bool lsi_crossing_lists_make(struct lsi_sweep_worker *w, const struct lsi_peer_table *t)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_crossing_lists *lists = s->fast->crossings;

	for (int process = 0; process < processes_of(s); process++) {
		const int64_t part = (int64_t)process * s->workers + w->number;

		lists->first_sender[part] = lists->last_sender[part] = LS_NO_RANK;
	}
	list_nodes(w, t);
	if (!lsi_sweep_barrier(w))
		return false;
	if (is_sorted(s, lists))
		return true;
	for (int process = 0; process < processes_of(s); process++) {
		const struct lsi_sweep_part all = lsi_crossing_lists_of(s, LSI_IN, process);

		if (all.begin < all.end && !sort_arrivals(w, t, process))
			return false;
	}
	if (w->number == 0)
		lists->node[LSI_IN] = lists->memory[SORTED];
	return lsi_sweep_barrier(w);
}
