/*
 * Plans made of plans.
 *
 * A composition is a sequence of parts.  A part is a whole plan of a problem of its own, executed at
 * once by all lines of nodes that differ in one coordinate of their rank; a line of all nodes is the
 * machine itself.  A seat says what a buffer of the part is in the whole: which buffer, and which
 * blocks each block of the part stands for.
 *
 * What a composition needs is a function that lists its parts; LS_COMPOSED makes of it the functions
 * of an algorithm.
 */
#ifndef LS_COLLECTIVE_COMPOSE_H
#define LS_COLLECTIVE_COMPOSE_H

#include "collective/algorithm.h"

enum {
	LS_PARTS = 24,
	LS_PART_NODES = 1 << 14       /* what serves every network is a part of one up to so many */
};

/*
 * Block x of a part, seen from node u, is `inner` times `outer` blocks of a buffer of the whole, those
 * from base + x*pitch + i*outer_pitch on, where base = u / unit * lift + u % below (0: none).  A scratch
 * buffer has `each` such blocks for every logical one.
 */
struct ls_seat {
	struct ls_naming naming;
	int64_t unit, lift, below, pitch, inner, outer, outer_pitch, each;
	const int64_t *order;             /* of a plan whose scratch has one: block x is order[x] */
	int buffer;
};

struct ls_part {
	const struct ls_algorithm *algorithm;
	struct ls_problem problem;        /* of one line */
	struct ls_frame frame;            /* of the plan, once there is one: only that is complete */
	struct ls_plan *plan;
	int64_t stride;                   /* coordinate of rank u: u / stride % problem.nodes */
	bool rooted;                      /* only lines of nodes with the root's coordinates on smaller strides */
	int64_t lines;                    /* that execute it at once */
	int64_t width;                    /* blocks of the whole that a block stands for */
	int64_t first;                    /* its first step */
	struct ls_seat input, output, arrival, scratch[LS_SCRATCHES];
	size_t multiplied, divided;       /* n of the part = n of the whole * multiplied / divided */
};

struct ls_composition {
	bool possible;
	bool starved;                     /* there was no memory to price what could be a part */
	bool folds;                       /* at the end a local step of the composition's own */
	bool cut;                         /* the vector is cut into a block for each node */
	int parts;
	int64_t nodes, steps, locals;
	struct ls_scratch scratch[LS_SCRATCHES];
	struct ls_counts *counts;         /* of all parts together, of n elements; NULL: not wanted */
	size_t n;
	struct ls_part *part;             /* NULL: no part is kept once the next is listed, for */
	struct ls_part one;               /* small stacks; this one is at hand */
};

/* Lists the parts for a problem that may have any operation, network and mode. */
typedef void ls_compose(const struct ls_problem *, struct ls_composition *);

/* What is asked of the algorithm of a part. */
struct ls_wish {
	struct ls_problem problem;
	int level;                        /* of the composition: its parts have lower ones */
	enum ls_claim claim;              /* at least; of operations that combine          */
	bool particular;                  /* none that serves every network                */
	bool uncut;                       /* the vector in one block                       */
	bool full;                        /* scratch with a slot for every block, or none  */
	int scratches;                    /* at most                                       */
	size_t n;                         /* cheapest for so many elements of 8 bytes      */
};

/*
 * Add a part with the cheapest algorithm, its seats the buffers of the same name; NULL, and nothing
 * possible any more, where there is none or no room.
 */
struct ls_part *ls_compose_add(struct ls_composition *, const struct ls_wish *);

/* Seats: block for block; blocks of the nodes that agree with u on all coordinates of stride >= `unit`. */
struct ls_seat ls_seat_same(int buffer);
struct ls_seat ls_seat_own(int buffer, int64_t unit);
/* Block x: the blocks of coordinate x on the line of u, smaller coordinates any. */
struct ls_seat ls_seat_line(int buffer, int64_t stride, int64_t side);
/* Block x: the blocks x*width .. x*width + width-1. */
struct ls_seat ls_seat_wide(int buffer, int64_t width);

/*
 * Seat the scratch buffers of a part: with a slot for every block of the whole, in seats like one of
 * its others; or each block as wide as the blocks of the part are.
 */
void ls_compose_scratch_full(struct ls_composition *, struct ls_part *, struct ls_seat like);
void ls_compose_scratch(struct ls_composition *, struct ls_part *);
/* Seat a part, its scratch buffers too; NULL: nothing happens. */
void ls_compose_seat(
	struct ls_composition *, struct ls_part *, struct ls_seat input, struct ls_seat output);
/* A scratch buffer for the composition itself; -1: no room. */
int ls_compose_buffer(struct ls_composition *, struct ls_scratch);

/* Where block 0 of the part lies, seen from node u. */
static inline int64_t ls_seat_base(const struct ls_seat *s, int64_t u)
{
	return (s->unit ? u / s->unit * s->lift : 0) + (s->below ? u % s->below : 0);
}

/*
 * List the parts, with the plans that *c has of them if it keeps parts, and what follows from them.
 * The caller has set part, and counts and n.
 */
bool ls_compose_list(ls_compose *, const struct ls_problem *, struct ls_composition *c);

/* Elements of a part; and its counts, on so many lines, added to others. */
size_t ls_part_n(const struct ls_part *, size_t n);
void ls_counts_add(struct ls_counts *sum, struct ls_counts, int64_t lines);

/* The functions of an algorithm. */
bool ls_composed_supports(ls_compose *, const struct ls_problem *);
struct ls_frame ls_composed_frame(ls_compose *, const struct ls_problem *);
int ls_composed_prepare(ls_compose *, struct ls_plan *);
struct ls_counts ls_composed_predict(ls_compose *, const struct ls_problem *, size_t n);
struct ls_counts ls_composed_predict_exactly(const struct ls_plan *, size_t n);
void ls_composed_release(struct ls_plan *);
bool ls_composed_is_local(const struct ls_plan *, int64_t step);
bool ls_composed_part(const struct ls_plan *, size_t index, struct ls_plan_part *);
void ls_composed_peers(const struct ls_plan *, int64_t rank, int64_t step, struct ls_peers *);
void ls_composed_body(const struct ls_plan *, int64_t step, int64_t rank, struct ls_step *);

#define LS_COMPOSED(compose) \
	static bool compose##_supports(const struct ls_problem *problem) \
	{ \
		return ls_composed_supports(compose, problem); \
	} \
	static struct ls_frame compose##_frame(const struct ls_problem *problem) \
	{ \
		return ls_composed_frame(compose, problem); \
	} \
	static int compose##_prepare(struct ls_plan *plan) \
	{ \
		return ls_composed_prepare(compose, plan); \
	} \
	static struct ls_counts compose##_predict(const struct ls_problem *problem, size_t n) \
	{ \
		return ls_composed_predict(compose, problem, n); \
	}

#define LS_COMPOSED_FUNCTIONS(compose) \
	.supports = compose##_supports, \
	.frame = compose##_frame, \
	.prepare = compose##_prepare, \
	.predict = compose##_predict, \
	.predict_exactly = ls_composed_predict_exactly, \
	.release = ls_composed_release, \
	.is_local = ls_composed_is_local, \
	.peers = ls_composed_peers, \
	.part = ls_composed_part, \
	.body = ls_composed_body

#endif
