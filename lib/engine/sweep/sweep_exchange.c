/*
 * Both ends of a pair of processes number the blocks of a stream alike:
 *
 *     sender      walks its nodes in rank order, so its list is sorted
 *     receiver    walks its nodes in rank order, too, and sorts what they expect by sender and port
 *
 * Then the sum of the blocks before a message is its place, at both ends.
 */
#include "engine/sweep/sweep_exchange.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/math.h"

enum { TAG = LSI_TAG_ENGINES }; /* of all streams: a pair keeps the order of its messages */

/* ---- Streams */

static size_t width_of(const struct lsi_payload *payload)
{
	return payload->uniform
		? payload->bytes
		: (payload->measure.n / (size_t)payload->plan->frame.blocks + 1) * payload->combine.size;
}

/* The bytes of `blocks` blocks in one payload. */
static size_t lane_bytes(const struct lsi_sweep_state *s, int payload, int64_t blocks)
{
	return lsi_round_up((size_t)blocks * s->exchange->width[payload], LSI_CACHE_LINE);
}

size_t lsi_stream_bytes(const struct lsi_sweep_state *s, int64_t blocks)
{
	size_t bytes = 0;

	for (int i = 0; i < LSI_PAYLOADS; i++)
		bytes += lane_bytes(s, i, blocks);
	return bytes;
}

char *lsi_stream_at(
	const struct lsi_sweep_state *s, char *base, int64_t blocks, int payload, int64_t at)
{
	for (int i = 0; i < payload; i++)
		base += lane_bytes(s, i, blocks);
	return base + (size_t)at * s->exchange->width[payload];
}

void lsi_exchange_layout(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t n = s->world ? (size_t)ls_world_processes(s->world) : 0;
	struct lsi_sweep_exchange *e = lsi_memory_layout_take(layout, n > 0, sizeof *e);
	int64_t *first_rank = lsi_memory_layout_take(layout, n > 0 ? n + 1 : 0, sizeof *first_rank);
	struct lsi_sweep_stream *streams = lsi_memory_layout_take(layout, 2 * n, sizeof *streams);
	lsi_step_mark *crossed = lsi_crossing_rounds_layout(s, layout);

	if (!e || n == 0)
		return;
	for (size_t i = 0; i <= n; i++)
		first_rank[i] = ls_first_rank(s->plan->problem.topology, (int)n, (int)i);
	for (int i = 0; i < LSI_PAYLOADS && !s->message_index; i++)
		e->width[i] = width_of(&s->payload[i]);
	e->first_rank = first_rank;
	e->crossed = crossed;
	e->out = streams;
	e->in = streams + n;
	s->exchange = e;
}

void lsi_exchange_release(struct lsi_sweep_state *s)
{
	if (!s->exchange)
		return;
	for (int i = 0; i < s->workers; i++) {
		lsi_free(s->worker[i].departures.item);
		lsi_free(s->worker[i].arrivals.item);
	}
	lsi_free(s->exchange->sorted);
	lsi_free(s->exchange->memory);
}

/* ---- The messages of a step */

int lsi_exchange_process_of(const struct lsi_sweep_state *s, int64_t rank)
{
	const int64_t *first = s->exchange->first_rank;
	int low = 0, high = ls_world_processes(s->world);

	while (high - low > 1) {
		const int middle = low + (high - low) / 2;

		*(first[middle] <= rank ? &low : &high) = middle;
	}
	return low;
}

static bool report_memory(struct lsi_sweep_worker *w, int64_t step)
{
	const struct lsi_sweep_fault fault = { LS_ERR_MEMORY, LS_NO_RANK, LS_NO_RANK, step,
		w->sweep->operation };

	return lsi_sweep_report(w, fault, "no memory for the messages between processes");
}

bool lsi_exchange_add(struct lsi_sweep_worker *w, struct lsi_crossings *list,
	struct lsi_crossing message, int64_t step)
{
	struct lsi_sweep_exchange *e = w->sweep->exchange;
	const int process = lsi_exchange_process_of(w->sweep, message.peer);

