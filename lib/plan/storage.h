/*
 * Storage: the cell of each block of a node, after aliasing in place and reuse of slots.
 *
 * Two blocks share storage if and only if they have the same cell.  All nodes number the cells
 * alike from 0 to lsi_storage_cells() - 1.  Example: 3 blocks of INPUT and OUTPUT, scratch S with 2
 * slots:
 *
 *   cell          0   1   2   3   4   5   6   7
 *   separate      INPUT 0..2  OUTPUT 0..2 S 0..1      S[2] is cell 6 again
 *   in place      INPUT 0..2  unused      S 0..1      OUTPUT[b] is cell b
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

/* Whether a move is a COPY of a slice onto itself, which does not count as a write. */
bool lsi_storage_is_noop(const struct ls_plan *, int64_t rank, const struct ls_move *);

#endif
