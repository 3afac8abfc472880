#include "engine/sweep/sweep_work.h"

#include <string.h>

#include "base/futex.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"
#include "engine/sweep/sweep_payload.h"
#include "engine/sweep/sweep_node.h"
#include "engine/sweep/sweep_fingerprints.h"
#include "engine/sweep/sweep_messages.h"
#include "plan/record.h"
#include "plan/storage.h"
#include "topology/topology_internal.h"

/* ---- Operands */

/* In place, operands lie in the memory of the results: make them before the rounds. */
static void make_operands(struct lsi_sweep_worker *w, const struct lsi_payload *payload)
{
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t blocks = lsi_buffer_blocks(s->plan, LS_INPUT);

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (!lsi_storage_has(s->plan, rank, LS_INPUT))
			continue;
		for (int64_t b = 0; b < blocks; b++) {
			if ((rank + b) % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
				return;
			payload->make(s, rank, 1, b, lsi_payload_at(payload, rank, LS_INPUT, b));
		}
	}
}

static bool make_inputs(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;

	if (!s->plan->problem.in_place)
		return true;
	if (s->request.make && !s->request.input && s->request.count > 0)
		make_operands(w, &s->payload[LSI_PAYLOAD_DATA]);
	make_operands(w, &s->payload[LSI_PAYLOAD_FINGERPRINTS]);
	return lsi_sweep_barrier(w);
}

/* ---- The trace */

/* Trace the messages that a node sends in a step, sorted by receiver. */
static void trace_node(const struct lsi_sweep_state *s, int64_t rank, int64_t step, int64_t round)
{
	struct ls_record message[LS_PORTS];
	struct ls_step actions;
	int n = 0;

	ls_plan_step(s->plan, rank, step, &actions);
	for (int q = 0; q < actions.ports; q++) {
		if (actions.to[q] == LS_NO_RANK)
			continue;

		const size_t words = lsi_sweep_words(s, rank, &actions.send[q]);
		const struct ls_record record = lsi_record_make(round, lsi_sweep_host_rank(s, rank),
			lsi_sweep_host_rank(s, actions.to[q]), words,
			words * s->payload[LSI_PAYLOAD_DATA].combine.size);
		int slot = n++;

		for (; slot > 0 && message[slot - 1].dst > record.dst; slot--)
			message[slot] = message[slot - 1];
		message[slot] = record;
	}
	for (int i = 0; i < n; i++)
		s->request.trace(s->request.trace_context, &message[i]);
}

/*
 * Trace a step that is over, while the other workers execute the next.  The plan states the
 * messages of all processes, so process 0 needs nothing from the others.
 */
static void trace_step(const struct lsi_sweep_state *s, int64_t step)
{
	const ls_embedding *embedding = s->request.embedding;
	const int64_t hosts = embedding ? ls_embedding_host(embedding)->nodes : s->nodes;
	const int64_t round = ls_plan_round(s->plan, step);

	for (int64_t host = 0; host < hosts; host++) {
		const int64_t rank = embedding ? ls_embedding_guest_rank(embedding, host) : host;

		if (rank != LS_NO_RANK)
			trace_node(s, rank, step, round);
	}
}

/* ---- The plan */

/* The first worker counts a round that is over, and traces its messages. */
static void close_step(struct lsi_sweep_worker *w, int64_t step)
{
	struct lsi_sweep_state *s = w->sweep;

	if (w->number > 0 || ls_plan_is_local(s->plan, step))
		return;
	lsi_store(
		&s->rounds, lsi_load(&s->rounds, relaxed) + 1, relaxed); /* only this worker writes it */
	if (s->request.trace && ls_world_process(s->world) == 0)
		(s->message_index ? lsi_sweep_messages_trace : trace_step)(s, step);
}

static bool run_steps(struct lsi_sweep_worker *w)
{
	struct lsi_sweep_state *s = w->sweep;

	for (int64_t step = 0, next; step < s->steps; step = next) {
		const int64_t crossing = w->crossing_messages;

		next = lsi_sweep_stage(w, step);
		if (next == step)
			next = (s->message_index ? lsi_sweep_messages_step : lsi_sweep_step)(w, step) ? step + 1
																						  : -1;
		if (next < 0)
			return false;
		lsi_crossing_rounds_mark(w, step, crossing); /* a stage of several steps has none */
		for (int64_t t = step; t < next; t++)
			close_step(w, t);
	}
	return true;
}

/* ---- Results */

/* A node's OUTPUT as one piece of memory. */
static const void *result_of(struct lsi_sweep_worker *w, int64_t rank)
{
	const struct lsi_payload *payload = &w->sweep->payload[LSI_PAYLOAD_DATA];
	const int64_t blocks = lsi_buffer_blocks(payload->plan, LS_OUTPUT);

	if (payload->bytes == 0 || payload->buffer[LS_OUTPUT].by_block == payload->bytes || blocks == 1)
		return lsi_payload_at(payload, rank, LS_OUTPUT, 0);
	for (int64_t b = 0; b < blocks; b++)
		memcpy(w->scratch + (size_t)b * payload->bytes, lsi_payload_at(payload, rank, LS_OUTPUT, b),
			payload->bytes);
	return w->scratch;
}

/* In place, the result of a scatter at its root is a block of its operand; copy it to `output`. */
static void copy_root_result(const struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_problem *problem = &s->plan->problem;
	const int64_t root = problem->root;
	const bool is_mine = root >= w->first && root < w->last;

	if (problem->in_place && problem->operation == LS_SCATTER && s->request.output && is_mine)
		memcpy((char *)s->request.output + (size_t)(root - s->first) * s->request.output_stride,
			lsi_payload_at(&s->payload[LSI_PAYLOAD_DATA], root, LS_OUTPUT, 0),
			lsi_sweep_row_bytes(s, LS_OUTPUT));
}

static void take_results(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;

	for (int64_t rank = w->first; rank < w->last && s->request.take; rank++) {
		if (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
			break;
		if (!lsi_storage_has(s->plan, rank, LS_OUTPUT))
			continue;
		if (s->request.take(s->request.context, rank, result_of(w, rank)) != 0) {
			lsi_sweep_report(w,
				(struct lsi_sweep_fault){
					LS_ERR_STOPPED, rank, LS_NO_RANK, s->steps, s->operation },
				"the sweep was stopped when the result of node %lld was taken",
				(long long)lsi_sweep_host_rank(s, rank));
			break;
		}
	}
	lsi_sweep_barrier(w);
}

void lsi_sweep_work(struct lsi_sweep_worker *w)
{
	struct lsi_sweep_state *s = w->sweep;
	bool going = make_inputs(w);
	const uint64_t began = lsi_now_ns();

	going = going && run_steps(w);
	if (w->number == 0)
		s->seconds = (double)(lsi_now_ns() - began) / 1e9;
	if (!going || !(s->message_index ? lsi_sweep_meet(w) : lsi_fingerprints_check(w))
		|| s->message_index)
		return;
	copy_root_result(w);
	take_results(w);
}