	if (list->n == list->room) {
		const int64_t room = list->room ? 2 * list->room : 64;
		struct lsi_crossing *grown = lsi_alloc_grow(
			list->item, (size_t)list->n * sizeof *grown, (size_t)room * sizeof *grown);

		if (!grown)
			return report_memory(w, step);
		list->item = grown;
		list->room = room;
	}
	message.stream = list == &w->departures ? &e->out[process] : &e->in[process];
	list->item[list->n++] = message;
	return true;
}

static int compare_senders(const void *a, const void *b)
{
	const struct lsi_crossing *one = *(struct lsi_crossing *const *)a,
							  *other = *(struct lsi_crossing *const *)b;

	return one->peer != other->peer ? (one->peer > other->peer) - (one->peer < other->peer)
									: one->send_port - other->send_port;
}

/* The next blocks of its stream are those of the message. */
static void append(struct lsi_crossing *message)
{
	message->at = message->stream->blocks;
	message->stream->blocks += message->blocks;
}

/* Departures are in the order of senders already. */
static int64_t append_departures(struct lsi_sweep_state *s)
{
	int64_t n = 0;

	for (int i = 0; i < s->workers; i++) {
		struct lsi_crossings *list = &s->worker[i].departures;

		for (int64_t k = 0; k < list->n; k++)
			append(&list->item[k]);
		n += list->n;
	}
	return n;
}

static bool reserve_sorted(struct lsi_sweep_exchange *e, int64_t n)
{
	if (n <= e->room)
		return true;
	lsi_free(e->sorted);
	e->sorted = lsi_alloc((size_t)n * sizeof(struct lsi_crossing *));
	e->room = e->sorted ? n : 0;
	return e->sorted;
}

/* Their number; -1: no memory. */
static int64_t append_arrivals(struct lsi_sweep_state *s)
{
	struct lsi_sweep_exchange *e = s->exchange;
	bool in_order = true;
	int64_t n = 0;

	for (int i = 0; i < s->workers; i++)
		n += s->worker[i].arrivals.n;
	if (!reserve_sorted(e, n))
		return -1;
	n = 0;
	for (int i = 0; i < s->workers; i++) {
		struct lsi_crossings *list = &s->worker[i].arrivals;

		for (int64_t k = 0; k < list->n; k++, n++) {
			e->sorted[n] = &list->item[k];
			in_order =
				in_order && (n == 0 || compare_senders(&e->sorted[n - 1], &e->sorted[n]) < 0);
		}
	}
	if (!in_order)
		qsort(e->sorted, (size_t)n, sizeof(struct lsi_crossing *), compare_senders);
	for (int64_t k = 0; k < n; k++)
		append(e->sorted[k]);
	return n;
}

bool lsi_exchange_allows(const struct lsi_sweep_state *s, size_t bytes)
{
	const size_t limit = s->request.memory;

	return limit == 0 || (s->bytes <= limit && bytes <= limit - s->bytes);
}

bool lsi_exchange_reserve(struct lsi_sweep_state *s, size_t bytes, size_t lists)
{
	struct lsi_sweep_exchange *e = s->exchange;
	const size_t listed = lists > e->lists ? lists : e->lists;

	if (!lsi_exchange_allows(s, listed + (bytes > e->bytes ? bytes : e->bytes)))
		return false;
	e->lists = listed;
	return lsi_alloc_reserve_lines(&e->memory, &e->bytes, bytes);
}

/* Take memory for all streams, one after another. */
static bool place_streams(struct lsi_sweep_state *s)
{
	struct lsi_sweep_exchange *e = s->exchange;
	const int streams = 2 * ls_world_processes(s->world);
	size_t bytes = 0;

	for (int i = 0; i < streams; i++)
		bytes += lsi_stream_bytes(s, e->out[i].blocks);
	if (!lsi_exchange_reserve(s, bytes, 0))
		return false;
	bytes = 0;
	for (int i = 0; i < streams && e->memory; i++) {
		e->out[i].base = e->memory + bytes;
		bytes += lsi_stream_bytes(s, e->out[i].blocks);
	}
	return true;
}

