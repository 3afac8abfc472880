/*
 * A compiled plan: the steps of one node, as arrays.
 *
 *   make      once: read every step of the node from the plan, and find its mailboxes
 *   bind      when a count changes: turn the slices of all steps into pieces of memory, for n
 *             elements of a given size
 *   execute   at every call (execute.h)
 *
 * The steps of a very long plan at all nodes would take too much memory.  A node keeps a window of
 * such a plan: the steps that it executes next.  It makes and binds each window when it gets there,
 * in every call.
 *
 * A slice names blocks, whatever their length.  A piece is memory; adjacent blocks are merged:
 *
 *   slice    INPUT[0..1, 4]
 *   pieces   { offset of block 0, bytes of 2 blocks }, { offset of block 4, bytes of 1 block }
 */
#ifndef LSI_ENGINE_MAILBOXES_COMPILED_PLAN_H
#define LSI_ENGINE_MAILBOXES_COMPILED_PLAN_H

#include "base/arena.h"
#include "machine/machine_types.h"
#include "plan/plan_internal.h"

struct lsi_compiled_port;

/* A slice as pieces of memory, each at an offset from the base of the slice's buffer. */
struct lsi_operand {
	const struct ls_slice *slice;
	const struct lsi_compiled_port *arrived; /* ARRIVAL: the port of the message; else NULL */
	struct lsi_view *piece;
	size_t pieces, bytes, elements; /* of the whole operand */
	size_t at;                      /* offset of the first piece */
	int buffer;                     /* of the slice */
};

struct lsi_compiled_move {
	enum ls_action action;
	bool contiguous; /* every operand is exactly one piece */
	size_t parts;    /* LS_FOLD: the number of operands that it combines */
	struct lsi_operand dst, a, b;
};

/* One port of a step.  Peers are ranks of the group; LS_NO_RANK: no message. */
struct lsi_compiled_port {
	int64_t to, from;
	struct lsi_channel out, in;
	struct lsi_operand send;
	struct lsi_view *views;         /* zero-copy messages: the pieces of `send`, by address */
	const struct ls_slice *arrives; /* the slice that the peer sends */
	size_t expected;                /* bytes of that slice */
};

struct lsi_compiled_step {
	bool local;
	int ports, moves;
	int64_t wait; /* before the moves, wait for the pending sends of steps 0 .. wait; -1: none */
	struct lsi_compiled_port *port;
	struct lsi_compiled_move *move;
};

enum {
	LSI_RECENT_SLICES = 8,
	LSI_STEP_READ = 640 /* bytes of a port, a move and their pieces, about; they are adjacent */
};

struct lsi_compiled_plan {
	const struct ls_plan *plan;
	int64_t steps;
	int64_t first, held;            /* step[] has the steps first .. first + held - 1 */
	struct lsi_compiled_step *step; /* all steps, or a window */
	int64_t *waits;                 /* of a plan with windows: `wait` of all steps; else NULL */
	int64_t rank;
	bool is_plain;              /* the machine and the links allow the fast path */
	bool is_fast;               /* the bound lengths allow it, too */
	struct lsi_measure measure; /* the lengths of blocks to which the steps are bound */
	size_t size;                /* bytes of an element; 0: not bound yet */
	/*
	 * The offset of each buffer's block 0 in scratch memory.  If this node has no block 0, the
	 * unsigned offset may wrap; the sum with the offset of a block that it has is right.
	 */
	size_t scratch_at[LS_SCRATCH_BUFFERS];
	size_t scratch_bytes;
	struct lsi_arena arena;
	/* The last slices that were compiled.  Steps share equal ones: long plans repeat few. */
	const struct ls_slice *recent[LSI_RECENT_SLICES];
	unsigned slices;
};

/* Compile a plan for a node.  LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW: the plan breaks a law. */
int lsi_compiled_plan_make(struct ls_node *, const struct ls_plan *, struct lsi_compiled_plan *out);
void lsi_compiled_plan_release(struct lsi_compiled_plan *);

/* Is step s in step[]? */
static inline bool lsi_compiled_plan_holds(const struct lsi_compiled_plan *compiled, int64_t s)
{
	return (uint64_t)(s - compiled->first) < (uint64_t)compiled->held;
}

/* The first port of step s; NULL: it has none, or is not in step[]. */
static inline const struct lsi_compiled_port *lsi_compiled_plan_first_port(
	const struct lsi_compiled_plan *compiled, int64_t s)
{
	const int64_t i = s - compiled->first;

	return lsi_compiled_plan_holds(compiled, s) && compiled->step[i].ports > 0
		? compiled->step[i].port
		: NULL;
}

/*
 * Make and bind the window that begins with step s.  No send of an earlier step may be pending.
 * LS_OK, LS_ERR_MEMORY or LS_ERR_LAW.
 */
int lsi_compiled_plan_move_window(struct ls_node *, struct lsi_compiled_plan *, int64_t s);

/* The counts of the measure must stay valid until the next bind or the last execution. */
void lsi_compiled_plan_bind(struct lsi_compiled_plan *, const struct lsi_measure *, size_t size);

#endif
