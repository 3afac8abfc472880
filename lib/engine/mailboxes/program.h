/*
 * A program: the plan of one node, compiled to arrays.
 *
 * Compiling reads every step of the node from the plan, and finds its mailboxes.  Binding turns the
 * slices of all steps into pieces of memory, for n elements of a given size.  A program is compiled
 * once, bound again when a count changes, and executed as often as it is called.
 *
 *     slice    INPUT[0..1, 4]                          blocks, whatever their length
 *     piece    { offset 0, 2 blocks }, { offset of block 4, 1 block }    adjacent blocks are merged
 */
#ifndef LSI_ENGINE_MAILBOXES_PROGRAM_H
#define LSI_ENGINE_MAILBOXES_PROGRAM_H

#include "base/arena.h"
#include "machine/machine_types.h"
#include "plan/plan_internal.h"

struct lsi_program_port;

/* A slice as pieces of memory: offsets from the base of its buffer. */
struct lsi_operand {
	struct ls_slice slice;
	const struct lsi_program_port *arrived; /* ARRIVAL: the port of the message; else NULL */
	struct lsi_view *piece;
	size_t pieces, bytes, elements;
	size_t at; /* offset of the first piece */
};

struct lsi_program_move {
	enum ls_action action;
	bool contiguous; /* every operand is one piece, and not empty */
	size_t parts;    /* of LS_FOLD */
	struct lsi_operand dst, a, b;
};

/* One port of a step; peers are ranks of the group, LS_NO_RANK: idle. */
struct lsi_program_port {
	int64_t to, from;
	struct lsi_channel out, in;
	struct lsi_operand send;
	struct lsi_view *views;  /* of a lent message: its pieces by address */
	struct ls_slice arrives; /* the slice that the peer sends */
	size_t expected;         /* its bytes */
};

struct lsi_program_step {
	bool local;
	int ports, moves;
	int64_t wait; /* pending sends up to this step end before the moves; -1: none */
	struct lsi_program_port *port;
	struct lsi_program_move *move;
};

struct lsi_program {
	const struct ls_plan *plan;
	int64_t steps;
	struct lsi_program_step *step;
	int64_t rank;
	bool plain;                 /* machine and links allow the fast path */
	bool fast;                  /* so do the bound lengths */
	struct lsi_measure measure; /* bound lengths of blocks */
	size_t size;                /* bytes of an element; 0: unbound */
	/* The offset of each scratch buffer's block 0 in the scratch memory. */
	size_t scratch_at[LS_SCRATCH_BUFFERS];
	size_t scratch_bytes;
	struct lsi_arena arena;
};

/* Compile for a node of the group. LS_OK; LS_ERR_MEMORY; LS_ERR_LINK: the machine lacks a link. */
int lsi_program_compile(struct ls_node *, const struct ls_plan *, struct lsi_program *out);
/* The counts of the measure must last until the next bind, or the last execution. */
void lsi_program_bind(struct lsi_program *, const struct lsi_measure *, size_t size);

#endif