bool lsi_exchange_prepare(struct lsi_sweep_worker *w, int64_t step)
{
	struct lsi_sweep_state *s = w->sweep;
	struct lsi_sweep_exchange *e = s->exchange;
	int64_t departures, arrivals;

	for (int i = 0; i < 2 * ls_world_processes(s->world); i++) /* the streams `in` follow `out` */
		e->out[i].blocks = 0;
	departures = append_departures(s);
	arrivals = append_arrivals(s);
	e->crosses = departures + arrivals > 0;
	return (arrivals >= 0 && place_streams(s)) || report_memory(w, step);
}

/* ---- The transport */

/* Pass the next piece of a stream to the transport. */
static int begin_piece(
	struct lsi_transport *t, struct lsi_sweep_stream *stream, int other, bool sends, int piece)
{
	const size_t bytes = stream->left < LSI_MESSAGE_BYTES ? stream->left : LSI_MESSAGE_BYTES;
	char *at = stream->next;

	stream->next += bytes;
	stream->left -= bytes;
	return sends ? t->send(t, other, TAG, at, bytes, &stream->piece[piece])
				 : t->receive(t, other, TAG, at, bytes, &stream->piece[piece]);
}

/* Advance a stream; *open becomes true if it is not complete. */
static int advance(
	struct lsi_transport *t, struct lsi_sweep_stream *stream, int other, bool sends, bool *open)
{
	int failed = LS_OK;

	for (int i = 0; i < LSI_STREAM_PIECES && failed == LS_OK; i++) {
		bool done = true;

		if (stream->piece[i].begun)
			failed = t->test(t, &stream->piece[i], &done);
		if (done && stream->left > 0 && failed == LS_OK)
			failed = begin_piece(t, stream, other, sends, i);
		*open |= stream->piece[i].begun || stream->left > 0;
	}
	return failed;
}

void lsi_stream_begin(struct lsi_sweep_stream *stream, char *base, size_t bytes)
{
	stream->next = base;
	stream->left = bytes;
}

bool lsi_exchange_advance(struct lsi_sweep_state *s, bool *open)
{
	struct lsi_sweep_exchange *e = s->exchange;
	struct lsi_transport *t = s->world->transport;
	int failed = LS_OK;

	*open = false;
	if (s->broken) /* since an earlier call, for instance that of a piece that is not open now */
		return false;
	for (int i = 0; i < t->processes && failed == LS_OK; i++) {
		failed = advance(t, &e->in[i], i, false, open);
		if (failed == LS_OK)
			failed = advance(t, &e->out[i], i, true, open);
	}
	return failed == LS_OK || lsi_give_up(s, false);
}

bool lsi_exchange_finish(struct lsi_sweep_worker *w)
{
	struct lsi_process_wait wait = { .sweep = w->sweep };
	bool open = true;

	for (int64_t look = 0; open; look++) {
		if (!lsi_exchange_advance(w->sweep, &open)
			|| (open && lsi_process_wait_is_over(&wait) && !lsi_give_up(w->sweep, true)))
			return lsi_exchange_report(w);
		if (open)
			lsi_world_pause(look);
	}
	return true;
}

bool lsi_exchange_run(struct lsi_sweep_worker *w)
{
	struct lsi_sweep_exchange *e = w->sweep->exchange;
	const int streams = 2 * ls_world_processes(w->sweep->world);

	for (int i = 0; i < streams; i++)
		lsi_stream_begin(&e->out[i], e->out[i].base, lsi_stream_bytes(w->sweep, e->out[i].blocks));
	return lsi_exchange_finish(w);
}
