/*
 * The calls of test/vcalls.c, with the lengths of their blocks and the results by definition.
 */
#ifndef LOCKSTEP_TEST_VCALLS_TABLE_H
#define LOCKSTEP_TEST_VCALLS_TABLE_H

#include <inttypes.h>
#include <string.h>
#include <lockstep.h>
#include "support/guard.h"
#include "test.h"

/* x -> a x + b: maps compose, but not in any order.  All arithmetic is modulo 2^64. */
struct map {
	uint64_t a, b;
};
static ls_type map_type;
static ls_op map_then;

static struct map then(struct map f, struct map g)
{
	return (struct map){ g.a * f.a, g.a * f.b + g.b };
}

static void combine(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((struct map *)dst)[i] = then(((const struct map *)a)[i], ((const struct map *)b)[i]);
}

/* ---- Cases */

struct call_case {
	const struct row *row;
	int64_t p, root, q;
	int lengths; /* which */
	bool in_place;
};

/* The buffers of a node: where its operand and its result begin, and how long blocks are. */
struct buffers {
	struct map *in, *out;
	size_t *in_counts, *out_counts;
	size_t in_blocks, out_blocks; /* 0: it has none */
	size_t n;
};

/* Shape: who has an operand, a result, and of how many blocks. */
enum shape { NONE, ONE, EACH, ROOT_ONE, ROOT_EACH };
struct row {
	const char *name;
	enum ls_operation operation;
	enum shape in, out;
	bool unequal;
	int (*call)(ls_node *, const struct call_case *, const struct buffers *);
};

/* Elements that `from` has for `to`. */
static size_t length_of(const struct call_case *s, int64_t from, int64_t to)
{
	static const size_t some[] = { 3, 0, 1, 200, 0, 7, 2 };
	const bool exchanged = s->row->operation == LS_ALLTOALL;
	/* A block belongs to the node that has it alone. */
	const int64_t owner = s->row->out == EACH || s->row->out == ROOT_EACH ? from : to;
	const int64_t of = exchanged ? 5 * from + 3 * to : owner;

	if (!s->row->unequal)
		return some[s->lengths];
	switch (s->lengths) {
	case 0:
		return 4;
	case 1:
		return 0;
	case 2:
		return of == 1 ? 300 : 0;
	case 3:
		return (size_t)of % 3;
	default:
		return some[(of + s->lengths) % 7];
	}
}
enum { LENGTHS = 7 };

static struct map given(int64_t rank, int64_t block, size_t i)
{
	const uint64_t mixed = (uint64_t)(rank * 1009 + block * 31 + 1) * 0x9e3779b97f4a7c15u + i;

	return (struct map){ mixed | 1, mixed >> 7 };
}

/* given(from, block, i) then .. then given(to - 1, block, i) */
static struct map composed(int64_t from, int64_t to, int64_t block, size_t i)
{
	struct map f = given(from, block, i);

	for (int64_t r = from + 1; r < to; r++)
		f = then(f, given(r, block, i));
	return f;
}

/* Element i of block b of the result of a node. */
static struct map wanted(const struct call_case *s, int64_t rank, int64_t b, size_t i)
{
	switch (s->row->operation) {
	case LS_BROADCAST:
		return given(s->root, 0, i);
	case LS_SCAN:
		return composed(0, rank + 1, 0, i);
	case LS_EXSCAN:
		return composed(0, rank, 0, i);
	case LS_SHIFT:
		return given(((rank - s->q) % s->p + s->p) % s->p, 0, i);
	case LS_ALLGATHER:
	case LS_GATHER:
		return given(b, 0, i);
	case LS_SCATTER:
		return given(s->root, rank, i);
	case LS_ALLTOALL:
		return given(b, rank, i);
	case LS_REDUCE_SCATTER:
		return composed(0, s->p, rank, i);
	default:
		return composed(0, s->p, 0, i);
	}
}

/* ---- The calls */

#define CALL(name, ...) \
	static int name(ls_node *me, const struct call_case *s, const struct buffers *b) \
	{ \
		(void)s; \
		return ls_##name(me, __VA_ARGS__); \
	}

static int broadcast(ls_node *me, const struct call_case *s, const struct buffers *b)
{
	/* It has one buffer; what is not in place goes by a call that has two. */
	const struct ls_call call = { .size = sizeof call,
		.operation = LS_BROADCAST,
		.input = b->in,
		.output = b->out,
		.count = b->n,
		.type = map_type,
		.root = s->root };

	return s->in_place ? ls_broadcast(me, b->out, b->n, map_type, s->root)
					   : ls_collective(me, &call);
}

static int barrier(ls_node *me, const struct call_case *s, const struct buffers *b)
{
	(void)s, (void)b;
	return ls_barrier(me);
}

CALL(reduce, b->in, b->out, b->n, map_type, map_then, s->root)
CALL(allreduce, b->in, b->out, b->n, map_type, map_then)
CALL(scan, b->in, b->out, b->n, map_type, map_then)
CALL(exscan, b->in, b->out, b->n, map_type, map_then)
CALL(shift, b->in, b->out, b->n, map_type, s->q)
CALL(allgather, b->in, b->out, b->n, map_type)
CALL(gather, b->in, b->out, b->n, map_type, s->root)
CALL(scatter, b->in, b->out, b->n, map_type, s->root)
CALL(reduce_scatter, b->in, b->out, b->n, map_type, map_then)
CALL(alltoall, b->in, b->out, b->n, map_type)
CALL(allgatherv, b->in, b->out, b->out_counts, map_type)
CALL(gatherv, b->in, b->out, b->out_counts, map_type, s->root)
CALL(scatterv, b->in, b->out, b->in_counts, map_type, s->root)
CALL(reduce_scatterv, b->in, b->out, b->in_counts, map_type, map_then)
CALL(alltoallv, b->in, b->in_counts, b->out, b->out_counts, map_type)

static const struct row rows[] = {
	{ "broadcast", LS_BROADCAST, ROOT_ONE, ONE, false, broadcast },
	{ "reduce", LS_REDUCE, ONE, ROOT_ONE, false, reduce },
	{ "allreduce", LS_ALLREDUCE, ONE, ONE, false, allreduce },
	{ "scan", LS_SCAN, ONE, ONE, false, scan },
	{ "exscan", LS_EXSCAN, ONE, ONE, false, exscan },
	{ "shift", LS_SHIFT, ONE, ONE, false, shift },
	{ "barrier", LS_BARRIER, NONE, NONE, false, barrier },
	{ "allgather", LS_ALLGATHER, ONE, EACH, false, allgather },
	{ "gather", LS_GATHER, ONE, ROOT_EACH, false, gather },
	{ "scatter", LS_SCATTER, ROOT_EACH, ONE, false, scatter },
	{ "reduce_scatter", LS_REDUCE_SCATTER, EACH, ONE, false, reduce_scatter },
	{ "alltoall", LS_ALLTOALL, EACH, EACH, false, alltoall },
	{ "allgatherv", LS_ALLGATHER, ONE, EACH, true, allgatherv },
	{ "gatherv", LS_GATHER, ONE, ROOT_EACH, true, gatherv },
	{ "scatterv", LS_SCATTER, ROOT_EACH, ONE, true, scatterv },
	{ "reduce_scatterv", LS_REDUCE_SCATTER, EACH, ONE, true, reduce_scatterv },
	{ "alltoallv", LS_ALLTOALL, EACH, EACH, true, alltoallv },
};

#endif
