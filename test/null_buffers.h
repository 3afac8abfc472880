/*
 * The calls of test/null_arguments.c that a node makes with NULL for one buffer, type, operator or
 * handle.
 */
#ifndef LOCKSTEP_TEST_NULL_BUFFERS_H
#define LOCKSTEP_TEST_NULL_BUFFERS_H

#include <lockstep.h>

#include "test.h"

static const size_t counts[4] = { 1, 1, 1, 1 };

/* A row: the call is refused.  All nodes make it at once. */
#define NODE_REFUSES(function, arguments) \
	do { \
		const int status = function arguments; \
		CHECK(status == LS_ERR_ARGUMENT, "%s%s at %d: %s", #function, #arguments, \
			(int)ls_rank(me), ls_status_name(status)); \
	} while (0)

static void refuse_messages_and_splits(ls_node *me, const ls_embedding *embedding)
{
	const int64_t next = (ls_rank(me) + 1) % ls_size(me);
	ls_node *sub = me;

	NODE_REFUSES(ls_send, (me, next, NULL, 8));
	NODE_REFUSES(ls_receive, (me, next, NULL, 8));
	NODE_REFUSES(ls_split, (me, 0, 0, NULL));
	NODE_REFUSES(ls_split_axis, (me, 0, NULL));
	NODE_REFUSES(ls_split_subcube, (me, 1, NULL));
	NODE_REFUSES(ls_split_substar, (me, 1, NULL));
	NODE_REFUSES(ls_embed, (me, embedding, NULL));
	NODE_REFUSES(ls_embed, (me, NULL, &sub));
	CHECK(!sub, "ls_embed set a handle");
	NODE_REFUSES(ls_collective, (me, NULL));
}

