/*
 * Storage: where the blocks of a node lie, after aliasing in place and slots.
 *
 * The cells of a node are numbered 0 .. ls_storage_cells()-1, alike at every node: INPUT, OUTPUT,
 * then the slots of each scratch buffer.  Two blocks are one storage exactly when they have the
 * same cell.
 */
#ifndef LS_PLAN_STORAGE_H
#define LS_PLAN_STORAGE_H

#include "plan/plan.h"

/* Whether the root alone has this buffer: INPUT of a broadcast, OUTPUT of a reduce. */
bool ls_storage_is_rooted(const struct ls_plan *, int buffer);
bool ls_storage_has(const struct ls_plan *, int64_t rank, int buffer);

int64_t ls_storage_cells(const struct ls_plan *);

/* The cell of a block that exists; not for ARRIVAL, which is the peer's storage. */
int64_t ls_storage_cell(const struct ls_plan *, int64_t rank, int buffer, int64_t block);

/* A COPY of a slice onto itself: it does nothing, and counts as no write. */
bool ls_storage_is_noop(const struct ls_plan *, int64_t rank, const struct ls_move *);

#endif
