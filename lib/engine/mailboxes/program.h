/*
 * Program: the plan of one node, compiled to arrays.
 *
 * Compiling asks the plan once for every step of the node and finds its mailboxes; binding cuts the
 * slices of all steps into pieces of memory for n elements of a given size.  A program is compiled
 * once, bound again whenever a count changes, and executed as it is as often as it is called.
 */
#ifndef LSI_ENGINE_MAILBOXES_PROGRAM_H
#define LSI_ENGINE_MAILBOXES_PROGRAM_H

#include "base/arena.h"
#include "machine/machine_internal.h"
#include "plan/plan_internal.h"

struct lsi_program_port;

/* A slice: where its blocks lie, as offsets from the base of its buffer. */
struct lsi_operand {
	struct ls_slice slice;
	const struct lsi_program_port *arrived; /* of ARRIVAL: the port it came in on; else NULL */
	struct lsi_view *piece;
	size_t pieces, bytes, elements;
	size_t at; /* where the first piece lies */
};

struct lsi_program_move {
	enum ls_action what;
	bool contiguous; /* every operand is one piece, and not empty */
	size_t parts;    /* of a FOLD */
	struct lsi_operand dst, a, b;
};

/* One port of a step; peers are ranks of the group, LS_NO_RANK: idle. */
struct lsi_program_port {
	int64_t to, from;
	struct lsi_channel out, in;
	struct lsi_operand send;
	struct lsi_view *views;  /* what is lent: the pieces by address */
	struct ls_slice arrives; /* what the peer sends */
	size_t expected;         /* bytes of it */
};

struct lsi_program_step {
	bool local;
	int ports, moves;
	int64_t wait; /* debts up to this step are settled before the moves; -1: none */
	struct lsi_program_port *port;
	struct lsi_program_move *move;
};

struct lsi_program {
	const struct ls_plan *plan;
	int64_t steps;
	struct lsi_program_step *step;
	int64_t rank;
	bool plain;                 /* machine and wires allow the fast path */
	bool fast;                  /* and so do the lengths that it is bound to */
	struct lsi_measure measure; /* bound for blocks of these lengths */
	size_t size;                /* of elements of this many bytes; 0: unbound */
	/* Offset of each scratch buffer's block 0 in the scratch memory. */
	size_t scratch_at[LS_SCRATCH_BUFFERS];
	size_t scratch_bytes;
	struct lsi_arena arena;
};

/*
 * Compile for a node of the group; LS_OK, LS_ERR_MEMORY, or LS_ERR_LINK: a wire the machine does
 * not have.
 */
int lsi_program_compile(struct ls_node *, const struct ls_plan *, struct lsi_program *out);
/*
 * The counts of the measure must last until the program is bound again or executed for the last
 * time.
 */
void lsi_program_bind(struct lsi_program *, const struct lsi_measure *, size_t size);

#endif
