/*
 * The nodes of a step whose messages cross to other processes, or come from there.
 *
 * Both ends of a pair of processes number its messages in the order of receivers, so messages need
 * no headers.  A process finds its receivers by walking its nodes.  It finds its senders in the
 * order of their own ranks, and sorts them by receiver:
 *
 *     process 0                                        process 1
 *     senders, by own rank      sorted by receiver     receivers
 *     1 (to 8)  4 (to 6)        4  1  5                6  8  9
 *     5 (to 9)
 *
 * Senders are sorted, not receivers, because to read the blocks of scattered nodes takes less time
 * than to write them (crossing_sort.c).
 *
 * That both ends list the same messages is checked without a further message: each has a random
 * number, and the processes sum those that leave minus those that come.
 */
#include <string.h>

#include "base/math.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_exchange.h"

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
	lists->number =
		lsi_memory_layout_take(layout, s->world ? (size_t)s->workers : 0, sizeof *lists->number);
}

void lsi_crossing_lists_release(struct lsi_crossing_lists *lists)
{
	if (!lists)
		return;
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
		lsi_free(lists->memory[d]);
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
static inline int find_process(const struct lsi_sweep_worker *w, int64_t rank)
{
	const int64_t *first = w->sweep->exchange->first_rank;
	int *last = &lsi_sweep_worker_tables_of(w)->process;

	if (rank < first[*last] || rank >= first[*last + 1])
		*last = lsi_exchange_process_of(w->sweep, rank);
	return *last;
}

static inline int64_t *end_of(const struct lsi_sweep_worker *w, int direction, int process)
{
	const struct lsi_sweep_state *s = w->sweep;

	return &s->fast->crossings->end[direction][process * s->workers + w->number];
}

/* The random number of a message. */
static inline uint64_t number_of(const struct lsi_sweep_state *s, int64_t src, int64_t dst)
{
	return lsi_mix(s->seed + (uint64_t)src * (uint64_t)s->nodes + (uint64_t)dst);
}

/* Count a message; returns what it adds to the sum of numbers. */
static inline uint64_t count(
	const struct lsi_sweep_worker *w, int64_t node, int64_t peer, int direction)
{
	const struct lsi_sweep_state *s = w->sweep;

	++*end_of(w, direction, find_process(w, peer));
	return direction == LSI_OUT ? number_of(s, node, peer) : -number_of(s, peer, node);
}

void lsi_crossing_lists_count(struct lsi_sweep_worker *w, int64_t node, int64_t peer, int direction)
{
	w->sweep->fast->crossings->number[w->number] += count(w, node, peer, direction);
}

/*
 * Select the nodes of a query whose peers are in other processes; returns how many.  There is no
 * branch, because no processor could predict it.
 */
static int64_t select_crossing(struct lsi_sweep_worker *w, const int64_t *peer, int64_t n)
{
	const int64_t first = w->sweep->first, last = w->sweep->last;
	uint16_t *selected = lsi_sweep_worker_tables_of(w)->query.selected;
	int64_t k = 0;

	for (int64_t j = 0; j < n; j++) {
		selected[k] = (uint16_t)j;
		k += (peer[j] != LS_NO_RANK) & ((peer[j] < first) | (peer[j] >= last));
	}
	return k;
}

/* Count the messages of the selected nodes of a query; returns the sum of their numbers. */
static uint64_t count_selected(const struct lsi_sweep_worker *w, int64_t first, int64_t crossing,
	const int64_t *peer, int direction)
{
	const uint16_t *selected = lsi_sweep_worker_tables_of(w)->query.selected;
	uint64_t sum = 0;

	for (int64_t k = 0; k < crossing; k++)
		sum += count(w, first + selected[k], peer[selected[k]], direction);
	return sum;
}

void lsi_crossing_lists_count_query(struct lsi_sweep_worker *w, int64_t first, int64_t n)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	int64_t crossing = select_crossing(w, query->to, n);
	uint64_t sum = count_selected(w, first, crossing, query->to, LSI_OUT);

	if (!query->exchange)
		crossing = select_crossing(w, query->from, n);
	sum += count_selected(w, first, crossing, query->from, LSI_IN);
	w->sweep->fast->crossings->number[w->number] += sum;
}

uint64_t lsi_crossing_lists_number(const struct lsi_sweep_state *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < s->workers; i++)
		sum += s->fast->crossings->number[i];
	return sum;
}

/* ---- Memory */

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

size_t lsi_crossing_lists_begin(const struct lsi_sweep_state *s)
{
	struct lsi_crossing_lists *lists = s->fast->crossings;
	const int64_t out = sum_counts(s, lists, LSI_OUT), in = sum_counts(s, lists, LSI_IN);

	return (size_t)(out + in) * sizeof *lists->node[LSI_OUT];
}

bool lsi_crossing_lists_reserve(const struct lsi_sweep_state *s)
{
	struct lsi_crossing_lists *lists = s->fast->crossings;

	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		if (!lsi_alloc_reserve_lines((char **)&lists->memory[d], &lists->bytes[d],
				(size_t)lists->begin[d][processes_of(s)] * sizeof *lists->memory[d]))
			return false;
		lists->node[d] = lists->memory[d];
	}
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
	*copy = (struct lsi_crossing_lists){ .turns = lists->turns,
		.turn_bytes = { lists->turn_bytes[LSI_OUT], lists->turn_bytes[LSI_IN] } };
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

void lsi_crossing_lists_append(
	const struct lsi_sweep_worker *w, int direction, uint32_t node, int64_t peer)
{
	int64_t *end = end_of(w, direction, find_process(w, peer));

	w->sweep->fast->crossings->node[direction][(*end)++] = node;
}

/* Append a node that sends to another process, and its receiver. */
static inline void append_sender(const struct lsi_sweep_worker *w, uint32_t node, int64_t receiver)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_crossing_sort *sort = &s->fast->crossings->sort;
	const int process = find_process(w, receiver);
	const int64_t at = (*end_of(w, LSI_OUT, process))++;

	sort->sender[at] = node;
	sort->receiver[at] = (uint32_t)(receiver - s->exchange->first_rank[process]);
}

/* List the nodes first .. first+n-1.  An exchange has one list, and both ends move alike. */
static void list_query(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	int64_t crossing = select_crossing(w, query->to, n);

	for (int64_t k = 0; k < crossing; k++) {
		const int64_t j = query->selected[k];

		append_sender(w, (uint32_t)(first + j - t->origin), query->to[j]);
	}
	crossing = lsi_peer_table_is_exchange(t) ? 0 : select_crossing(w, query->from, n);
	for (int64_t k = 0; k < crossing; k++) {
		const int64_t j = query->selected[k];

		lsi_crossing_lists_append(w, LSI_IN, (uint32_t)(first + j - t->origin), query->from[j]);
	}
}

static void list_nodes(struct lsi_sweep_worker *w, const struct lsi_peer_table *t)
{
	for (int64_t i = w->first, n; i < w->last; i += n) {
		n = lsi_min(w->last - i, LSI_QUERY_BATCH);
		if (!lsi_query_peers(w, t, i, n)) /* it has succeeded before */
			return;
		list_query(w, t, i, n);
	}
}

bool lsi_crossing_lists_make(struct lsi_sweep_worker *w, const struct lsi_peer_table *t)
{
	list_nodes(w, t);
	return lsi_sweep_barrier(w) && lsi_crossing_lists_sort(w, lsi_peer_table_is_exchange(t));
}
