/*
 * Plans made of plans.
 *
 * A composition is a sequence of parts.  A part is a whole plan of a smaller problem.  All lines of
 * nodes that differ in one coordinate of their rank execute it at once; a line of all nodes is the
 * whole machine.  Example: an all-reduce on A*B.
 *
 *   part 0: all-reduce on B            part 1: all-reduce on A
 *   every line of B, at once           every line of A, at once
 *   stride 1, nodes |B|                stride |B|, nodes |A|
 *
 * A view maps a buffer of a part to the whole machine: it names the buffer, and the blocks of the
 * whole that each block of the part stands for.
 *
 * A composition is a function that lists its parts.  LSI_COMPOSED derives the functions of an
 * algorithm from it.
 */
#ifndef LSI_COLLECTIVE_COMPOSE_COMPOSE_H
#define LSI_COLLECTIVE_COMPOSE_COMPOSE_H

#include "collective/algorithm.h"

enum {
	LSI_PARTS = 24,
	LSI_PART_NODES = 1 << 14 /* general algorithms serve as parts only up to this size */
};

/*
 * Block x of a part, seen from node u, stands for `outer` runs of `inner` blocks of a buffer of the
 * whole.  Run i begins at block
 *
 *     base + x * pitch + i * outer_pitch      base = (u - u mod unit) + (u mod below)
 *
 * If unit or `below` is 0, its term is 0.  Example: OUTPUT of an all-gather on ring:4*linear:2,
 * seen from node 5, for the phase on linear:2 and then for the phase on ring:4
 * (lsi_buffer_view_line):
 *
 *     block of the whole     0   1   2   3   4   5   6   7
 *     stride 1, side 2                       x=0 x=1           unit 2, base 4, pitch 1, inner 1
 *     stride 2, side 4       x=0     x=1     x=2     x=3       unit 8, base 0, pitch 2, inner 2
 *
 * A scratch buffer with `each` slots per logical block has `each` slots for each of these blocks.
 */
struct lsi_buffer_view {
	struct ls_block_map map;
	int64_t unit, below, pitch, inner, outer, outer_pitch, each;
	const int64_t *order; /* block x means block order[x]; NULL: block x */
	int buffer;
};

struct lsi_part {
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem; /* of one line */
	struct lsi_frame frame;     /* complete only once the part has a plan */
	struct ls_plan *plan;
	int64_t stride; /* rank u has the coordinate u / stride % problem.nodes */
	bool rooted;    /* only lines with the root's coordinates of smaller stride execute the part */
	int64_t lines;  /* the number of lines that execute the part at once */
	int64_t width;  /* blocks of the whole per block of the part */
	int64_t first;  /* the first step of the part */
	struct lsi_buffer_view input, output, arrival, scratch[LS_SCRATCH_BUFFERS];
	/* n of the part = n of the whole * multiplied, or / divided and rounded up; the other is 1. */
	size_t multiplied, divided;
};

struct lsi_composition {
	bool possible;
	bool out_of_memory; /* no memory to predict the cost of a candidate */
	bool unpriced;      /* parts with `every` need not be the cheapest: any one will do */
	bool folds;         /* the composition ends with a local step of its own */
	bool cut;           /* the vector is cut into one block per node */
	int parts;
	int64_t nodes, steps, locals;
	struct lsi_scratch scratch[LS_SCRATCH_BUFFERS];
	struct ls_counts *counts; /* of all parts together, of n elements; NULL: not computed */
	size_t n;
	struct lsi_part *part; /* an array for all parts; NULL: parts are only counted, in `one` */
	struct lsi_part one;   /* if part is NULL: the part that was added last */
};

/* List the parts of a problem. */
typedef void lsi_compose(const struct lsi_problem *, struct lsi_composition *);

/* The request for the algorithm of a part. */
struct lsi_part_request {
	struct lsi_problem problem;
	int level;           /* level of the composition; parts have lower levels */
	enum ls_claim claim; /* at least this claim, if the operation combines */
	const char *name;    /* the only algorithm to consider; NULL: any */
	const char *without; /* an algorithm not to consider; NULL: none */
	bool particular;     /* no general algorithm */
	bool every;          /* up to LS_EXACT_CHOICE_NODES nodes, general algorithms compete, too */
	bool uncut;          /* the part must not cut the vector */
	bool full;           /* each scratch buffer must be empty or have slots for all blocks */
	int scratches;       /* at most this number of scratch buffers */
	size_t n;            /* choose the cheapest for this number of elements of 8 bytes */
};

/*
 * Add a part with the cheapest algorithm; its views are the buffers of the same names.  Returns
 * NULL and marks the composition impossible if there is no algorithm or no room.
 */
struct lsi_part *lsi_compose_add(struct lsi_composition *, const struct lsi_part_request *);

/* Block x: block x of the buffer. */
struct lsi_buffer_view lsi_buffer_view_same(int buffer);
/* Block 0: the blocks of the nodes that agree with u on all coordinates of stride >= `unit`. */
struct lsi_buffer_view lsi_buffer_view_own(int buffer, int64_t unit);
/*
 * Block x: the blocks of the nodes that have coordinate x at this stride, agree with u on all
 * larger strides, and have any coordinates of smaller stride.
 */
struct lsi_buffer_view lsi_buffer_view_line(int buffer, int64_t stride, int64_t side);
/* Block x: the blocks x*width .. x*width + width-1. */
struct lsi_buffer_view lsi_buffer_view_wide(int buffer, int64_t width);

/* Give scratch buffers to a part, with a slot for every block of the whole, in the view `like`. */
void lsi_compose_scratch_full(
	struct lsi_composition *, struct lsi_part *, struct lsi_buffer_view like);
/* Give scratch buffers to a part, with part->width slots for each slot that the part needs. */
void lsi_compose_scratch(struct lsi_composition *, struct lsi_part *);
/* Set the views of a part and give it scratch buffers; does nothing if the part is NULL. */
void lsi_compose_set_views(struct lsi_composition *, struct lsi_part *,
	struct lsi_buffer_view input, struct lsi_buffer_view output);
/* A scratch buffer for the composition itself; -1: no room. */
int lsi_compose_buffer(struct lsi_composition *, struct lsi_scratch);

/* Where block 0 of the part begins, seen from node u. */
static inline int64_t lsi_buffer_view_base(const struct lsi_buffer_view *s, int64_t u)
{
	return (s->unit ? u - u % s->unit : 0) + (s->below ? u % s->below : 0);
}

/*
 * List the parts and derive their fields.  If c->part has plans of the parts from an earlier list,
 * their frames are used.  The caller has set part, counts and n.  False: there is no composition.
 */
bool lsi_compose_list(lsi_compose *, const struct lsi_problem *, struct lsi_composition *c);

/* Elements of a part; its counts on a number of lines, added to a sum. */
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
