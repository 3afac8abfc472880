/*
 * The exchange of the messages of a step between processes, in chunks.
 *
 * A chunk holds the next messages of a pair of processes, of both directions.  Chunks pass in turns
 * of at most LSI_MESSAGE_BYTES in each direction, so memory depends neither on the step nor on the
 * number of processes.  While a turn is under way, the workers move what the last one has brought
 * and pack what the next one sends:
 *
 *     worker 0      pack 0 | begin 0 | move local nodes, pack 1 | finish 0 | begin 1 | move 0, ..
 *     the others    pack 0 |         | move local nodes, pack 1 |          |         | move 0, ..
 *                          a barrier                            a barrier
 *
 * By law 4, no move of the step overwrites what its node sends, so it may be packed after moves.
 *
 * All processes pass their chunks in one order: processes i and j in round (i + j) mod P, and the
 * chunks of a pair one after another.  A process begins a chunk when those before it have passed.
 * So the first chunk in this order that has not passed is under way at both ends, and the processes
 * cannot wait in a cycle, although each divides its chunks into turns by itself:
 *
 *     of 3     round 0    round 1    round 2
 *     0        -          1          2
 *     1        2          0          -
 *     2        1          -          0
 */
#include "base/math.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"

enum {
	TURNS_HELD = 2, /* one is under way, and one is packed or moved */
	LANES_ROUNDED = LSI_PAYLOADS * LSI_CACHE_LINE
};

static int processes_of(const struct lsi_sweep_state *s)
{
	return ls_world_processes(s->world);
}

/* Messages in a full chunk: one message of the transport, or one message of the step if longer. */
static int64_t chunk_messages(const struct lsi_sweep_state *s)
{
	int64_t each = 0;

	for (int l = 0; l < LSI_PAYLOADS; l++)
		each += (int64_t)s->payload[l].bytes;
	return lsi_max(1, (LSI_MESSAGE_BYTES - LANES_ROUNDED) / lsi_max(each, 1));
}

/* ---- The order of chunks */

/* A place in the order; the turn has `bytes` bytes before it. */
struct turn {
	int64_t number;
	int64_t round, chunk;
	size_t bytes[LSI_DIRECTIONS];
};

struct chunk {
	int process; /* at the other end */
	/* Messages of each direction, by number in its list; one lane for each payload. */
	int64_t first[LSI_DIRECTIONS], n[LSI_DIRECTIONS];
	char *base[LSI_DIRECTIONS];
};

/* Set process and messages of a chunk; false: the pair of this round has no further one. */
static bool find_messages(
	const struct lsi_sweep_state *s, int64_t round, int64_t number, struct chunk *chunk)
{
	const int processes = processes_of(s), me = ls_world_process(s->world);
	const int64_t messages = chunk_messages(s);
	bool any = false;

	chunk->process = (int)((round - me + processes) % processes);
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		const struct lsi_sweep_part all = lsi_crossing_lists_of(s, d, chunk->process);

		chunk->first[d] = lsi_min(all.begin + number * messages, all.end);
		chunk->n[d] = lsi_min(messages, all.end - chunk->first[d]);
		any |= chunk->n[d] > 0;
	}
	return any;
}

/* Advance to the next chunk of all; false: there is none. */
static bool find_chunk(const struct lsi_sweep_state *s, struct turn *turn, struct chunk *chunk)
{
	while (turn->round < processes_of(s)) {
		if (find_messages(s, turn->round, turn->chunk, chunk))
			return true;
		turn->round++;
		turn->chunk = 0;
	}
	return false;
}

/* Of the bytes of a turn in the memory of chunks. */
static char *memory_of(const struct lsi_sweep_state *s, int64_t turn, int direction)
{
	const size_t *room = s->fast->crossings->turn_bytes;

	return s->exchange->memory + (size_t)(turn % TURNS_HELD) * (room[LSI_OUT] + room[LSI_IN])
		+ (direction == LSI_IN ? room[LSI_OUT] : 0);
}

