/*
 * The moves of a node on the reference path: any slice of any buffer, in every payload.
 */
#include <inttypes.h>
#include <string.h>

#include "base/math.h"
#include "check/checker.h"
#include "engine/sweep/sweep_exchange.h"
#include "engine/sweep/sweep_node.h"

/*
 * Consecutive blocks of an operand: block .. block+run-1 of a buffer of node `rank`.  If the node
 * is not local, they have arrived as the blocks at .. at+run-1 of a stream.
 */
struct place {
	int64_t rank, block, run;
	int buffer;
	const struct lsi_sweep_stream *stream; /* NULL: the node is local */
	int64_t at;
};
/* Blocks that are contiguous in memory. */
struct span {
	char *at;
	int64_t blocks;
};

size_t lsi_sweep_words(const struct lsi_sweep_state *s, int64_t rank, const struct ls_slice *slice)
{
	const struct lsi_payload *data = &s->payload[LSI_PAYLOAD_DATA];

	return data->uniform ? (size_t)ls_slice_blocks(slice) * data->length
						 : lsi_slice_words(s->plan, rank, slice, &data->measure);
}

/* The k-th block of a slice; *run: the consecutive blocks of the slice that begin there. */
static int64_t number_run(const struct ls_slice *slice, int64_t k, int64_t *run)
{
	const bool plain = !slice->index && !slice->map[0] && slice->cycle == 0;

	if (plain && slice->runs == 1) {
		*run = slice->run - k;
		return slice->first + k;
	}
	*run = plain ? slice->run - k % slice->run : 1;
	return ls_slice_at(slice, k);
}

/* The k-th block of an operand and its successors, in the node's memory or in that of its peer. */
static struct place place_of(
	const struct lsi_sweep_node_step *node, const struct ls_slice *slice, int64_t k)
{
	struct place place; /* `at` is not used without a stream */
	int64_t run;

	place.rank = node->rank;
	place.buffer = slice->buffer;
	place.stream = NULL;
	place.block = number_run(slice, k, &place.run);
	if (!lsi_is_arrival(slice->buffer))
		return place;

	const struct ls_slice *sent = node->sent[slice->buffer - LS_ARRIVAL];
	const struct lsi_crossing *arrival = node->arrival[slice->buffer - LS_ARRIVAL];

	if (arrival) {
		place.stream = arrival->stream;
		place.at = arrival->at + place.block;
	}
	place.rank = node->actions.from[slice->buffer - LS_ARRIVAL];
	place.buffer = sent->buffer;
	place.block = number_run(sent, place.block, &run);
	place.run = lsi_min(run, place.run);
	return place;
}

/* The same as span_of, for blocks that have arrived from another process. */
static __attribute__((noinline)) struct span arrived_span(const struct lsi_sweep_state *s,
	const struct lsi_payload *payload, const struct place *place, int64_t i)
{
	const int number = (int)(payload - s->payload);

	return (struct span){ lsi_stream_at(
							  s, place->stream->base, place->stream->blocks, number, place->at + i),
		payload->uniform ? place->run - i : 1 };
}

/* The memory from the i-th block of a place on. INPUT without memory is made in `made`. */
static struct span span_of(const struct lsi_sweep_state *s, const struct lsi_payload *payload,
	const struct place *place, int64_t i, void *made)
{
	const struct lsi_sweep_buffer *buffer = &payload->buffer[place->buffer];
	const int64_t block = place->block + i;
	int64_t run = place->run - i;

	if (__builtin_expect(place->stream != NULL, 0))
		return arrived_span(s, payload, place, i);
	if (!buffer->base) {
		payload->make(s, place->rank, 1, block, made);
		return (struct span){ made, 1 };
	}
	if (buffer->by_block != payload->bytes || !payload->uniform)
		run = 1;
	else if (run > 1 && run > buffer->slots - block)
		run = block < buffer->slots ? buffer->slots - block : 1;
	return (struct span){ lsi_payload_at(payload, place->rank, place->buffer, block), run };
}

/* Scratch memory for an operand that is made. */
static char *staging_for(const struct lsi_sweep_node_step *node, int number)
{
	return node->worker->scratch + (size_t)number * (node->worker->sweep->scratch_bytes / 2);
}

/* Elements of the i-th block of a place. */
static size_t elements_of(const struct lsi_payload *payload, const struct place *place, int64_t i)
{
	return payload->uniform ? payload->length
							: lsi_buffer_length(payload->plan, place->rank, place->buffer,
								place->block + i, &payload->measure);
}

