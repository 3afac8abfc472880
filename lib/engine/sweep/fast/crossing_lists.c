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

/*
 * The process of a peer: its ranks, and the ends of its lists.  Neighboring nodes often have their
 * peers in the same process, so it is kept from one message to the next.
 */
struct peer_process {
	int64_t first, last;
	int64_t *end[LSI_DIRECTIONS];
};

static inline void find_process(
	const struct lsi_sweep_worker *w, int64_t rank, struct peer_process *found)
{
	const struct lsi_sweep_state *s = w->sweep;

	if (rank >= found->first && rank < found->last)
		return;

	const int process = lsi_exchange_process_of(s, rank);

	found->first = s->exchange->first_rank[process];
	found->last = s->exchange->first_rank[process + 1];
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
		found->end[d] = &s->fast->crossings->end[d][process * s->workers + w->number];
}

/* The random number of a message; one that comes is subtracted from the sum. */
static inline uint64_t number_of(
	const struct lsi_sweep_state *s, int64_t node, int64_t peer, int direction)
{
	const int64_t src = direction == LSI_OUT ? node : peer;
	const int64_t dst = direction == LSI_OUT ? peer : node;
	const uint64_t number = lsi_mix(s->seed + (uint64_t)src * (uint64_t)s->nodes + (uint64_t)dst);

	return direction == LSI_OUT ? number : -number;
}

void lsi_crossing_lists_count(struct lsi_sweep_worker *w, int64_t node, int64_t peer, int direction)
{
	struct peer_process process = { 0 };

	find_process(w, peer, &process);
	++*process.end[direction];
	w->sweep->fast->crossings->number[w->number] += number_of(w->sweep, node, peer, direction);
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

/*
 * Count the messages of the selected nodes of a query, in the directions `first` to `last`; returns
 * the sum of their numbers.
 */
static inline uint64_t count_selected(const struct lsi_sweep_worker *w, int64_t node,
	int64_t crossing, const int64_t *peer, int first, int last)
{
	const uint16_t *selected = lsi_sweep_worker_tables_of(w)->query.selected;
	struct peer_process process = { 0 };
	uint64_t sum = 0;

	for (int64_t k = 0; k < crossing; k++) {
		const int64_t j = selected[k], rank = peer[j];

		find_process(w, rank, &process);
		for (int d = first; d <= last; d++) {
			++*process.end[d];
			sum += number_of(w->sweep, node + j, rank, d);
		}
	}
	return sum;
}

void lsi_crossing_lists_count_query(struct lsi_sweep_worker *w, int64_t first, int64_t n)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	int64_t crossing = select_crossing(w, query->to, n);
	uint64_t sum;

	if (query->exchange) {
		sum = count_selected(w, first, crossing, query->to, LSI_OUT, LSI_IN);
	} else {
		sum = count_selected(w, first, crossing, query->to, LSI_OUT, LSI_OUT);
		crossing = select_crossing(w, query->from, n);
		sum += count_selected(w, first, crossing, query->from, LSI_IN, LSI_IN);
	}
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
	struct peer_process process = { 0 };

	find_process(w, peer, &process);
	w->sweep->fast->crossings->node[direction][(*process.end[direction])++] = node;
}

/* List the selected nodes of a query that send, and their receivers. */
static void list_senders(struct lsi_sweep_worker *w, int64_t node, int64_t crossing)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	const struct lsi_crossing_sort *sort = &w->sweep->fast->crossings->sort;
	uint32_t *const sender = sort->sender, *const receiver = sort->receiver;
	struct peer_process process = { 0 };

	for (int64_t k = 0; k < crossing; k++) {
		const int64_t j = query->selected[k];
		int64_t at;

		find_process(w, query->to[j], &process);
		at = (*process.end[LSI_OUT])++;
		sender[at] = (uint32_t)(node + j);
		receiver[at] = (uint32_t)(query->to[j] - process.first);
	}
}

/* List the selected nodes of a query that receive. */
static void list_receivers(struct lsi_sweep_worker *w, int64_t node, int64_t crossing)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	uint32_t *const receiver = w->sweep->fast->crossings->node[LSI_IN];
	struct peer_process process = { 0 };

	for (int64_t k = 0; k < crossing; k++) {
		const int64_t j = query->selected[k];

		find_process(w, query->from[j], &process);
		receiver[(*process.end[LSI_IN])++] = (uint32_t)(node + j);
	}
}

/* List the nodes first .. first+n-1.  An exchange has one list, and both ends move alike. */
static void list_query(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;

	list_senders(w, first - t->origin, select_crossing(w, query->to, n));
	if (!lsi_peer_table_is_exchange(t))
		list_receivers(w, first - t->origin, select_crossing(w, query->from, n));
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
