/*
 * Flow: what a plan computes, for all nodes at once.
 *
 * A plan is walked once, for every node and step, with a number for every value in place of the
 * value: an operand has one, a copy keeps it, and one expression has one wherever it is evaluated.
 * What is left is a list of moves between the INPUTs and OUTPUTs of all nodes and temporaries, in
 * which every value that a result needs is computed once, from the same operands in the same order
 * as by the nodes themselves: the bits are the same.  The walk proves ports, matching and links of
 * the plan as it goes.
 *
 * Bound to a length of blocks, a flow falls into units that may be executed in any order, at the
 * same time and by different threads: strips of all its moves, or some moves over their whole
 * length.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_H
#define LSI_ENGINE_COOPERATIVE_FLOW_H

#include "op/op_internal.h"
#include "plan/plan_internal.h"

struct lsi_flow;

/* A flow that is bound. */
struct lsi_flow_shape {
	int64_t units;
	size_t temporaries; /* bytes that a thread needs to execute units */
	size_t bytes;       /* that all units together read and write outside them */
};

/*
 * The plan must outlive the flow.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 *            LS_ERR_LAW          the plan breaks one of laws 0 to 4 (of law 3: links and messages
 *                                to oneself, not loads), or reads or leaves as a result what was
 *                                never written
 *            LS_ERR_UNSUPPORTED  larger than LSI_FLOW_CELLS
 * Cost       time: the blocks that all messages and moves name; memory: a few words for each block
 *            of each node's buffers
 */
enum { LSI_FLOW_CELLS = 1 << 24 };
int lsi_flow_make(const struct ls_plan *, struct lsi_flow **out);
void lsi_flow_destroy(struct lsi_flow *);

/*
 * For blocks of these lengths, of elements of `size` bytes, executed by up to `workers` threads.
 * The counts of a measure must last until the flow is bound again.  Binding as it is bound costs
 * nothing, where there are no counts.  Neighbouring units write near each other: ranges of them are
 * what threads should take.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 */
int lsi_flow_bind(struct lsi_flow *, const struct lsi_measure *, size_t size, int workers);
struct lsi_flow_shape lsi_flow_get_shape(const struct lsi_flow *);

/*
 * Execute the units first .. last - 1.  base[2 r] is INPUT of node r, base[2 r + 1] its OUTPUT (in
 * place: the start of each, as the call has them); `temporaries` is this thread's own, aligned to a
 * cache line.  Streaming: results go past the caches to memory, and are there when this returns.
 * Backward: what was done last of the other way is done first, while it is in the caches.
 * The operator is not looked at where nothing is combined.
 */
enum lsi_flow_direction { LSI_FORWARD, LSI_BACKWARD, LSI_STREAMING };
void lsi_flow_execute(const struct lsi_flow *, const struct lsi_operator *, void *const base[],
	char *temporaries, int64_t first, int64_t last, enum lsi_flow_direction);

#endif