/* Whether the i-th block of an operand has the expected length; otherwise a violation. */
static bool has_length(const struct lsi_sweep_node_step *node, const struct lsi_payload *payload,
	const struct place *place, int64_t i, size_t expected)
{
	const struct lsi_sweep_state *s = node->worker->sweep;
	const size_t found = elements_of(payload, place, i);
	const int64_t from = place->rank == node->rank ? LS_NO_RANK : place->rank;

	if (found == expected)
		return true;
	return lsi_sweep_report(node->worker,
		(struct lsi_sweep_fault){ LS_ERR_MATCH, node->rank, from, node->step, s->operation },
		"node %" PRId64 " makes a block of %zu elements of one of %zu in round %" PRId64 " (%s)",
		lsi_sweep_host_rank(s, node->rank), expected, found, ls_plan_round(s->plan, node->step),
		s->operation);
}

/* The operands of some blocks of a move; b where the move combines. */
struct operands {
	struct place dst, a, b;
	int64_t blocks;
	bool combines;
};

static struct operands operands_of(
	const struct lsi_sweep_node_step *node, const struct ls_move *move, int64_t k)
{
	struct operands o; /* b is not used without a combination */

	o.dst = place_of(node, &move->dst, k);
	o.a = place_of(node, &move->a, k);
	o.combines = move->action == LS_COMBINE;
	o.blocks = lsi_min(o.a.run, o.dst.run);
	if (o.combines) {
		o.b = place_of(node, &move->b, k);
		o.blocks = lsi_min(o.b.run, o.blocks);
	}
	return o;
}

/* Move the blocks in one payload; false: a violation. */
static bool move_blocks(const struct lsi_sweep_node_step *node, const struct lsi_payload *payload,
	const struct operands *o)
{
	const struct lsi_sweep_state *s = node->worker->sweep;
	int64_t blocks;

	for (int64_t i = 0; i < o->blocks; i += blocks) {
		const struct span dst = span_of(s, payload, &o->dst, i, NULL);
		const struct span a =
			span_of(s, payload, &o->a, i, o->combines ? staging_for(node, 0) : dst.at);
		const size_t n = elements_of(payload, &o->dst, i);

		blocks = lsi_min(o->blocks - i, lsi_min(dst.blocks, a.blocks));
		if (!has_length(node, payload, &o->a, i, n)
			|| (o->combines && !has_length(node, payload, &o->b, i, n)))
			return false;
		if (o->combines) {
			const struct span b = span_of(s, payload, &o->b, i, staging_for(node, 1));

			blocks = lsi_min(blocks, b.blocks);
			lsi_combine(&payload->combine, dst.at, a.at, b.at, (size_t)blocks * n);
		} else if (dst.at != a.at) {
			memcpy(dst.at, a.at, (size_t)blocks * n * payload->combine.size);
		}
	}
	return true;
}

/* Fold the k-th block of a move in one payload; false: a violation. */
static bool fold_block(const struct lsi_sweep_node_step *node, const struct lsi_payload *payload,
	const struct ls_move *move, int64_t k)
{
	const struct lsi_sweep_state *s = node->worker->sweep;
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = ls_slice_blocks(&move->a) / blocks;
	const struct place dst = place_of(node, &move->dst, k);
	struct place part = place_of(node, &move->a, k);
	const struct span first = span_of(s, payload, &part, 0, staging_for(node, 0));
	char *const to = span_of(s, payload, &dst, 0, NULL).at;
	const size_t n = elements_of(payload, &dst, 0), bytes = n * payload->combine.size;

	if (!has_length(node, payload, &part, 0, n))
		return false;
	if (parts == 1) {
		memcpy(to, first.at, bytes);
	} else if (blocks == 1 && first.blocks >= parts) {
		lsi_fold(&payload->combine, to, first.at, (size_t)parts, bytes, n);
	} else {
		for (int64_t i = 1; i < parts; i++) {
			part = place_of(node, &move->a, i * blocks + k);
			if (!has_length(node, payload, &part, 0, n))
				return false;
			lsi_combine(&payload->combine, to, i == 1 ? first.at : to,
				span_of(s, payload, &part, 0, staging_for(node, 1)).at, n);
		}
	}
	return true;
}

/* ---- Lengths */

