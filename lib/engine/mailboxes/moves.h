/*
 * Moves on memory: lists of pieces copied, combined and folded.
 */
#ifndef LSI_ENGINE_MAILBOXES_MOVES_H
#define LSI_ENGINE_MAILBOXES_MOVES_H

#include "machine/machine_types.h"
#include "op/op_internal.h"

/*
 * A list of pieces, as addresses relative to `base`, from which `skip` bytes are left out at the
 * front.
 */
struct lsi_piece_list {
	const struct lsi_view *view;
	uintptr_t base;
	size_t skip;
};

/* `bytes` bytes of each list; dst is an operand, or disjoint from it. */
void lsi_move_copy(struct lsi_piece_list dst, struct lsi_piece_list a, size_t bytes);
void lsi_move_combine(const struct lsi_operator *, struct lsi_piece_list dst,
	struct lsi_piece_list a, struct lsi_piece_list b, size_t bytes);
/* a holds `parts` times `bytes`. */
void lsi_move_fold(const struct lsi_operator *, struct lsi_piece_list dst, struct lsi_piece_list a,
	size_t parts, size_t bytes);

#endif
