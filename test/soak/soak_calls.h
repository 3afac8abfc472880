/*
 * The calls of test/soak/soak.c: random collective operations, whose results are compared with sums
 * in closed form.
 */
#ifndef LOCKSTEP_TEST_SOAK_CALLS_H
#define LOCKSTEP_TEST_SOAK_CALLS_H

#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/guard.h"
#include "test.h"

enum { WORD_SIZES = 10, MOST_WORDS = 1 << (WORD_SIZES - 1) }; /* of a block */

/* 1 to 2^(sizes - 1), short ones more often: every power of two is as likely as another. */
static int64_t random_length(uint64_t *random, int64_t sizes)
{
	return 1 + random_below(random, (int64_t)1 << random_below(random, sizes));
}

/* A call, equal at all nodes. */
struct soak_call {
	enum ls_operation operation;
	size_t words;
	int64_t root, shift, salt;
};

/* Word i of block b of the operand of a rank, and the sum over the ranks from .. to - 1. */
static int64_t operand_word(int64_t rank, int64_t block, size_t i, int64_t salt)
{
	return 1000003 * rank + 1009 * block + (int64_t)i + salt;
}
static int64_t sum_of_words(int64_t from, int64_t to, int64_t block, size_t i, int64_t salt)
{
	return 1000003 * (to * (to - 1) / 2 - from * (from - 1) / 2)
		+ (to - from) * operand_word(0, block, i, salt);
}

static struct soak_call random_call(uint64_t *random, int64_t p)
{
	return (struct soak_call){ .operation = (enum ls_operation)random_below(random, LS_OPERATIONS),
		.words = (size_t)random_length(random, WORD_SIZES) - (random_below(random, 16) == 0),
		.root = random_below(random, p),
		.shift = random_below(random, p),
		.salt = random_below(random, 1 << 20) };
}

static int64_t blocks_of(enum ls_buffer_form form, int64_t p)
{
	return form == LS_BLOCKS ? p : 1;
}

/* Word i of block b of the result of a rank. */
static int64_t result_word(const struct soak_call *c, int64_t p, int64_t rank, int64_t b, size_t i)
{
	const int64_t back = (rank - c->shift + p) % p;

	switch (c->operation) {
	case LS_BROADCAST:
		return operand_word(c->root, 0, i, c->salt);
	case LS_SCATTER:
		return operand_word(c->root, rank, i, c->salt);
	case LS_SHIFT:
		return operand_word(back, 0, i, c->salt);
	case LS_ALLGATHER:
	case LS_GATHER:
		return operand_word(b, 0, i, c->salt);
	case LS_ALLTOALL:
		return operand_word(b, rank, i, c->salt);
	case LS_REDUCE_SCATTER:
		return sum_of_words(0, p, rank, i, c->salt);
	case LS_SCAN:
		return sum_of_words(0, rank + 1, 0, i, c->salt);
	case LS_EXSCAN:
		return sum_of_words(0, rank, 0, i, c->salt);
	default:
		return sum_of_words(0, p, 0, i, c->salt);
	}
}

static bool has_result(const struct soak_call *c, int64_t rank)
{
	return c->operation != LS_BARRIER && (c->operation != LS_EXSCAN || rank > 0)
		&& (!ls_operation_describe(c->operation)->at_root || rank == c->root);
}

static void check_result(const struct soak_call *c, int64_t p, int64_t rank, const int64_t *out)
{
	const int64_t blocks = blocks_of(ls_operation_describe(c->operation)->output, p);
	const int64_t words = has_result(c, rank) ? blocks * (int64_t)c->words : 0;

	for (int64_t k = 0; k < words; k++) {
		const int64_t b = k / (int64_t)c->words, i = k % (int64_t)c->words;
		const int64_t want = result_word(c, p, rank, b, (size_t)i);

		if (out[k] == want)
			continue;
		CHECK(false,
			"%s: %s of %zu words, rank %" PRId64 " of %" PRId64 ": word %" PRId64 " is %" PRId64
			", not %" PRId64,
			guarded(), ls_operation_name(c->operation), c->words, rank, p, k, out[k], want);
		return;
	}
}

/* `in` and `out` have space for MOST_WORDS words of each node. */
static int make_call(ls_node *group, const struct soak_call *c, int64_t *in, int64_t *out)
{
	const int64_t p = ls_size(group), rank = ls_rank(group);
	const struct ls_call call = { .size = sizeof call,
		.operation = c->operation,
		.input = c->operation == LS_BROADCAST ? out : in,
		.output = out,
		.count = c->words,
		.type = LS_INT64,
		.root = c->root,
		.shift = c->operation == LS_SHIFT ? c->shift : 0 };
	const int64_t blocks = blocks_of(ls_operation_describe(c->operation)->input, p);
	int64_t *operand = c->operation == LS_BROADCAST ? out : in;

	memset(out, -1, (size_t)p * c->words * sizeof *out);
	for (int64_t b = 0; b < blocks; b++) {
		for (size_t i = 0; i < c->words; i++)
			operand[(size_t)b * c->words + i] = operand_word(rank, b, i, c->salt);
	}

	const int failed = ls_collective(group, &call);

	if (!failed)
		check_result(c, p, rank, out);
	return failed;
}

#endif