static bool lengths_of_fold_hold(const struct lsi_sweep_node_step *node, const struct ls_move *move)
{
	const struct lsi_payload *data = &node->worker->sweep->payload[LSI_PAYLOAD_DATA];
	const int64_t blocks = ls_slice_blocks(&move->dst), parts = ls_slice_blocks(&move->a);

	for (int64_t k = 0; k < blocks; k++) {
		const struct place dst = place_of(node, &move->dst, k);
		const size_t n = elements_of(data, &dst, 0);

		for (int64_t i = k; i < parts; i += blocks) {
			const struct place part = place_of(node, &move->a, i);

			if (!has_length(node, data, &part, 0, n))
				return false;
		}
	}
	return true;
}

static bool lengths_of_blocks_hold(
	const struct lsi_sweep_node_step *node, const struct ls_move *move)
{
	const struct lsi_payload *data = &node->worker->sweep->payload[LSI_PAYLOAD_DATA];
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = 0, n; k < blocks; k += n) {
		const struct operands o = operands_of(node, move, k);

		n = o.blocks;
		for (int64_t i = 0; i < n; i++) {
			const size_t length = elements_of(data, &o.dst, i);

			if (!has_length(node, data, &o.a, i, length)
				|| (o.combines && !has_length(node, data, &o.b, i, length)))
				return false;
		}
	}
	return true;
}

/* ---- Moves */

static bool has_arrived(const struct lsi_sweep_node_step *node, const struct ls_slice *slice)
{
	return !lsi_is_arrival(slice->buffer) || node->sent[slice->buffer - LS_ARRIVAL];
}

/* A move of a message that does not arrive is skipped: the rules or the proof report the step. */
static bool can_move(const struct lsi_sweep_node_step *node, const struct ls_move *move)
{
	return has_arrived(node, &move->a)
		&& (move->action != LS_COMBINE || has_arrived(node, &move->b));
}

static bool move_all(const struct lsi_sweep_node_step *node, const struct ls_move *move)
{
	const struct lsi_sweep_state *s = node->worker->sweep;
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = 0, n; k < blocks; k += n) {
		const bool folds = move->action == LS_FOLD;
		struct operands operands;

		if (!folds)
			operands = operands_of(node, move, k);
		n = folds ? 1 : operands.blocks;
		for (int i = 0; i < LSI_PAYLOADS; i++) {
			const struct lsi_payload *payload = &s->payload[i];

			if (payload->uniform && payload->bytes == 0)
				continue;
			if (!(folds ? fold_block(node, payload, move, k)
						: move_blocks(node, payload, &operands)))
				return false;
		}
	}
	return true;
}

bool lsi_sweep_moves(const struct lsi_sweep_node_step *node)
{
	for (int m = 0; m < node->actions.n_moves; m++) {
		if (can_move(node, &node->actions.move[m]) && !move_all(node, &node->actions.move[m]))
			return false;
	}
	return true;
}

bool lsi_sweep_lengths_hold(const struct lsi_sweep_node_step *node)
{
	if (node->worker->sweep->payload[LSI_PAYLOAD_DATA].uniform)
		return true;
	for (int m = 0; m < node->actions.n_moves; m++) {
		const struct ls_move *move = &node->actions.move[m];

		if (can_move(node, move)
			&& !(move->action == LS_FOLD ? lengths_of_fold_hold : lengths_of_blocks_hold)(
				node, move))
			return false;
	}
	return true;
}

/* ---- Messages to other processes */

void lsi_sweep_pack(const struct lsi_sweep_node_step *node, const struct lsi_crossing *message)
{
	const struct lsi_sweep_state *s = node->worker->sweep;
	struct place place;

	for (int64_t k = 0; k < message->blocks; k += place.run) {
		place = place_of(node, &node->actions.send[message->send_port], k);
		for (int l = 0; l < LSI_PAYLOADS; l++) {
			const struct lsi_payload *payload = &s->payload[l];
			struct span span;

			if (payload->uniform && payload->bytes == 0)
				continue;
			for (int64_t i = 0; i < place.run; i += span.blocks) {
				char *to = lsi_stream_at(
					s, message->stream->base, message->stream->blocks, l, message->at + k + i);

				span = span_of(s, payload, &place, i, to);
				if (span.at != to)
					memcpy(to, span.at,
						(size_t)span.blocks * elements_of(payload, &place, i)
							* payload->combine.size);
			}
		}
	}
}
