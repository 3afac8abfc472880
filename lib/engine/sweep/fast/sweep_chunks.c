/*
 * The exchange of the messages of a step between processes, in chunks.
 *
 * A chunk holds the next messages of a pair of processes, so memory does not depend on the step.
 * In a turn all pairs pass one chunk, while the workers move what the last turn has brought and
 * pack what the next one sends:
 *
 *     worker 0      pack 0 | begin 0 | move local nodes, pack 1 | finish 0 | begin 1 | move 0, ..
 *     the others    pack 0 |         | move local nodes, pack 1 |          |         | move 0, ..
 *                          a barrier                            a barrier
 *
 * By law 4, no move of the step overwrites what its node sends, so it may be packed after moves.
 */
#include "base/math.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"

enum {
	CHUNKS_BYTES = 64 << 20, /* of all chunks of a process */
	CHUNK_LEAST = 1 << 14,   /* of one chunk, with many partners */
	LONG_BLOCKS = 4,         /* blocks are long if fewer fit into a message */
	FEW_PROCESSES = 9,       /* all may be partners: full messages fit into CHUNKS_BYTES */
	TURNS_HELD = 2           /* one chunk is under way, and one is packed or moved */
};

static int processes_of(const struct lsi_sweep_state *s)
{
	return ls_world_processes(s->world);
}

/*
 * Messages in a full chunk: the same number in all processes.  A transport passes at most
 * LSI_MESSAGE_BYTES at a time; chunks of long blocks are longer, so that they fill most of these.
 */
static int64_t chunk_messages(const struct lsi_sweep_state *s)
{
	const int64_t partners = s->fast->crossings->most_partners;
	const int64_t share = CHUNKS_BYTES / (LSI_DIRECTIONS * TURNS_HELD * partners);
	const int64_t most = share > CHUNK_LEAST ? share : CHUNK_LEAST;
	const int64_t bytes = lsi_min(LSI_MESSAGE_BYTES, most);
	int64_t each = 0;

	for (int l = 0; l < LSI_PAYLOADS; l++)
		each += (int64_t)s->payload[l].bytes;
	if (each == 0 || each > most)
		return 1;
	return each <= bytes / LONG_BLOCKS ? bytes / each : most / each + (most % each > 0);
}

struct chunk {
	int64_t first, n; /* nodes in the list of its direction */
	char *base;       /* one lane for each payload, as in a stream */
};

static struct lsi_sweep_stream *streams_of(const struct lsi_sweep_state *s, int direction)
{
	return direction == LSI_OUT ? s->exchange->out : s->exchange->in;
}

/* The chunk of a turn; n is 0 after the last one. */
static struct chunk chunk_at(
	const struct lsi_sweep_state *s, int direction, int process, int64_t turn)
{
	const struct lsi_sweep_part all = lsi_crossing_lists_of(s, direction, process);
	const int64_t messages = chunk_messages(s), most = lsi_min(messages, all.end - all.begin);
	const int64_t first = all.begin + turn * messages;
	char *base = streams_of(s, direction)[process].base;

	if (first >= all.end)
		return (struct chunk){ all.end, 0, base };
	return (struct chunk){ first, lsi_min(messages, all.end - first),
		base + (size_t)(turn % TURNS_HELD) * lsi_stream_bytes(s, most) };
}

static int64_t turns_of(const struct lsi_sweep_state *s)
{
	int64_t most = 0;

	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		for (int i = 0; i < processes_of(s); i++) {
			const struct lsi_sweep_part all = lsi_crossing_lists_of(s, d, i);

			most = all.end - all.begin > most ? all.end - all.begin : most;
		}
	}
	return (most + chunk_messages(s) - 1) / chunk_messages(s);
}

/* Place the chunks of all pairs one after another; memory NULL: only count their bytes. */
static size_t place_chunks(const struct lsi_sweep_state *s, char *memory)
{
	const int64_t messages = chunk_messages(s);
	size_t bytes = 0;

	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		for (int i = 0; i < processes_of(s); i++) {
			const struct lsi_sweep_part all = lsi_crossing_lists_of(s, d, i);
			const int64_t n = all.end - all.begin;

			if (memory)
				streams_of(s, d)[i].base = memory + bytes;
			bytes += (n > messages ? TURNS_HELD : 1) * lsi_stream_bytes(s, lsi_min(n, messages));
		}
	}
	return bytes;
}

/*
 * Worker 0: learn with how many others a process has messages at most, which decides how long
 * chunks are.  All processes make this call.  False: the transport failed; it is reported.
 */
static bool learn_partners(struct lsi_sweep_worker *w)
{
	struct lsi_sweep_state *s = w->sweep;
	const int processes = processes_of(s);
	int64_t least = processes > FEW_PROCESSES ? -lsi_crossing_lists_partners(s) : 1 - processes;

	if (processes > FEW_PROCESSES && !lsi_exchange_least(s, &least, 1))
		return lsi_exchange_report(w);
	s->fast->crossings->most_partners = least < 0 ? -least : 1;
	return true;
}

