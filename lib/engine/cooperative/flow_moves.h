/*
 * The moves of a flow: they compute the results of all nodes from the operands of all nodes.
 *
 * Moves that depend on each other form a component.  All blocks of a component have one length, and
 * components may execute in any order and at the same time.  Two lists of moves compute the same
 * results.  LSI_DIRECT computes a value in one of the results.  LSI_STAGED computes it in a
 * temporary and copies it to the results, so that the stores to results can bypass the caches.
 *
 * The all-reduce of flow_values.h, with operands I0 .. I3, results O0 .. O3 and temporaries t0, t1:
 *
 *     LSI_DIRECT    t0 := I0 + I1    t1 := I2 + I3    O0 := t0 + t1    O1, O2, O3 := O0
 *     LSI_STAGED    t0 := I0 + I1    t1 := I2 + I3    t1 := t0 + t1    O0, O1, O2, O3 := t1
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_MOVES_H
#define LSI_ENGINE_COOPERATIVE_FLOW_MOVES_H

#include "engine/cooperative/flow_values.h"

enum { LSI_DIRECT, LSI_STAGED, LSI_LISTS };
#define LSI_TEMPORARY UINT32_MAX
#define LSI_NO_BLOCK  (UINT32_MAX - 1)

/* dst := a (+) b.  If it copies: dst := a, and b is an operand to prefetch, or LSI_NO_BLOCK. */
struct lsi_flow_move {
	struct lsi_block_ref dst, a, b;
	size_t dst_at, a_at, b_at; /* after a bind: offsets from the bases, in bytes */
	bool copies;
};

/* Moves that depend on each other; they end where those of the next component begin. */
struct lsi_component {
	uint32_t first[LSI_LISTS];
	struct lsi_block_ref result; /* one of its results; all have the same length */
	uint32_t blocks;             /* blocks of that result; more than one if copies are merged */
	uint32_t results;            /* number of results that it writes; merged copies count once */
	size_t bytes;                /* after a bind: bytes of one result */
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
	struct lsi_component *component; /* the last entry marks the end */
	uint32_t components;
	uint32_t *by_operand;        /* components sorted by the operand that they copy, or NULL */
	struct lsi_block_span *read; /* the operand blocks that are read */
	uint32_t reads;
	bool combines; /* some move combines */
	bool shared;   /* several components read the same operand */
};

struct lsi_flow_results;

/* LS_OK or LS_ERR_MEMORY. */
int lsi_flow_moves_make(
	const struct lsi_flow_values *, const struct lsi_flow_results *, struct lsi_flow_moves *out);
/* The caller must release the moves after a failure, too. */
void lsi_flow_moves_release(struct lsi_flow_moves *);

#endif
