/*
 * Symbolic values: what a block holds, as an expression over the contributions of the ranks.
 *
 * A value is a leaf (the contribution of a rank to a block), or the combination of two values in
 * this order.  Equal expressions are one value (they are hash-consed), so "the same expression at
 * every node" is "the same number".  Of every value it is known which contributions are in it: an
 * arc of consecutive ranks, which may wrap round from the last to the first; else a set; beyond
 * the memory limit a fingerprint, the sum of random numbers of its ranks.  A sum tells how often a
 * rank is in it, so it cannot tell a union; ls_expressions_unite can, of all values at once.
 */
#ifndef LS_CHECK_EXPRESSION_H
#define LS_CHECK_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t ls_value;
#define LS_UNDEFINED ((ls_value)0)

enum ls_holding { LS_HOLDS_ARC, LS_HOLDS_SET, LS_HOLDS_FINGERPRINT };

struct ls_fingerprint { uint64_t sum[2]; };

struct ls_contents {
	enum ls_holding holding;
	bool ordered;           /* each once, in rank order: holds an arc that does not wrap    */
	int64_t twice;          /* a rank whose contribution is in it more than once; -1: none */
	union {
		struct { int64_t first, count; } arc;
		const uint64_t *set;                  /* bit r: rank r */
		struct ls_fingerprint fingerprint;
	};
};

struct ls_expression {
	ls_value a, b;
	uint32_t step, block, twice;    /* made in, contributes to; a rank + 1, or 0 */
	uint8_t holding;
	bool ordered;
	union {
		struct { uint32_t first, count; } arc;
		uint64_t *set;
		struct ls_fingerprint fingerprint;
	};
};

struct ls_expressions {
	int64_t ranks, leaves, blocks;  /* contributions of a rank: blocks; of all: leaves */
	size_t limit, used;             /* bytes of sets                                   */
	bool by_fingerprint;            /* some value holds no more than that              */
	struct ls_expression *made;     /* value leaves + 1 + i                            */
	size_t count, room;
	ls_value *table;                /* open addressing, by (a, b)                      */
	size_t mask;
	uint64_t *scratch;              /* two sets                                        */
	struct ls_fingerprint *before;  /* sums over the ranks below; made on first use    */
};

/* Returns LS_OK or LS_ERR_MEMORY; fini is right after both. */
int ls_expressions_init(struct ls_expressions *, int64_t ranks, int64_t blocks, size_t limit);
void ls_expressions_fini(struct ls_expressions *);

static inline ls_value ls_expression_leaf(
	const struct ls_expressions *e, int64_t rank, int64_t block)
{
	return (ls_value)(1 + rank * e->blocks + block);
}

/* a (+) b, both defined; LS_OK or LS_ERR_MEMORY. */
int ls_expression_combine(
	struct ls_expressions *, ls_value a, ls_value b, int64_t step, ls_value *out);

struct ls_contents ls_expression_contents(const struct ls_expressions *, ls_value);
/* The step that made it; -1: a leaf. */
int64_t ls_expression_step(const struct ls_expressions *, ls_value);
/* The block of INPUT whose contributions it holds. */
int64_t ls_expression_block(const struct ls_expressions *, ls_value);

/* The rank of its first operand: of a leaf, whose contribution it is. */
int64_t ls_expression_origin(const struct ls_expressions *, ls_value);

/* Words of a set, and the next rank in it from `rank` on; `ranks` when there is none. */
size_t ls_set_words(const struct ls_expressions *);
int64_t ls_set_next(const struct ls_expressions *, const uint64_t *set, int64_t rank);
/* For values known by more than a fingerprint: a rank of the set that is in it, or -1; adding. */
int64_t ls_set_common(const struct ls_expressions *, const uint64_t *set, ls_value);
void ls_set_add(const struct ls_expressions *, uint64_t *set, ls_value);

/* A rank that a value should hold and does not, one that it should not; -1: none, or unknown. */
struct ls_difference { int64_t lacks, excess; };

/* Whether a value holds the ranks first .. first+count-1 and no other, be it more than once. */
bool ls_expression_is(const struct ls_expressions *, ls_value, int64_t first, int64_t count,
	struct ls_difference *);

/* Numbers that a value may have, LS_UNDEFINED included. */
size_t ls_expressions_count(const struct ls_expressions *);
/*
 * Which of the 64 ranks from 64 word on are in each value, be it more than once: bit rank % 64 of
 * held[value].  Exact also where a value holds no more than a fingerprint.
 */
void ls_expressions_unite(const struct ls_expressions *, int64_t word, uint64_t *held);

#endif
