/*
 * Symbolic values: the contents of a block as an expression over the contributions of the ranks.
 *
 * A value is a leaf (the contribution of a rank to a block), or the combination of two values in
 * this order.  Equal expressions are one value (they are hash-consed), so "the same expression at
 * every node" means "the same number".
 *
 *        7 = 5 (+) 6                  contents {0 1 2 3}, the arc 0 + 4
 *       /           \
 *    5 = 1 (+) 2    6 = 3 (+) 4       contents {0 1} and {2 3}
 *     /   \          /   \
 *    1     2        3     4           leaves of ranks 0 1 2 3
 *
 * Every value stores the ranks of its contributions.  The form is an arc of consecutive ranks,
 * which may wrap from the last rank to the first; else a set; beyond the memory limit a
 * fingerprint, the sum of random numbers of its ranks.  A sum depends on how often a rank occurs,
 * so it cannot represent a union.  lsi_expressions_unite computes the unions, of all values at
 * once.
 */
#ifndef LSI_CHECK_EXPRESSION_H
#define LSI_CHECK_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t lsi_value;
#define LSI_UNDEFINED ((lsi_value)0)

enum lsi_contents_form { LSI_HOLDS_ARC, LSI_HOLDS_SET, LSI_HOLDS_FINGERPRINT };

struct lsi_fingerprint {
	uint64_t sum[2];
};

struct lsi_contents {
	enum lsi_contents_form holding;
	bool ordered;  /* each rank once, in rank order: an arc that does not wrap */
	int64_t twice; /* a rank held more than once; -1: none, or unknown */
	union {
		struct {
			int64_t first, count;
		} arc;
		const uint64_t *set; /* bit r: rank r */
		struct lsi_fingerprint fingerprint;
	};
};

struct lsi_expression {
	lsi_value a, b;
	uint32_t block; /* of INPUT whose contributions it holds */
	uint32_t twice; /* 1 + a rank held more than once; 0: none, or unknown */
	uint8_t holding;
	bool ordered;
	union {
		struct {
			uint32_t first, count;
		} arc;
		uint64_t *set;
		struct lsi_fingerprint fingerprint;
	};
};

struct lsi_expressions {
	int64_t ranks, leaves, blocks; /* contributions of a rank: blocks; of all: leaves */
	size_t limit, used;            /* bytes of sets */
	bool by_fingerprint;           /* some value has a fingerprint, for lack of memory */
	struct lsi_expression *made;   /* made[i] is value leaves + 1 + i */
	size_t count, room;
	lsi_value *table; /* open addressing, by (a, b) */
	size_t mask;
	uint64_t *scratch;              /* two sets */
	struct lsi_fingerprint *before; /* sums over the ranks below; made on first use */
};

/*
 * Numbers of values, for 3 ranks with 2 blocks each:
 *
 *   0            1 2 3 4 5 6                     7 8 9 ..
 *   undefined    leaves: 1 + rank * 2 + block    made[0], made[1], made[2] ..
 */

/* Returns LS_OK or LS_ERR_MEMORY; call fini in both cases. */
int lsi_expressions_init(struct lsi_expressions *, int64_t ranks, int64_t blocks, size_t limit);
void lsi_expressions_fini(struct lsi_expressions *);

static inline lsi_value lsi_expression_leaf(
	const struct lsi_expressions *e, int64_t rank, int64_t block)
{
	return (lsi_value)(1 + rank * e->blocks + block);
}

static inline bool lsi_expression_is_leaf(const struct lsi_expressions *e, lsi_value value)
{
	return (int64_t)value <= e->leaves;
}

/* a (+) b, both defined; LS_OK or LS_ERR_MEMORY. */
int lsi_expression_combine(struct lsi_expressions *, lsi_value a, lsi_value b, lsi_value *out);

struct lsi_contents lsi_expression_contents(const struct lsi_expressions *, lsi_value);
/* Consecutive ranks; and the first that contents hold from `rank` on, as many as possible. */
struct lsi_run {
	int64_t first, last;
};
/* False: there are none, or the contents are a fingerprint. */
bool lsi_contents_run(
	const struct lsi_contents *, int64_t ranks, int64_t rank, struct lsi_run *out);
/* The block of INPUT whose contributions it holds. */
int64_t lsi_expression_block(const struct lsi_expressions *, lsi_value);

/* The rank of its leftmost leaf. */
int64_t lsi_expression_origin(const struct lsi_expressions *, lsi_value);

/* Words of a set: bit r % 64 of word r / 64 stands for rank r, and at least one bit is unused. */
size_t lsi_set_words(const struct lsi_expressions *);
/* The next rank in a set from `rank` on, `ranks` if no rank follows. */
int64_t lsi_set_next(const uint64_t *set, int64_t ranks, int64_t rank);
/*
 * Only for values with an arc or a set: a rank that `set` and the value share, or -1; and adding
 * the ranks of the value to `set`.
 */
int64_t lsi_set_common(const struct lsi_expressions *, const uint64_t *set, lsi_value);
void lsi_set_add(const struct lsi_expressions *, uint64_t *set, lsi_value);

/* A rank that a value lacks, and one that it must not hold; -1: none, or unknown. */
struct lsi_difference {
	int64_t lacks, excess;
};

/*
 * Whether a value holds exactly the ranks first .. first+count-1: each at least once, or for a
 * fingerprint each exactly once.
 */
bool lsi_expression_is(const struct lsi_expressions *, lsi_value, int64_t first, int64_t count,
	struct lsi_difference *);

/* Numbers that a value may have, LSI_UNDEFINED included. */
size_t lsi_expressions_count(const struct lsi_expressions *);
/*
 * The ranks of each value among the 64 ranks from 64 * word on: bit rank % 64 of held[value].
 * Exact also for values that have only a fingerprint.
 */
void lsi_expressions_unite(const struct lsi_expressions *, int64_t word, uint64_t *held);

#endif
