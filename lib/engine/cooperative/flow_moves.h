/*
 * Moves: how the results of all nodes are made of the operands of all nodes.
 *
 * Moves that depend on each other form a component; a component is of one length, and components
 * may be executed in any order and at the same time.  There are two lists for the same results:
 * one computes a value straight into one of the places where it is to be, the other computes into
 * temporaries and only copies to results.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_MOVES_H
#define LSI_ENGINE_COOPERATIVE_FLOW_MOVES_H

#include "engine/cooperative/flow_values.h"

/* Blocks of INPUT (base 2 r) or OUTPUT (2 r + 1) of node r, or a temporary. */
struct lsi_block_ref {
	uint32_t base, block;
};
enum { LSI_DIRECT, LSI_STAGED, LSI_LISTS };
#define LSI_TEMPORARY UINT32_MAX
#define LSI_NO_BLOCK  (UINT32_MAX - 1)

/* dst := a (+) b; or dst := a, and b is an operand to be fetched meanwhile, or LSI_NO_BLOCK. */
struct lsi_flow_move {
	struct lsi_block_ref dst, a, b;
	size_t dst_at, a_at, b_at; /* bound: bytes behind the base */
	bool copies;
};

/* Its moves are those up to the next one's. */
struct lsi_component {
	uint32_t first[LSI_LISTS];
	struct lsi_block_ref result; /* one of its results, which is as long as all */
	uint32_t blocks;             /* of it: more than one where copies are merged */
	uint32_t results;            /* of it that are written, a merged copy one */
	size_t bytes;                /* bound: of one result */
};

/* Consecutive blocks of a node. */
struct lsi_block_span {
	struct lsi_block_ref place;
	uint32_t blocks;
};

struct lsi_flow_moves {
	struct lsi_flow_move *move[LSI_LISTS];
	uint32_t moves[LSI_LISTS], capacity[LSI_LISTS];
	uint32_t temporaries[LSI_LISTS];
	struct lsi_component *component; /* one more than there are: the end */
	uint32_t components;
	uint32_t *by_operand;        /* components in the order of what they copy; or NULL */
	struct lsi_block_span *read; /* what is read of operands */
	uint32_t reads;
	bool combines;
	bool shared; /* an operand may be read by several components */
};

/* LS_OK, LS_ERR_MEMORY, LS_ERR_LAW: a result that was never written. */
int lsi_flow_moves_make(const struct lsi_flow_values *, struct lsi_flow_moves *out);
/* Also after a failure. */
void lsi_flow_moves_release(struct lsi_flow_moves *);

#endif