/*
 * Take the next chunk of a turn; false: the turn has no more.  A turn has at most one chunk of a
 * pair, and any number of bytes in its first one.
 */
static bool take_chunk(const struct lsi_sweep_state *s, struct turn *turn, struct chunk *chunk)
{
	const bool is_first = turn->bytes[LSI_OUT] + turn->bytes[LSI_IN] == 0;

	if (!find_chunk(s, turn, chunk))
		return false;
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
		if (!is_first
			&& (turn->chunk > 0
				|| turn->bytes[d] + lsi_stream_bytes(s, chunk->n[d]) > LSI_MESSAGE_BYTES))
			return false;
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		chunk->base[d] = memory_of(s, turn->number, d) + turn->bytes[d];
		turn->bytes[d] += lsi_stream_bytes(s, chunk->n[d]);
	}
	turn->chunk++;
	return true;
}

/* A turn after all its chunks. */
static struct turn end_of(const struct lsi_sweep_state *s, struct turn turn)
{
	struct chunk chunk;

	while (take_chunk(s, &turn, &chunk))
		;
	return turn;
}

static struct turn turn_after(const struct lsi_sweep_state *s, struct turn turn)
{
	const struct turn end = end_of(s, turn);

	return (struct turn){ end.number + 1, end.round, end.chunk, { 0 } };
}

/* Divide the chunks into turns; returns the bytes of memory that they need. */
static size_t divide(const struct lsi_sweep_state *s)
{
	struct lsi_crossing_lists *lists = s->fast->crossings;
	struct turn turn = { .number = 0 };
	struct chunk chunk;

	lists->turn_bytes[LSI_OUT] = lists->turn_bytes[LSI_IN] = 0;
	for (; find_chunk(s, &turn, &chunk); turn = turn_after(s, turn)) {
		const struct turn end = end_of(s, turn);

		for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++)
			if (end.bytes[d] > lists->turn_bytes[d])
				lists->turn_bytes[d] = end.bytes[d];
	}
	lists->turns = turn.number;
	return (size_t)lsi_min(turn.number, TURNS_HELD)
		* (lists->turn_bytes[LSI_OUT] + lists->turn_bytes[LSI_IN]);
}

/* Take memory for the lists, and for the chunks, which follow when the lists are sorted. */
static bool reserve_all(struct lsi_sweep_state *s, enum lsi_crossing_order order)
{
	const size_t lists = lsi_crossing_lists_begin(s), chunks = divide(s);
	struct lsi_memory_layout sorting = { NULL, 0 };
	size_t bytes;

	lsi_crossing_sort_layout(s, order, &sorting);
	bytes = chunks > sorting.used ? chunks : sorting.used;
	if (!lsi_exchange_reserve(s, bytes, lists) || !lsi_crossing_lists_reserve(s))
		return false;
	sorting = (struct lsi_memory_layout){ s->exchange->memory, 0 };
	lsi_crossing_sort_layout(s, order, &sorting);
	return true;
}

static bool reserve(struct lsi_sweep_worker *w, int64_t step, enum lsi_crossing_order order)
{
	const struct lsi_sweep_fault fault = { LS_ERR_MEMORY, LS_NO_RANK, LS_NO_RANK, step,
		w->sweep->operation };

	return reserve_all(w->sweep, order)
		|| lsi_sweep_report(w, fault, "no memory for the messages between processes");
}

bool lsi_sweep_chunks_agree(struct lsi_sweep_worker *w, int64_t first, int64_t steps,
	enum lsi_crossing_order order, int64_t *accepted)
{
	uint64_t crossing = 0;

	if (w->number == 0) {
		crossing = lsi_crossing_lists_number(w->sweep);
		if (*accepted > 0)
			reserve(w, first, order);
	}
	return lsi_sweep_agree_stage(w, steps, crossing, accepted);
}

