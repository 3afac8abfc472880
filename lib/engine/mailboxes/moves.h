/* Moves on lists of pieces of memory: copy, combine, fold. */
#ifndef LSI_ENGINE_MAILBOXES_MOVES_H
#define LSI_ENGINE_MAILBOXES_MOVES_H

#include "machine/machine_types.h"
#include "op/op_internal.h"

/* A list of pieces without its first `skip` bytes.  Addresses are relative to `base`. */
struct lsi_piece_list {
	const struct lsi_view *view;
	uintptr_t base;
	size_t skip;
};

/* Write `bytes` bytes to dst.  Each operand is dst itself, or does not overlap it. */
void lsi_move_copy(struct lsi_piece_list dst, struct lsi_piece_list a, size_t bytes);
void lsi_move_combine(const struct lsi_operator *, struct lsi_piece_list dst,
	struct lsi_piece_list a, struct lsi_piece_list b, size_t bytes);
/* Combine the `parts` operands in a, of `bytes` bytes each. */
void lsi_move_fold(const struct lsi_operator *, struct lsi_piece_list dst, struct lsi_piece_list a,
	size_t parts, size_t bytes);

#endif
