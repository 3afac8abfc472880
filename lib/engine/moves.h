/*
 * Moves on memory: lists of pieces copied, combined and folded.
 */
#ifndef LS_ENGINE_MOVES_H
#define LS_ENGINE_MOVES_H

#include "machine/machine.h"
#include "op/op.h"

/*
 * A list of pieces, as addresses relative to `base`, from which `skip` bytes are left out at the
 * front.
 */
struct ls_pieces {
	const struct ls_view *view;
	uintptr_t base;
	size_t skip;
};

/* `bytes` bytes of each list; dst is an operand, or disjoint from it. */
void ls_move_copy(struct ls_pieces dst, struct ls_pieces a, size_t bytes);
void ls_move_combine(const struct ls_combine *, struct ls_pieces dst, struct ls_pieces a,
	struct ls_pieces b, size_t bytes);
/* a holds `parts` times `bytes`. */
void ls_move_fold(const struct ls_combine *, struct ls_pieces dst, struct ls_pieces a, size_t parts,
	size_t bytes);

#endif
