#include "plan/lending_waits.h"

#include <string.h>

#include "base/alloc.h"
#include "plan/storage.h"

/* One cell lent in a step to a peer; next: an earlier lend of the same cell, or -1. */
struct lend {
	int64_t step, peer, next;
};

/* The lends of one node up to the current step, as one list per cell. */
struct lending {
	const struct ls_plan *plan;
	int64_t rank;
	int64_t *latest; /* of each cell: the latest lend since it was written, or -1 */
	int64_t *from;   /* LS_PORTS entries per step: the senders of the messages received */
	struct lend *lends;
	int64_t count, room;
};

/* Room for `more` lends.  LS_OK or LS_ERR_MEMORY. */
static int reserve_lends(struct lending *l, int64_t more)
{
	if (l->count + more <= l->room)
		return LS_OK;

	const int64_t room = 2 * (l->count + more);
	struct lend *lends =
		lsi_alloc_grow(l->lends, (size_t)l->count * sizeof *lends, (size_t)room * sizeof *lends);

	if (!lends)
		return LS_ERR_MEMORY;
	l->lends = lends;
	l->room = room;
	return LS_OK;
}

/* The node sends a slice: put each of its cells at the head of the list of that cell. */
static int record_lend(struct lending *l, int64_t step, int64_t to, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	if (reserve_lends(l, blocks) != LS_OK)
		return LS_ERR_MEMORY;
	for (int64_t k = 0; k < blocks; k++) {
		int64_t *latest =
			&l->latest[lsi_storage_cell(l->plan, l->rank, slice->buffer, ls_slice_at(slice, k))];

		l->lends[l->count] = (struct lend){ step, to, *latest };
		*latest = l->count++;
	}
	return LS_OK;
}

/* Whether by step `now` a message arrived that the receiver of the lend sent after reading it. */
static bool is_covered(const struct lending *l, const struct lend *lend, int64_t now)
{
	for (int64_t i = (lend->step + 1) * LS_PORTS; i < (now + 1) * LS_PORTS; i++) {
		if (l->from[i] == lend->peer)
			return true;
	}
	return false;
}

/* The latest open lend of the cells that a move overwrites; at least `wait`. */
static int64_t find_wait(struct lending *l, int64_t step, const struct ls_slice *dst, int64_t wait)
{
	const int64_t blocks = ls_slice_blocks(dst);

	for (int64_t k = 0; k < blocks; k++) {
		int64_t *latest =
			&l->latest[lsi_storage_cell(l->plan, l->rank, dst->buffer, ls_slice_at(dst, k))];

		for (int64_t i = *latest; i >= 0 && l->lends[i].step > wait; i = l->lends[i].next) {
			if (!is_covered(l, &l->lends[i], step))
				wait = l->lends[i].step;
		}
		*latest = -1;
	}
	return wait;
}

/* In each step: overwrites first, since the sends of a step lend from then on. */
static int find_waits(struct lending *l, int64_t *waits)
{
	const int64_t steps = ls_plan_steps(l->plan);

	for (int64_t t = 0; t < steps; t++) {
		struct ls_step step;

		ls_plan_step(l->plan, l->rank, t, &step);
		for (int q = 0; q < LS_PORTS; q++)
			l->from[t * LS_PORTS + q] = q < step.ports ? step.from[q] : LS_NO_RANK;
		waits[t] = -1;
		for (int m = 0; m < step.n_moves; m++) {
			if (!lsi_storage_is_noop(l->plan, l->rank, &step.move[m]))
				waits[t] = find_wait(l, t, &step.move[m].dst, waits[t]);
		}
		for (int q = 0; q < step.ports; q++) {
			if (step.to[q] != LS_NO_RANK && record_lend(l, t, step.to[q], &step.send[q]) != LS_OK)
				return LS_ERR_MEMORY;
		}
	}
	return LS_OK;
}

int lsi_plan_waits(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	const size_t cells = (size_t)lsi_storage_cells(plan), steps = (size_t)ls_plan_steps(plan);
	struct lending l = { .plan = plan, .rank = rank };

	l.latest = lsi_alloc(cells * sizeof *l.latest);
	l.from = lsi_alloc((steps + 1) * LS_PORTS * sizeof *l.from);
	int status = l.latest && l.from ? LS_OK : LS_ERR_MEMORY;

	if (status == LS_OK) {
		memset(l.latest, 0xff, cells * sizeof *l.latest); /* -1 everywhere */
		status = find_waits(&l, waits);
	}
	lsi_free(l.lends);
	lsi_free(l.from);
	lsi_free(l.latest);
	return status;
}
