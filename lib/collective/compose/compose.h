/*
 * Plans made of plans.
 *
 * A composition is a sequence of parts.  A part is a whole plan of a problem of its own, executed
 * at once by all lines of nodes that differ in one coordinate of their rank; a line of all nodes is
 * the machine itself.  A seat says what a buffer of the part is in the whole: which buffer, and
 * which blocks each block of the part stands for.
 *
 * What a composition needs is a function that lists its parts; LSI_COMPOSED makes of it the
 * functions of an algorithm.
 */
#ifndef LSI_COLLECTIVE_COMPOSE_COMPOSE_H
#define LSI_COLLECTIVE_COMPOSE_COMPOSE_H

#include "collective/algorithm.h"

enum {
	LSI_PARTS = 24,
	LSI_PART_NODES = 1 << 14 /* what serves every network is a part of one up to so many */
};

/*
 * Block x of a part, seen from node u, is `inner` times `outer` blocks of a buffer of the whole,
 * those from base + x*pitch + i*outer_pitch on, where base = u / unit * lift + u % below (0: none).
 * A scratch buffer has `each` such blocks for every logical one.
 */
struct lsi_buffer_view {
	struct ls_block_map map;
	int64_t unit, lift, below, pitch, inner, outer, outer_pitch, each;
	const int64_t *order; /* of a plan whose scratch has one: block x is order[x] */
	int buffer;
};

struct lsi_part {
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem; /* of one line */
	struct lsi_frame frame;     /* of the plan, once there is one: only that is complete */
	struct ls_plan *plan;
	int64_t stride; /* coordinate of rank u: u / stride % problem.nodes */
	bool rooted;    /* only lines of nodes with the root's coordinates on smaller strides */
	int64_t lines;  /* that execute it at once */
	int64_t width;  /* blocks of the whole that a block stands for */
	int64_t first;  /* its first step */
	struct lsi_buffer_view input, output, arrival, scratch[LS_SCRATCH_BUFFERS];
	size_t multiplied, divided; /* n of the part = n of the whole * multiplied / divided */
};

struct lsi_composition {
	bool possible;
	bool out_of_memory; /* there was no memory to price what could be a part */
	bool folds;         /* at the end a local step of the composition's own */
	bool cut;           /* the vector is cut into a block for each node */
	int parts;
	int64_t nodes, steps, locals;
	struct lsi_scratch scratch[LS_SCRATCH_BUFFERS];
	struct ls_counts *counts; /* of all parts together, of n elements; NULL: not wanted */
	size_t n;
	struct lsi_part *part; /* NULL: no part is kept once the next is listed, for */
	struct lsi_part one;   /* small stacks; this one is at hand */
};

/* Lists the parts for a problem that may have any operation, network and mode. */
typedef void lsi_compose(const struct lsi_problem *, struct lsi_composition *);

/* What is asked of the algorithm of a part. */
struct lsi_part_request {
	struct lsi_problem problem;
	int level;           /* of the composition: its parts have lower ones */
	enum ls_claim claim; /* at least; of operations that combine */
	bool particular;     /* none that serves every network */
	bool uncut;          /* the vector in one block */
	bool full;           /* scratch with a slot for every block, or none */
	int scratches;       /* at most */
	size_t n;            /* cheapest for so many elements of 8 bytes */
};

/*
 * Add a part with the cheapest algorithm, its views the buffers of the same name; NULL, and nothing
 * possible any more, where there is none or no room.
 */
struct lsi_part *lsi_compose_add(struct lsi_composition *, const struct lsi_part_request *);

/* Seats: block for block; blocks of the nodes that agree with u on all coordinates of stride >=
 * `unit`. */
struct lsi_buffer_view lsi_buffer_view_same(int buffer);
struct lsi_buffer_view lsi_buffer_view_own(int buffer, int64_t unit);
/* Block x: the blocks of coordinate x on the line of u, smaller coordinates any. */
struct lsi_buffer_view lsi_buffer_view_line(int buffer, int64_t stride, int64_t side);
/* Block x: the blocks x*width .. x*width + width-1. */
struct lsi_buffer_view lsi_buffer_view_wide(int buffer, int64_t width);

/*
 * Seat the scratch buffers of a part: with a slot for every block of the whole, in views like one
 * of its others; or each block as wide as the blocks of the part are.
 */
void lsi_compose_scratch_full(
	struct lsi_composition *, struct lsi_part *, struct lsi_buffer_view like);
void lsi_compose_scratch(struct lsi_composition *, struct lsi_part *);
/* Seat a part, its scratch buffers too; NULL: nothing happens. */
void lsi_compose_set_views(struct lsi_composition *, struct lsi_part *,
	struct lsi_buffer_view input, struct lsi_buffer_view output);
/* A scratch buffer for the composition itself; -1: no room. */
int lsi_compose_buffer(struct lsi_composition *, struct lsi_scratch);

/* Where block 0 of the part lies, seen from node u. */
static inline int64_t lsi_buffer_view_base(const struct lsi_buffer_view *s, int64_t u)
{
	return (s->unit ? u / s->unit * s->lift : 0) + (s->below ? u % s->below : 0);
}

/*
 * List the parts, with the plans that *c has of them if it keeps parts, and what follows from them.
 * The caller has set part, and counts and n.
 */
bool lsi_compose_list(lsi_compose *, const struct lsi_problem *, struct lsi_composition *c);

/* Elements of a part; and its counts, on so many lines, added to others. */
size_t lsi_part_n(const struct lsi_part *, size_t n);
void lsi_counts_add(struct ls_counts *sum, struct ls_counts, int64_t lines);

/* The functions of an algorithm. */
bool lsi_composed_supports(lsi_compose *, const struct lsi_problem *);
struct lsi_frame lsi_composed_frame(lsi_compose *, const struct lsi_problem *);
int lsi_composed_prepare(lsi_compose *, struct ls_plan *);
struct ls_counts lsi_composed_predict(lsi_compose *, const struct lsi_problem *, size_t n);
struct ls_counts lsi_composed_predict_exactly(const struct ls_plan *, size_t n);
void lsi_composed_release(struct ls_plan *);
bool lsi_composed_is_local(const struct ls_plan *, int64_t step);
bool lsi_composed_part(const struct ls_plan *, size_t index, struct ls_plan_part *);
void lsi_composed_peers(const struct ls_plan *, int64_t rank, int64_t step, struct lsi_peers *);
void lsi_composed_body(const struct ls_plan *, int64_t step, int64_t rank, struct ls_step *);

#define LSI_COMPOSED(compose) \
	static bool compose##_supports(const struct lsi_problem *problem) \
	{ \
		return lsi_composed_supports(compose, problem); \
	} \
	static struct lsi_frame compose##_frame(const struct lsi_problem *problem) \
	{ \
		return lsi_composed_frame(compose, problem); \
	} \
	static int compose##_prepare(struct ls_plan *plan) \
	{ \
		return lsi_composed_prepare(compose, plan); \
	} \
	static struct ls_counts compose##_predict(const struct lsi_problem *problem, size_t n) \
	{ \
		return lsi_composed_predict(compose, problem, n); \
	}

#define LSI_COMPOSED_FUNCTIONS(compose) \
	.supports = compose##_supports, .frame = compose##_frame, .prepare = compose##_prepare, \
	.predict = compose##_predict, .predict_exactly = lsi_composed_predict_exactly, \
	.release = lsi_composed_release, .is_local = lsi_composed_is_local, \
	.peers = lsi_composed_peers, .part = lsi_composed_part, .body = lsi_composed_body

#endif
