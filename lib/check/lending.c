/*
 * Law 8, proved independently of the rule that chooses the waits.
 *
 * Each node keeps a clock: for every node the latest step whose moves that node is known to have
 * finished.  A message carries its sender's clock as of the step before.  An acknowledgement
 * reports one step of its receiver.  Storage lent in step s to v may be overwritten when the clock
 * of its owner shows s for v:
 *
 *   step      s             s + 1          t
 *   owner u   lend x to v                  overwrite x: allowed if clock[v] >= s
 *                    \                     ^
 *   v                 read x ---message---+   the message left after the moves of step s
 *
 * The proof for up to ALL_CLOCKS_MAX nodes keeps the clocks of all nodes, and follows chains of
 * messages.  On larger machines it checks one node at a time, and a message reports its sender
 * only.
 */
#include <string.h>

#include "base/alloc.h"
#include "check/checker.h"
#include "plan/storage.h"

enum { ALL_CLOCKS_MAX = 256 }; /* nodes; the clocks take the square of it */

/* One cell lent in a step to a peer; next: an earlier lend of the same cell, or -1. */
struct lend {
	int64_t step, peer, next;
};

struct clocks {
	struct lsi_checker *c;
	int64_t rows, steps;   /* rows: nodes kept at a time */
	int64_t *known;        /* rows x nodes: step + 1, 0: none */
	int64_t *sent;         /* as known, when the step began */
	int64_t *waits;        /* rows x steps */
	int64_t *acknowledged; /* rows: up to this step */
	int64_t *latest;       /* rows x cells: its latest lend since it was written, -1: none */
	struct lend *lends;
	int64_t count, room;
};

/* The row of a node in a matrix of `columns`; the only row if nodes are checked one at a time. */
static int64_t *row(const struct clocks *k, int64_t *matrix, int64_t node, int64_t columns)
{
	return matrix + (k->rows > 1 ? node : 0) * columns;
}

/* The latest lend of the cell of block i of a slice. */
static int64_t *latest(
	const struct clocks *k, int64_t node, const struct ls_slice *slice, int64_t i)
{
	return row(k, k->latest, node, k->c->cells)
		+ lsi_storage_cell(k->c->plan, node, slice->buffer, ls_slice_at(slice, i));
}

/* The node lends the blocks of a sent slice; their owner may not write them until they are read. */
static int record_lend(
	struct clocks *k, int64_t node, int64_t step, int64_t to, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	if (k->count + blocks > k->room) {
		const int64_t room = 2 * (k->count + blocks);
		struct lend *lends = lsi_alloc_grow(
			k->lends, (size_t)k->count * sizeof *lends, (size_t)room * sizeof *lends);

		if (!lends)
			return LS_ERR_MEMORY;
		k->lends = lends;
		k->room = room;
	}
	for (int64_t i = 0; i < blocks; i++) {
		int64_t *cell = latest(k, node, slice, i);

		k->lends[k->count] = (struct lend){ step, to, *cell };
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

/* A node has waited for the acknowledgements of all that it lent up to a step. */
static void acknowledge(struct clocks *k, int64_t node, int64_t up_to)
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

/* A move overwrites a slice: every lend of its cells must be known to be read. */
static int check_overwrite(
	struct clocks *k, int64_t node, int64_t step, int number, const struct ls_slice *dst)
{
	const int64_t *known = row(k, k->known, node, k->c->nodes);

	for (int64_t i = 0; i < ls_slice_blocks(dst); i++) {
		int64_t *cell = latest(k, node, dst, i);

		for (int64_t l = *cell; l >= 0; l = k->lends[l].next) {
			const struct lend lend = k->lends[l];

			if (known[lend.peer] <= lend.step)
				return lsi_check_fail(k->c, LS_LAW_LENDING,
					(struct lsi_violation_at){ node, lend.peer, step, -1 },
					"move %d writes %s, lent to node %lld in round %lld and "
					"not known to be read",
					number, lsi_block_name(dst->buffer, ls_slice_at(dst, i)).text,
					(long long)lend.peer, (long long)ls_plan_round(k->c->plan, lend.step));
		}
		*cell = -1;
	}
	return LS_OK;
}

/* One step of one node, in the order of an engine: messages arrive, waits, moves, then lends. */
static int check_node_step(struct clocks *k, int64_t node, int64_t t)
{
	const int64_t wait = row(k, k->waits, node, k->steps)[t];
	struct ls_step step;
	int status = LS_OK;

	ls_plan_step(k->c->plan, node, t, &step);
	if (wait >= t)
		return lsi_check_fail(k->c, LS_LAW_LENDING, (struct lsi_violation_at){ node, -1, t, -1 },
			"waits for the lend of step %lld, which has not ended", (long long)wait);
	for (int q = 0; q < step.ports; q++) {
		if (step.from[q] != LS_NO_RANK)
			merge_clock(k, node, t, step.from[q]);
	}
	if (wait >= 0)
		acknowledge(k, node, wait);
	for (int m = 0; status == LS_OK && m < step.n_moves; m++) {
		if (!lsi_storage_is_noop(k->c->plan, node, &step.move[m]))
			status = check_overwrite(k, node, t, m + 1, &step.move[m].dst);
	}
	for (int q = 0; status == LS_OK && q < step.ports; q++) {
		if (step.to[q] != LS_NO_RANK)
			status = record_lend(k, node, t, step.to[q], &step.send[q]);
	}
	return status;
}

/* All nodes, step by step. */
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

/* All steps of a node, then the next node. */
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

int lsi_check_lending(struct lsi_checker *c)
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
	lsi_free(k.lends);
	lsi_free(k.latest);
	lsi_free(k.acknowledged);
	lsi_free(k.waits);
	lsi_free(k.sent);
	lsi_free(k.known);
	return status;
}