/* Each node is the root of its own calls: only there do all buffers count. */
static void refuse_vectors(ls_node *me, const double *in, double *to)
{
	const int64_t root = ls_rank(me);

	NODE_REFUSES(ls_broadcast, (me, NULL, 1, LS_DOUBLE, root));
	NODE_REFUSES(ls_broadcast, (me, to, 1, NULL, root));
	NODE_REFUSES(ls_reduce, (me, NULL, to, 1, LS_DOUBLE, LS_SUM, root));
	NODE_REFUSES(ls_reduce, (me, in, NULL, 1, LS_DOUBLE, LS_SUM, root));
	NODE_REFUSES(ls_reduce, (me, in, to, 1, NULL, LS_SUM, root));
	NODE_REFUSES(ls_reduce, (me, in, to, 1, LS_DOUBLE, NULL, root));
	NODE_REFUSES(ls_allreduce, (me, NULL, to, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_allreduce, (me, in, NULL, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_allreduce, (me, in, to, 1, NULL, LS_SUM));
	NODE_REFUSES(ls_allreduce, (me, in, to, 1, LS_DOUBLE, NULL));
	NODE_REFUSES(ls_scan, (me, NULL, to, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_scan, (me, in, NULL, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_scan, (me, in, to, 1, NULL, LS_SUM));
	NODE_REFUSES(ls_scan, (me, in, to, 1, LS_DOUBLE, NULL));
	NODE_REFUSES(ls_exscan, (me, NULL, to, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_exscan, (me, in, NULL, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_exscan, (me, in, to, 1, NULL, LS_SUM));
	NODE_REFUSES(ls_exscan, (me, in, to, 1, LS_DOUBLE, NULL));
	NODE_REFUSES(ls_shift, (me, NULL, to, 1, LS_DOUBLE, 1));
	NODE_REFUSES(ls_shift, (me, in, NULL, 1, LS_DOUBLE, 1));
	NODE_REFUSES(ls_shift, (me, in, to, 1, NULL, 1));
}

static void refuse_blocks(ls_node *me, const double *in, double *to)
{
	const int64_t root = ls_rank(me);

	NODE_REFUSES(ls_allgather, (me, NULL, to, 1, LS_DOUBLE));
	NODE_REFUSES(ls_allgather, (me, in, NULL, 1, LS_DOUBLE));
	NODE_REFUSES(ls_allgather, (me, in, to, 1, NULL));
	NODE_REFUSES(ls_gather, (me, NULL, to, 1, LS_DOUBLE, root));
	NODE_REFUSES(ls_gather, (me, in, NULL, 1, LS_DOUBLE, root));
	NODE_REFUSES(ls_gather, (me, in, to, 1, NULL, root));
	NODE_REFUSES(ls_scatter, (me, NULL, to, 1, LS_DOUBLE, root));
	NODE_REFUSES(ls_scatter, (me, in, NULL, 1, LS_DOUBLE, root));
	NODE_REFUSES(ls_scatter, (me, in, to, 1, NULL, root));
	NODE_REFUSES(ls_reduce_scatter, (me, NULL, to, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_reduce_scatter, (me, in, NULL, 1, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_reduce_scatter, (me, in, to, 1, NULL, LS_SUM));
	NODE_REFUSES(ls_reduce_scatter, (me, in, to, 1, LS_DOUBLE, NULL));
	NODE_REFUSES(ls_alltoall, (me, NULL, to, 1, LS_DOUBLE));
	NODE_REFUSES(ls_alltoall, (me, in, NULL, 1, LS_DOUBLE));
	NODE_REFUSES(ls_alltoall, (me, in, to, 1, NULL));
}

static void refuse_unequal_blocks(ls_node *me, const double *in, double *to)
{
	const int64_t root = ls_rank(me);

	NODE_REFUSES(ls_allgatherv, (me, NULL, to, counts, LS_DOUBLE));
	NODE_REFUSES(ls_allgatherv, (me, in, NULL, counts, LS_DOUBLE));
	NODE_REFUSES(ls_allgatherv, (me, in, to, NULL, LS_DOUBLE));
	NODE_REFUSES(ls_allgatherv, (me, in, to, counts, NULL));
	NODE_REFUSES(ls_gatherv, (me, NULL, to, counts, LS_DOUBLE, root));
	NODE_REFUSES(ls_gatherv, (me, in, NULL, counts, LS_DOUBLE, root));
	NODE_REFUSES(ls_gatherv, (me, in, to, NULL, LS_DOUBLE, root));
	NODE_REFUSES(ls_gatherv, (me, in, to, counts, NULL, root));
	NODE_REFUSES(ls_scatterv, (me, NULL, to, counts, LS_DOUBLE, root));
	NODE_REFUSES(ls_scatterv, (me, in, NULL, counts, LS_DOUBLE, root));
	NODE_REFUSES(ls_scatterv, (me, in, to, NULL, LS_DOUBLE, root));
	NODE_REFUSES(ls_scatterv, (me, in, to, counts, NULL, root));
	NODE_REFUSES(ls_reduce_scatterv, (me, NULL, to, counts, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_reduce_scatterv, (me, in, NULL, counts, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_reduce_scatterv, (me, in, to, NULL, LS_DOUBLE, LS_SUM));
	NODE_REFUSES(ls_reduce_scatterv, (me, in, to, counts, NULL, LS_SUM));
	NODE_REFUSES(ls_reduce_scatterv, (me, in, to, counts, LS_DOUBLE, NULL));
	NODE_REFUSES(ls_alltoallv, (me, NULL, counts, to, counts, LS_DOUBLE));
	NODE_REFUSES(ls_alltoallv, (me, in, NULL, to, counts, LS_DOUBLE));
	NODE_REFUSES(ls_alltoallv, (me, in, counts, NULL, counts, LS_DOUBLE));
	NODE_REFUSES(ls_alltoallv, (me, in, counts, to, NULL, LS_DOUBLE));
	NODE_REFUSES(ls_alltoallv, (me, in, counts, to, counts, NULL));
}

#endif
