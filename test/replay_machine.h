/*
 * The interpreter of test/replay_laws.c: it executes plans on strings of ranks, in rounds or free.
 */
#ifndef LOCKSTEP_TEST_REPLAY_MACHINE_H
#define LOCKSTEP_TEST_REPLAY_MACHINE_H

#include <inttypes.h>
#include <string.h>
#include "plan/zero_copy_waits.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { RANKS_MAX = 64 };

/*
 * One element: its place in INPUT, and the ranks that contributed, in order. length -1: never
 * written.
 */
struct word {
	int32_t element;
	int16_t length;
	uint8_t rank[RANKS_MAX];
};

struct machine {
	const struct ls_plan *plan;
	int64_t nodes, steps;
	size_t n;
	struct word **buffer; /* LS_BUFFERS for each node */
	struct word **owned;  /* of these: what is no part of another */
	int64_t *waits;       /* steps for each node */
	int64_t *done;        /* steps of each node */
	bool broken;          /* something undefined or ill matched was computed */
};

static uint64_t state;

/* ---- Computing */

struct span {
	struct word *at;
	size_t length;
}; /* one block, the part of it in the strip */
struct strip {
	size_t from, to;
};

static struct word *buffer_of(const struct machine *m, int64_t node, int buffer)
{
	return m->buffer[node * LS_BUFFERS + buffer];
}

static struct span block_at(const struct machine *m, int64_t node, const struct ls_slice *slice,
	int64_t k, struct strip strip)
{
	const struct lsi_measure measure = { .n = m->n };
	const int64_t block = ls_slice_at(slice, k);
	const size_t length = lsi_buffer_length(m->plan, node, slice->buffer, block, &measure);
	const size_t from = strip.from < length ? strip.from : length,
				 to = strip.to < length ? strip.to : length;

	return (struct span){ buffer_of(m, node, slice->buffer)
			+ lsi_buffer_offset(m->plan, slice->buffer, block, &measure) + from,
		to - from };
}

/* Block k of a slice that a move names; ARRIVAL is the memory of the sender. */
static struct span operand(const struct machine *m, int64_t node, const struct ls_step *step,
	const struct ls_slice *slice, int64_t k, struct strip strip)
{
	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		return block_at(m, node, slice, k, strip);

	const int64_t from = step->from[slice->buffer - LS_ARRIVAL];
	struct ls_step peer;
	int q = 0;

	ls_plan_step(m->plan, from, m->done[node] - 1, &peer);
	while (peer.to[q] != node)
		q++;
	return block_at(m, from, &peer.send[q], ls_slice_at(slice, k), strip);
}

static bool has(const struct word *word, uint8_t rank)
{
	return memchr(word->rank, rank, (size_t)word->length) != NULL;
}

/* Of a plan that needs an idempotent operator ranks are taken over once. */
static struct word join(struct machine *m, struct word a, struct word b)
{
	const bool once = m->plan->algorithm->claim == LS_IDEMPOTENT;

	m->broken |= a.length < 0 || b.length < 0 || a.element != b.element;
	for (int i = 0; i < b.length && !m->broken; i++) {
		if (once && has(&a, b.rank[i]))
			continue;
		if (a.length == RANKS_MAX)
			m->broken = true;
		else
			a.rank[a.length++] = b.rank[i];
	}
	return a;
}

static void move(struct machine *m, int64_t node, const struct ls_step *step,
	const struct ls_move *move, struct strip strip)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks : 1;

	for (int64_t k = 0; k < blocks; k++) {
		const struct span dst = block_at(m, node, &move->dst, k, strip);

		for (size_t i = 0; i < dst.length; i++) {
			struct word word = { 0, -1, { 0 } };

			for (int64_t part = 0; part < parts + (move->action == LS_COMBINE); part++) {
				const struct ls_slice *slice =
					part == 1 && move->action == LS_COMBINE ? &move->b : &move->a;
				const struct span a = operand(
					m, node, step, slice, move->action == LS_FOLD ? part * blocks + k : k, strip);

				m->broken |= a.length != dst.length || a.at[i].length < 0;
				word = part == 0 ? a.at[i] : join(m, word, a.at[i]);
			}
			dst.at[i] = word;
		}
	}
}

static void do_step(struct machine *m, int64_t node, struct strip strip)
{
	const int64_t t = m->done[node]++;
	struct ls_step step;

	ls_plan_step(m->plan, node, t, &step);
	for (int i = 0; i < step.n_moves; i++)
		move(m, node, &step, &step.move[i], strip);
}

/* ---- Schedules */

/* Whether the receivers of all zero-copy messages up to a step are past their moves of it. */
static bool is_acknowledged(const struct machine *m, int64_t node, int64_t up_to)
{
	for (int64_t t = 0; t <= up_to; t++) {
		struct lsi_peers peers;

		lsi_plan_peers(m->plan, node, t, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			if (peers.to[q] != LS_NO_RANK && m->done[peers.to[q]] <= t)
				return false;
		}
	}
	return true;
}

static bool may_step(const struct machine *m, int64_t node, bool free)
{
	const int64_t t = m->done[node];
	struct lsi_peers peers;

	if (t == m->steps)
		return false;
	for (int64_t u = 0; u < m->nodes && !free; u++) {
		if (m->done[u] < t)
			return false;
	}
	lsi_plan_peers(m->plan, node, t, &peers);
	for (int q = 0; q < LS_PORTS; q++) {
		if (peers.from[q] != LS_NO_RANK && m->done[peers.from[q]] < t)
			return false;
	}
	return !free || is_acknowledged(m, node, m->waits[node * m->steps + t]);
}

/* Runs the plan to its end; false: no node could go on. */
static bool play(struct machine *m, bool free, struct strip strip)
{
	memset(m->done, 0, (size_t)m->nodes * sizeof *m->done);
	for (int64_t left = m->nodes * m->steps; left > 0; left--) {
		const int64_t start = random_below(&state, m->nodes);
		int64_t tried = 0;

		while (tried < m->nodes && !may_step(m, (start + tried) % m->nodes, free))
			tried++;
		if (tried == m->nodes)
			return false;
		do_step(m, (start + tried) % m->nodes, strip);
		/* In free rounds sometimes run as far ahead as can be. */
		while (free && random_below(&state, 4) && may_step(m, (start + tried) % m->nodes, true)) {
			do_step(m, (start + tried) % m->nodes, strip);
			left--;
		}
	}
	return true;
}

#endif
