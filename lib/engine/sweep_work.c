#include "engine/sweep_work.h"

#include <string.h>

#include "base/wait.h"
#include "engine/sweep_lanes.h"
#include "engine/sweep_node.h"
#include "engine/sweep_proof.h"
#include "plan/storage.h"
#include "topology/topology.h"

/* ---- Operands */

/* What lies in place is made before the rounds. */
static void make_operands(struct ls_sweep_worker *w, const struct ls_lane *lane)
{
	const struct ls_sweeping *s = w->sweep;
	const int64_t blocks = ls_buffer_blocks(s->plan, LS_INPUT);

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (!ls_storage_has(s->plan, rank, LS_INPUT))
			continue;
		for (int64_t b = 0; b < blocks; b++) {
			if ((rank + b) % LS_CHUNK == 0 && ls_sweep_pause(w))
				return;
			lane->make(s, rank, 1, b, ls_lane_at(lane, rank, LS_INPUT, b));
		}
	}
}

static bool begin(struct ls_sweep_worker *w)
{
	const struct ls_sweeping *s = w->sweep;

	if (!s->plan->problem.in_place)
		return true;
	if (s->asked.make && !s->asked.input && s->asked.count > 0)
		make_operands(w, &s->lane[LS_LANE_DATA]);
	make_operands(w, &s->lane[LS_LANE_PROOF]);
	return ls_sweep_meet(w);
}

/* ---- The trace */

static void trace_node(const struct ls_sweeping *s, int64_t rank, int64_t step, int64_t round)
{
	struct ls_record message[LS_PORTS];
	struct ls_step does;
	int n = 0;

	ls_plan_step(s->plan, rank, step, &does);
	for (int q = 0; q < does.ports; q++) {
		if (does.to[q] == LS_NOBODY)
			continue;

		const size_t words = ls_sweep_words(s, rank, &does.send[q]);
		const struct ls_record record = { round, ls_sweep_place(s, rank),
			ls_sweep_place(s, does.to[q]), words, words * s->lane[LS_LANE_DATA].combine.size };
		int at = n++;

		for (; at > 0 && message[at - 1].dst > record.dst; at--)
			message[at] = message[at - 1];
		message[at] = record;
	}
	for (int i = 0; i < n; i++)
		s->asked.trace(s->asked.trace_context, &message[i]);
}

/* Of a step that is over, while the others are in the next. */
static void trace_step(const struct ls_sweeping *s, int64_t step)
{
	const ls_embedding *embedding = s->asked.embedding;
	const int64_t places = embedding ? ls_embedding_host(embedding)->nodes : s->nodes;
	const int64_t round = ls_plan_round_of(s->plan, step);

	for (int64_t place = 0; place < places; place++) {
		const int64_t rank = embedding ? ls_embedding_rank(embedding, place) : place;

		if (rank != LS_NOBODY)
			trace_node(s, rank, step, round);
	}
}

/* ---- The plan */

static void close_step(struct ls_sweep_worker *w, int64_t step)
{
	struct ls_sweeping *s = w->sweep;

	if (w->number > 0 || ls_plan_is_local(s->plan, step))
		return;
	ls_store(&s->rounds, ls_load(&s->rounds, relaxed) + 1, relaxed);       /* own word */
	if (s->asked.trace)
		trace_step(s, step);
}

static bool walk(struct ls_sweep_worker *w)
{
	struct ls_sweeping *s = w->sweep;

	for (int64_t step = 0, next; step < s->steps; step = next) {
		next = ls_sweep_stage(w, step);
		if (next == step)
			next = ls_sweep_step(w, step) ? step + 1 : -1;
		if (next < 0)
			return false;
		for (int64_t t = step; t < next; t++)
			close_step(w, t);
	}
	return true;
}

/* ---- Results */

/* A node's OUTPUT in one piece. */
static const void *result(struct ls_sweep_worker *w, int64_t rank)
{
	const struct ls_lane *lane = &w->sweep->lane[LS_LANE_DATA];
	const int64_t blocks = ls_buffer_blocks(lane->plan, LS_OUTPUT);

	if (lane->bytes == 0 || lane->rows[LS_OUTPUT].by_block == lane->bytes || blocks == 1)
		return ls_lane_at(lane, rank, LS_OUTPUT, 0);
	for (int64_t b = 0; b < blocks; b++)
		memcpy(w->scratch + (size_t)b * lane->bytes, ls_lane_at(lane, rank, LS_OUTPUT, b),
			lane->bytes);
	return w->scratch;
}

/* In place the root of a scatter has its result among its operands; it is wanted in `output`. */
static void give_root(const struct ls_sweep_worker *w)
{
	const struct ls_sweeping *s = w->sweep;
	const struct ls_problem *problem = &s->plan->problem;
	const int64_t root = problem->root;
	const bool is_mine = root >= w->first && root < w->last;

	if (problem->in_place && problem->operation == LS_SCATTER && s->asked.output && is_mine)
		memcpy((char *)s->asked.output + (size_t)root * s->asked.output_stride,
			ls_lane_at(&s->lane[LS_LANE_DATA], root, LS_OUTPUT, 0), ls_sweep_row(s, LS_OUTPUT));
}

static bool take_results(struct ls_sweep_worker *w)
{
	const struct ls_sweeping *s = w->sweep;

	for (int64_t rank = w->first; rank < w->last && s->asked.take; rank++) {
		if (rank % LS_CHUNK == 0 && ls_sweep_pause(w))
			break;
		if (!ls_storage_has(s->plan, rank, LS_OUTPUT))
			continue;
		if (s->asked.take(s->asked.context, rank, result(w, rank)) != 0) {
			ls_sweep_violated(w,
				(struct ls_sweep_fault){ LS_ERR_STOPPED, rank, LS_NOBODY, s->steps },
				"the sweep was stopped when the result of node %lld was taken",
				(long long)ls_sweep_place(s, rank));
			break;
		}
	}
	return ls_sweep_meet(w);
}

void ls_sweep_work(struct ls_sweep_worker *w)
{
	struct ls_sweeping *s = w->sweep;
	bool going = begin(w);
	const uint64_t began = ls_now();

	going = going && walk(w);
	if (w->number == 0)
		s->seconds = (double)(ls_now() - began) / 1e9;
	if (!going || !ls_proof_hold(w))
		return;
	give_root(w);
	take_results(w);
}
