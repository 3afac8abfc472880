/*
 * Collective operations.
 *
 * Called by  every node of the handle's group, in the same order, with equal count, type, operator,
 *            root and shift.  A message that reveals a difference stops the machine with
 *            LS_ERR_MISMATCH.
 * Shape      Counts are in elements of `type`.  Operand and result are disjoint, or the same buffer
 *            (in place).  All nodes call in place or none does; only the root may differ in this.
 * Owns       Buffers stay the caller's.  None is read or written after return.
 * Order      Writes to an operand before the call take effect in the results; no fence is needed.
 * Bits       The plan fixes the order of operands: results have the same bits in every run, engine
 *            and round mode.  They have the same bits at every node too if the algorithm is
 *            `identical`, as all defaults are.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root or count is out of range, the operator is not defined for the
 *                                type, a buffer is missing, or buffers overlap in part
 *            LS_ERR_UNSUPPORTED  no algorithm for this topology and operator; no round was used
 *            LS_ERR_MEMORY, LS_ERR_PORT, LS_ERR_LINK, LS_ERR_MISMATCH, LS_ERR_LEFT,
 *            LS_ERR_DEADLOCK, ..
 *                                the machine is stopped; ls_last_error gives node, round and reason
 * Undefined  if the operator is not associative
 */
#ifndef LOCKSTEP_COLLECTIVE_H
#define LOCKSTEP_COLLECTIVE_H

#include <lockstep/node.h>

LS_BEGIN_DECLS

/* One-to-all broadcast: copies data of the root to data of every node. */
LS_API LS_MUST_CHECK int ls_broadcast(ls_node *, void *data, size_t n, ls_type, int64_t root);

/*
 * All-to-one reduction: the result of the root is operand_0 (+) .. (+) operand_p-1.  Other nodes
 * may pass NULL as result.
 */
LS_API LS_MUST_CHECK int ls_reduce(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op, int64_t root);

/* All-reduce: every node's result is operand_0 (+) .. (+) operand_p-1. */
LS_API LS_MUST_CHECK int ls_allreduce(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Prefix sums: the result of node r is operand_0 (+) .. (+) operand_r. */
LS_API LS_MUST_CHECK int ls_scan(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);
/* Exclusive: operand_0 (+) .. (+) operand_r-1.  The result of node 0 is unchanged. */
LS_API LS_MUST_CHECK int ls_exscan(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Circular shift: the operand of node r is the result of node (r + q) mod p; q may be negative. */
LS_API LS_MUST_CHECK int ls_shift(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t q);

/* Barrier: no node returns before all nodes have called it. */
LS_API LS_MUST_CHECK int ls_barrier(ls_node *);

/*
 * Operations on blocks.  One block has n elements.  A buffer of p blocks has p * n elements; block
 * i is for, or from, node i.
 *
 * In place   all-gather, and gather at the root      mine == result + rank * n elements
 *            reduce-scatter, and scatter at the root result == mine + rank * n elements
 *            all-to-all                              mine == result
 */

/* All-to-all broadcast: every node's result is the p operands, in rank order. */
LS_API LS_MUST_CHECK int ls_allgather(ls_node *, const void *mine, void *result, size_t n, ls_type);
/* Gather: only the root gets the p operands; other nodes may pass NULL as result. */
LS_API LS_MUST_CHECK int ls_gather(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t root);

/*
 * One-to-all personalized: the result of node r is block r of the root's operand.  Other nodes may
 * pass NULL as operand.
 */
LS_API LS_MUST_CHECK int ls_scatter(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t root);

/* All-to-all reduction: the result of node r is the reduction of block r of all operands. */
LS_API LS_MUST_CHECK int ls_reduce_scatter(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Total exchange: block s of node r's result is block r of node s's operand. */
LS_API LS_MUST_CHECK int ls_alltoall(ls_node *, const void *mine, void *result, size_t n, ls_type);

/*
 * The same operations on blocks of unequal lengths: block i has counts[i] elements and follows
 * block i - 1.  All nodes pass equal counts.  The mean length guides the choice of the algorithm.
 *
 * In place   as above, with counts[0] + .. + counts[rank - 1] elements for rank * n
 * Owns       The counts are not read after return.
 */
LS_API LS_MUST_CHECK int ls_allgatherv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type);
LS_API LS_MUST_CHECK int ls_gatherv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, int64_t root);
LS_API LS_MUST_CHECK int ls_scatterv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, int64_t root);
LS_API LS_MUST_CHECK int ls_reduce_scatterv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, ls_op);

/*
 * Total exchange of blocks of unequal lengths: this node sends mine_counts[s] elements to node s,
 * and receives result_counts[s] from it.
 *
 * Returns    LS_ERR_MISMATCH  the counts of two nodes disagree
 * Cost       Complete networks and routed mode: as ls_alltoall.  All others: an all-reduce to find
 *            the longest block, and an all-to-all of blocks of that length plus one word; memory
 *            for 2 * p such blocks.
 */
LS_API LS_MUST_CHECK int ls_alltoallv(ls_node *, const void *mine, const size_t mine_counts[],
	void *result, const size_t result_counts[], ls_type);

/*
 * The parameters of any operation, for ls_collective.  Set size to the size of the struct, and the
 * operation.  Zero in any other field selects its default.
 */
struct ls_call {
	size_t size;
	enum ls_operation operation;
	const char *algorithm; /* equal at all nodes; NULL: the candidate of least cost */
	const void *input;
	void *output;
	size_t count; /* ignored if counts is set */
	ls_type type; /* NULL: LS_DOUBLE */
	ls_op op;     /* NULL: LS_SUM */
	int64_t root, shift;
	int ports;                   /* 0: those of the machine */
	const size_t *counts;        /* lengths of the p blocks; in all-to-all, those of the operand */
	const size_t *result_counts; /* in all-to-all: lengths of the p blocks of the result */
	/*
	 * A plan to execute in place of an algorithm, the same at all nodes.  It must have the topology
	 * and the mode of the group (in a group of ls_embed, any mode).  The plan determines root and
	 * shift.  A plan in place executes only calls in place, and any other only calls that are not;
	 * nodes without operand or result are exempt.  It must outlive the group, or the machine if the
	 * group is the whole machine.  Call ls_check first: a plan that breaks a law may read and write
	 * outside the buffers.
	 */
	const ls_plan *plan;
};
LS_API LS_MUST_CHECK int ls_collective(ls_node *, const struct ls_call *);

LS_END_DECLS
#endif
