#include "plan/zero_copy_waits.h"

#include <string.h>

#include "base/alloc.h"
#include "plan/storage.h"

/* A cell sent to a peer in a step; next: the entry of an earlier send of this cell, or -1. */
struct cell_send {
	int64_t step, peer, next;
};

/*
 * The sends of one node up to the current step, as one list per cell:
 *
 *   latest[cell]   -> step 5 to 2 -> step 1 to 3 -> -1       sends since the cell was written
 */
struct send_history {
	const struct ls_plan *plan;
	int64_t rank;
	int64_t *latest; /* by cell: its latest send since it was written, or -1 */
	int64_t *from;   /* LS_PORTS entries per step: the peers that the node received from */
	struct cell_send *sends;
	int64_t count, room;
};

/* Make room for `more` entries.  LS_OK or LS_ERR_MEMORY. */
static int reserve_sends(struct send_history *h, int64_t more)
{
	if (h->count + more <= h->room)
		return LS_OK;

	const int64_t room = 2 * (h->count + more);
	struct cell_send *sends =
		lsi_alloc_grow(h->sends, (size_t)h->count * sizeof *sends, (size_t)room * sizeof *sends);

	if (!sends)
		return LS_ERR_MEMORY;
	h->sends = sends;
	h->room = room;
	return LS_OK;
}

/* Put a send of a slice in front of the list of each of its cells. */
static int record_send(
	struct send_history *h, int64_t step, int64_t to, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	if (reserve_sends(h, blocks) != LS_OK)
		return LS_ERR_MEMORY;
	for (int64_t k = 0; k < blocks; k++) {
		int64_t *latest =
			&h->latest[lsi_storage_cell(h->plan, h->rank, slice->buffer, ls_slice_at(slice, k))];

		h->sends[h->count] = (struct cell_send){ step, to, *latest };
		*latest = h->count++;
	}
	return LS_OK;
}

/* Whether by step `now` the node received a message that its peer sent after reading this one. */
static bool is_known_read(const struct send_history *h, const struct cell_send *send, int64_t now)
{
	for (int64_t i = (send->step + 1) * LS_PORTS; i < (now + 1) * LS_PORTS; i++) {
		if (h->from[i] == send->peer)
			return true;
	}
	return false;
}

/* The latest step whose sends of the cells of dst may still be read; at least `wait`. */
static int64_t find_wait(
	struct send_history *h, int64_t step, const struct ls_slice *dst, int64_t wait)
{
	const int64_t blocks = ls_slice_blocks(dst);

	for (int64_t k = 0; k < blocks; k++) {
		int64_t *latest =
			&h->latest[lsi_storage_cell(h->plan, h->rank, dst->buffer, ls_slice_at(dst, k))];

		for (int64_t i = *latest; i >= 0 && h->sends[i].step > wait; i = h->sends[i].next) {
			if (!is_known_read(h, &h->sends[i], step))
				wait = h->sends[i].step;
		}
		*latest = -1;
	}
	return wait;
}

/* In each step moves before sends: by law 4 no move overwrites a block that its own step sends. */
static int find_waits(struct send_history *h, int64_t *waits)
{
	const int64_t steps = ls_plan_steps(h->plan);

	for (int64_t t = 0; t < steps; t++) {
		struct ls_step step;

		ls_plan_step(h->plan, h->rank, t, &step);
		for (int q = 0; q < LS_PORTS; q++)
			h->from[t * LS_PORTS + q] = q < step.ports ? step.from[q] : LS_NO_RANK;
		waits[t] = -1;
		for (int m = 0; m < step.n_moves; m++) {
			if (!lsi_storage_is_noop(h->plan, h->rank, &step.move[m]))
				waits[t] = find_wait(h, t, &step.move[m].dst, waits[t]);
		}
		for (int q = 0; q < step.ports; q++) {
			if (step.to[q] != LS_NO_RANK && record_send(h, t, step.to[q], &step.send[q]) != LS_OK)
				return LS_ERR_MEMORY;
		}
	}
	return LS_OK;
}

int lsi_plan_zero_copy_waits(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	const size_t cells = (size_t)lsi_storage_cells(plan), steps = (size_t)ls_plan_steps(plan);
	struct send_history h = { .plan = plan, .rank = rank };

	h.latest = lsi_alloc(cells * sizeof *h.latest);
	h.from = lsi_alloc((steps + 1) * LS_PORTS * sizeof *h.from);
	int status = h.latest && h.from ? LS_OK : LS_ERR_MEMORY;

	if (status == LS_OK) {
		memset(h.latest, 0xff, cells * sizeof *h.latest); /* -1 everywhere */
		status = find_waits(&h, waits);
	}
	lsi_free(h.sends);
	lsi_free(h.from);
	lsi_free(h.latest);
	return status;
}
