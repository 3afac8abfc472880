/*
 * Moves: how the results of all nodes are made of the operands of all nodes.
 *
 * Moves that depend on each other form a component; a component is of one length, and components
 * may be executed in any order and at the same time.  There are two lists for the same results:
 * one computes a value straight into one of the places where it is to be, the other computes into
 * temporaries and only copies to results.
 */
#ifndef LS_ENGINE_FLOW_MOVES_H
#define LS_ENGINE_FLOW_MOVES_H

#include "engine/flow_values.h"

/* Blocks of INPUT (base 2 r) or OUTPUT (2 r + 1) of node r, or a temporary. */
struct ls_place { uint32_t base, block; };
enum { LS_DIRECT, LS_STAGED, LS_LISTS };
#define LS_TEMPORARY UINT32_MAX
#define LS_NOWHERE (UINT32_MAX - 1)

/* dst := a (+) b; or dst := a, and b is an operand to be fetched meanwhile, or LS_NOWHERE. */
struct ls_flow_move {
	struct ls_place dst, a, b;
	size_t dst_at, a_at, b_at;            /* bound: bytes behind the base                */
	bool copies;
};

/* Its moves are those up to the next one's. */
struct ls_component {
	uint32_t first[LS_LISTS];
	struct ls_place result;               /* one of its results, which is as long as all */
	uint32_t blocks;                      /* of it: more than one where copies are merged */
	uint32_t results;                     /* of it that are written, a merged copy one   */
	size_t bytes;                         /* bound: of one result                        */
};

/* Consecutive blocks of a node. */
struct ls_span { struct ls_place place; uint32_t blocks; };

struct ls_moves {
	struct ls_flow_move *move[LS_LISTS];
	uint32_t moves[LS_LISTS], room[LS_LISTS];
	uint32_t temporaries[LS_LISTS];
	struct ls_component *component;       /* one more than there are: the end            */
	uint32_t components;
	uint32_t *by_operand;                 /* components in the order of what they copy; or NULL */
	struct ls_span *read;                 /* what is read of operands                    */
	uint32_t reads;
	bool combines;
	bool shared;                          /* an operand may be read by several components */
};

/* LS_OK, LS_ERR_MEMORY, LS_ERR_LAW: a result that was never written. */
int ls_moves_make(const struct ls_values *, struct ls_moves *out);
/* Also after a failure. */
void ls_moves_release(struct ls_moves *);

#endif
