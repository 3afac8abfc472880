/*
 * Law 8: zero-copy messages are read before their storage is overwritten.
 *
 * The proof uses vector clocks, not the rule by which lsi_plan_zero_copy_waits chooses the waits.
 * The clock of a node states for every node v the latest step whose moves v is known to have
 * finished.  A message carries its sender's clock from before its step.  An acknowledgment of a
 * message of step s says that its receiver finished step s.
 *
 *   step       s             s + 1          t
 *   sender u   send x to v                  overwrite x: allowed if clock[v] >= s
 *                     \                     ^
 *   v                  read x ---message---+   sent after the moves of step s
 *
 * For up to ALL_CLOCKS_MAX nodes the proof keeps the clocks of all nodes, and follows chains of
 * messages.  For more nodes it checks one node at a time; a message then only reports the progress
 * of its sender.
 */
#include <string.h>

#include "base/alloc.h"
#include "check/checker.h"
#include "plan/storage.h"

enum { ALL_CLOCKS_MAX = 256 }; /* nodes; the clocks take the square of it */

/* A cell sent to a peer in a step; next: the entry of an earlier send of this cell, or -1. */
struct cell_send {
	int64_t step, peer, next;
};

struct clocks {
	struct lsi_checker *c;
	int64_t rows, steps;   /* rows: nodes kept at a time */
	int64_t *known;        /* rows x nodes: the clocks; a step + 1, or 0 for none */
	int64_t *sent;         /* rows x nodes: the clocks at the start of the step */
	int64_t *waits;        /* rows x steps */
	int64_t *acknowledged; /* rows: the latest step whose messages are acknowledged */
	int64_t *latest;       /* rows x cells: the latest send since the cell was written, or -1 */
	struct cell_send *sends;
	int64_t count, room;
};

/* The row of a node in a matrix of `columns`; the only row if nodes are checked one at a time. */
static int64_t *row(const struct clocks *k, int64_t *matrix, int64_t node, int64_t columns)
{
	return matrix + (k->rows > 1 ? node : 0) * columns;
}

/* The latest send of the cell of block i of a slice. */
static int64_t *latest_send(
	const struct clocks *k, int64_t node, const struct ls_slice *slice, int64_t i)
{
	return row(k, k->latest, node, k->c->cells)
		+ lsi_storage_cell(k->c->plan, node, slice->buffer, ls_slice_at(slice, i));
}

/* Record a send of each block of a slice: it may not be overwritten until it is read. */
static int record_send(
	struct clocks *k, int64_t node, int64_t step, int64_t to, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	if (k->count + blocks > k->room) {
		const int64_t room = 2 * (k->count + blocks);
		struct cell_send *sends = lsi_alloc_grow(
			k->sends, (size_t)k->count * sizeof *sends, (size_t)room * sizeof *sends);

		if (!sends)
			return LS_ERR_MEMORY;
		k->sends = sends;
		k->room = room;
	}
	for (int64_t i = 0; i < blocks; i++) {
		int64_t *cell = latest_send(k, node, slice, i);

		k->sends[k->count] = (struct cell_send){ step, to, *cell };
		*cell = k->count++;
	}
	return LS_OK;
}

/* Merge the clock in a message that `from` sends in this step into the clock of its receiver. */
static void merge_clock(struct clocks *k, int64_t node, int64_t step, int64_t from)
{
	int64_t *known = row(k, k->known, node, k->c->nodes);

	if (k->rows > 1) {
		const int64_t *sender_clock = row(k, k->sent, from, k->c->nodes);

		for (int64_t v = 0; v < k->c->nodes; v++)
			known[v] = sender_clock[v] > known[v] ? sender_clock[v] : known[v];
	}
	known[from] = step > known[from] ? step : known[from];
}

/* The node waits for the acknowledgments of all messages that it sent up to a step. */
static void receive_acknowledgments(struct clocks *k, int64_t node, int64_t up_to)
{
	int64_t *known = row(k, k->known, node, k->c->nodes);
	int64_t *done = row(k, k->acknowledged, node, 1);

	for (int64_t t = *done + 1; t <= up_to; t++) {
		struct lsi_peers peers;

		*done = t;
		lsi_plan_peers(k->c->plan, node, t, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			if (peers.to[q] != LS_NO_RANK && known[peers.to[q]] < t + 1)
				known[peers.to[q]] = t + 1;
		}
	}
}

/* A move overwrites a slice: the node must know that every send of its cells was read. */
static int check_overwrite(
	struct clocks *k, int64_t node, int64_t step, int number, const struct ls_slice *dst)
{
	const int64_t *known = row(k, k->known, node, k->c->nodes);

