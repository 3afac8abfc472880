/*
 * Storage: where the blocks of a node lie, after aliasing in place and slots.
 *
 * The cells of a node are numbered 0 .. lsi_storage_cells()-1, alike at every node: INPUT, OUTPUT,
 * then the slots of each scratch buffer.  Two blocks are one storage exactly when they have the
 * same cell.
 */
#ifndef LSI_PLAN_STORAGE_H
#define LSI_PLAN_STORAGE_H

#include "plan/plan_internal.h"

/* Whether the root alone has this buffer: INPUT of a broadcast, OUTPUT of a reduce. */
bool lsi_storage_is_rooted(const struct ls_plan *, int buffer);
bool lsi_storage_has(const struct ls_plan *, int64_t rank, int buffer);

int64_t lsi_storage_cells(const struct ls_plan *);

/* The cell of a block that exists; not for ARRIVAL, which is the peer's storage. */
int64_t lsi_storage_cell(const struct ls_plan *, int64_t rank, int buffer, int64_t block);

/* A COPY of a slice onto itself: it does nothing, and counts as no write. */
bool lsi_storage_is_noop(const struct ls_plan *, int64_t rank, const struct ls_move *);

#endif