static bool reserve(struct lsi_sweep_worker *w, int64_t step, enum lsi_crossing_order order)
{
	struct lsi_sweep_state *s = w->sweep;
	const struct lsi_sweep_fault fault = { LS_ERR_MEMORY, LS_NO_RANK, LS_NO_RANK, step,
		s->operation };

	if (!lsi_crossing_lists_reserve(s, order) || !lsi_exchange_reserve(s, place_chunks(s, NULL)))
		return lsi_sweep_report(w, fault, "no memory for the messages between processes");
	place_chunks(s, s->exchange->memory);
	return true;
}

void lsi_sweep_chunks_reuse(struct lsi_sweep_state *s, struct lsi_crossing_lists *lists)
{
	s->fast->crossings = lists;
	place_chunks(s, s->exchange->memory);
}

bool lsi_sweep_chunks_agree(struct lsi_sweep_worker *w, int64_t first, int64_t steps,
	enum lsi_crossing_order order, int64_t *accepted)
{
	uint64_t crossing = 0;

	if (w->number == 0) {
		crossing = lsi_crossing_lists_number(w->sweep);
		if (learn_partners(w) && *accepted > 0)
			reserve(w, first, order);
	}
	return lsi_sweep_agree_stage(w, steps, crossing, accepted);
}

/* ---- A turn */

/* Copy this worker's part of what a chunk sends. */
static void pack(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step, int64_t turn)
{
	const struct lsi_sweep_state *s = w->sweep;
	const uint32_t *node = s->fast->crossings->node[LSI_OUT];

	for (int i = 0; i < processes_of(s); i++) {
		const struct chunk chunk = chunk_at(s, LSI_OUT, i, turn);
		const struct lsi_sweep_part part = lsi_sweep_part_of(w, chunk.n);

		for (int64_t k = part.begin, n; k < part.end; k += n) {
			char *lane[LSI_PAYLOADS];

			n = lsi_min(part.end - k, s->fast->batch);
			for (int l = 0; l < LSI_PAYLOADS; l++)
				lane[l] = lsi_stream_at(s, chunk.base, chunk.n, l, k);
			lsi_sweep_gather_sent(w, step, node + chunk.first + k, n, lane);
		}
	}
}

/* Worker 0: begin to send and to receive the chunks of a turn. */
static void begin(const struct lsi_sweep_state *s, int64_t turn)
{
	for (int d = LSI_OUT; d < LSI_DIRECTIONS; d++) {
		for (int i = 0; i < processes_of(s); i++) {
			const struct chunk chunk = chunk_at(s, d, i, turn);

			lsi_stream_begin(&streams_of(s, d)[i], chunk.base, lsi_stream_bytes(s, chunk.n));
		}
	}
}

/* Execute the nodes of a batch: the messages first .. first+n-1 of a chunk. */
static void move_batch(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step,
	const struct chunk *chunk, int64_t first, int64_t n)
{
	const struct lsi_sweep_state *s = w->sweep;
	const uint32_t *node = s->fast->crossings->node[LSI_IN] + chunk->first + first;
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;
	struct lsi_arrived_blocks arrived;

	for (int l = 0; l < LSI_PAYLOADS; l++)
		arrived.lane[l] = lsi_stream_at(s, chunk->base, chunk->n, l, first);
	for (int64_t j = 0; j < n; j++) {
		list->at[j] = node[j];
		list->from[j] = (uint32_t)j;
		list->shape[j] = step->shape[node[j]];
		list->sender[j] = 0;
	}
	lsi_sweep_columns_by_class(w, step->shapes, step->origin, n, &arrived);
}

/* Execute this worker's part of the nodes whose messages the chunks of a turn have brought. */
static void move(struct lsi_sweep_worker *w, const struct lsi_chunk_step *step, int64_t turn)
{
	const struct lsi_sweep_state *s = w->sweep;

	for (int i = 0; i < processes_of(s); i++) {
		const struct chunk chunk = chunk_at(s, LSI_IN, i, turn);
		const struct lsi_sweep_part part = lsi_sweep_part_of(w, chunk.n);

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
	const int64_t turns = turns_of(s);
	bool open;

	pack(w, step, 0);
	for (int64_t turn = 0; turn < turns; turn++) {
		if (!lsi_sweep_barrier(w))
			return;
		if (w->number == 0) {
			begin(s, turn);
			lsi_exchange_advance(w->sweep, &open);
		}
		if (turn == 0)
			step->move_local(w, step->context);
		else
			move(w, step, turn - 1);
		pack(w, step, turn + 1);
		if (w->number == 0)
			lsi_exchange_finish(w);
	}
	if (turns == 0)
		step->move_local(w, step->context);
	else if (lsi_sweep_barrier(w))
		move(w, step, turns - 1);
}