	for (int64_t i = 0; i < ls_slice_blocks(dst); i++) {
		int64_t *cell = latest_send(k, node, dst, i);

		for (int64_t l = *cell; l >= 0; l = k->sends[l].next) {
			const struct cell_send send = k->sends[l];

			if (known[send.peer] <= send.step)
				return lsi_check_fail(k->c, LS_LAW_ZERO_COPY,
					(struct lsi_violation_at){ node, send.peer, step, -1 },
					"move %d overwrites %s, which node %lld may still read (sent in round %lld)",
					number, lsi_block_name(dst->buffer, ls_slice_at(dst, i)).text,
					(long long)send.peer, (long long)ls_plan_round(k->c->plan, send.step));
		}
		*cell = -1;
	}
	return LS_OK;
}

/*
 * One step of one node: receives, waits, moves.  Its sends are recorded last: by law 4 no move of
 * the step overwrites them.
 */
static int check_node_step(struct clocks *k, int64_t node, int64_t t)
{
	const int64_t wait = row(k, k->waits, node, k->steps)[t];
	struct ls_step step;
	int status = LS_OK;

	ls_plan_step(k->c->plan, node, t, &step);
	if (wait >= t)
		return lsi_check_fail(k->c, LS_LAW_ZERO_COPY, (struct lsi_violation_at){ node, -1, t, -1 },
			"waits for acknowledgments of step %lld, which is not an earlier step",
			(long long)wait);
	for (int q = 0; q < step.ports; q++) {
		if (step.from[q] != LS_NO_RANK)
			merge_clock(k, node, t, step.from[q]);
	}
	if (wait >= 0)
		receive_acknowledgments(k, node, wait);
	for (int m = 0; status == LS_OK && m < step.n_moves; m++) {
		if (!lsi_storage_is_noop(k->c->plan, node, &step.move[m]))
			status = check_overwrite(k, node, t, m + 1, &step.move[m].dst);
	}
	for (int q = 0; status == LS_OK && q < step.ports; q++) {
		if (step.to[q] != LS_NO_RANK)
			status = record_send(k, node, t, step.to[q], &step.send[q]);
	}
	return status;
}

/* Each step at all nodes, then the next step. */
static int check_all_clocks(struct clocks *k)
{
	const int64_t p = k->c->nodes;
	int status = LS_OK;

	for (int64_t u = 0; status == LS_OK && u < p; u++)
		status = k->c->options.waits(k->c->plan, u, row(k, k->waits, u, k->steps));
	for (int64_t t = 0; status == LS_OK && t < k->steps; t++) {
		memcpy(k->sent, k->known, (size_t)(p * p) * sizeof *k->sent);
		for (int64_t u = 0; status == LS_OK && u < p; u++)
			status = check_node_step(k, u, t);
	}
	return status;
}

/* Clear the clock of a node after its last step.  Only the entries of its peers were set. */
static void reset_clock(struct clocks *k, int64_t node)
{
	for (int64_t t = 0; t < k->steps; t++) {
		struct lsi_peers peers;

		lsi_plan_peers(k->c->plan, node, t, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			if (peers.to[q] != LS_NO_RANK)
				k->known[peers.to[q]] = 0;
			if (peers.from[q] != LS_NO_RANK)
				k->known[peers.from[q]] = 0;
		}
	}
	k->count = 0;
	k->acknowledged[0] = -1;
}

/* All steps of one node, then the next node. */
static int check_single_clocks(struct clocks *k)
{
	int status = LS_OK;

	for (int64_t u = 0; status == LS_OK && u < k->c->nodes; u++) {
		status = k->c->options.waits(k->c->plan, u, k->waits);
		memset(k->latest, 0xff, (size_t)k->c->cells * sizeof *k->latest);
		for (int64_t t = 0; status == LS_OK && t < k->steps; t++)
			status = check_node_step(k, u, t);
		reset_clock(k, u);
	}
	return status;
}

int lsi_check_zero_copy(struct lsi_checker *c)
{
	const int64_t rows = c->nodes <= ALL_CLOCKS_MAX ? c->nodes : 1;
	struct clocks k = { .c = c, .rows = rows, .steps = ls_plan_steps(c->plan) };
	int status = LS_ERR_MEMORY;

	k.known = lsi_alloc_zero((size_t)(rows * c->nodes), sizeof *k.known);
	k.sent = lsi_alloc_zero((size_t)(rows * c->nodes), sizeof *k.sent);
	k.waits = lsi_alloc((size_t)(rows * k.steps) * sizeof *k.waits);
	k.acknowledged = lsi_alloc((size_t)rows * sizeof *k.acknowledged);
	k.latest = lsi_alloc((size_t)(rows * c->cells) * sizeof *k.latest);
	if (k.known && k.sent && k.waits && k.acknowledged && k.latest) {
		memset(k.acknowledged, 0xff, (size_t)rows * sizeof *k.acknowledged); /* all -1 */
		memset(k.latest, 0xff, (size_t)(rows * c->cells) * sizeof *k.latest);
		status = rows > 1 ? check_all_clocks(&k) : check_single_clocks(&k);
	}
	lsi_free(k.sends);
	lsi_free(k.latest);
	lsi_free(k.acknowledged);
	lsi_free(k.waits);
	lsi_free(k.sent);
	lsi_free(k.known);
	return status;
}