/* ---- A turn */

/* Copy this worker's part of what a turn sends. */
static void pack(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step, struct turn turn)
{
	const struct lsi_sweep_state *s = w->sweep;
	const uint32_t *node = s->fast->crossings->node[LSI_OUT];
	struct chunk chunk;

	while (take_chunk(s, &turn, &chunk)) {
		const int64_t all = chunk.n[LSI_OUT];
		const struct lsi_sweep_part part = lsi_sweep_part_of(w, all);

		for (int64_t k = part.begin, n; k < part.end; k += n) {
			char *lane[LSI_PAYLOADS];

			n = lsi_min(part.end - k, s->fast->batch);
			for (int l = 0; l < LSI_PAYLOADS; l++)
				lane[l] = lsi_stream_at(s, chunk.base[LSI_OUT], all, l, k);
			lsi_sweep_gather_sent(w, step, node + chunk.first[LSI_OUT] + k, n, lane);
		}
	}
}

/* Worker 0: begin to send and to receive the chunks of a turn. */
static void begin(const struct lsi_sweep_state *s, struct turn turn)
{
	struct chunk chunk;

	while (take_chunk(s, &turn, &chunk)) {
		lsi_stream_begin(&s->exchange->out[chunk.process], chunk.base[LSI_OUT],
			lsi_stream_bytes(s, chunk.n[LSI_OUT]));
		lsi_stream_begin(&s->exchange->in[chunk.process], chunk.base[LSI_IN],
			lsi_stream_bytes(s, chunk.n[LSI_IN]));
	}
}

/* Execute the nodes of a batch: the messages first .. first+n-1 of a chunk. */
static void move_batch(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step,
	const struct chunk *chunk, int64_t first, int64_t n)
{
	const struct lsi_sweep_state *s = w->sweep;
	const uint32_t *node = s->fast->crossings->node[LSI_IN] + chunk->first[LSI_IN] + first;
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;
	struct lsi_arrived_blocks arrived;

	for (int l = 0; l < LSI_PAYLOADS; l++)
		arrived.lane[l] = lsi_stream_at(s, chunk->base[LSI_IN], chunk->n[LSI_IN], l, first);
	for (int64_t j = 0; j < n; j++) {
		list->at[j] = node[j];
		list->from[j] = (uint32_t)j;
		list->shape[j] = step->shape[node[j]];
	}
	lsi_sweep_columns_by_class(w, step->shapes, step->origin, n, &arrived);
}

/* Execute this worker's part of the nodes whose messages a turn has brought. */
static void move(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step, struct turn turn)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct chunk chunk;

	while (take_chunk(s, &turn, &chunk)) {
		const struct lsi_sweep_part part = lsi_sweep_part_of(w, chunk.n[LSI_IN]);

		for (int64_t k = part.begin, n; k < part.end; k += n) {
			n = lsi_min(part.end - k, s->fast->batch);
			move_batch(w, step, &chunk, k, n);
		}
		lsi_sweep_poll(w);
	}
}

void lsi_sweep_chunks_run(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step)
{
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t turns = s->fast->crossings->turns;
	struct turn turn = { .number = 0 }, last = turn;
	bool open;

	pack(w, step, turn);
	for (; turn.number < turns; last = turn, turn = turn_after(s, turn)) {
		if (!lsi_sweep_barrier(w))
			return;
		if (w->number == 0) {
			begin(s, turn);
			lsi_exchange_advance(w->sweep, &open);
		}
		if (turn.number == 0)
			step->move_local(w, step->context);
		else
			move(w, step, last);
		pack(w, step, turn_after(s, turn));
		if (w->number == 0)
			lsi_exchange_finish(w);
	}
	if (turns == 0)
		step->move_local(w, step->context);
	else if (lsi_sweep_barrier(w))
		move(w, step, last);
}
