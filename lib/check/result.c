/*
 * Law 5: the values that nodes hold at the end.
 *
 * Every block of OUTPUT must be an expression over exactly the contributions of lsi_plan_expected.
 * The claim of the algorithm limits the form of the expression:
 *
 *   LS_ORDERED       each contribution once, in rank order
 *   LS_COMMUTATIVE   each once, in any order
 *   LS_IDEMPOTENT    each at least once
 */
#include "base/alloc.h"
#include "check/checker.h"
#include "plan/expected.h"
#include "topology/rank_text.h"
#include "plan/storage.h"

/* One block of OUTPUT at the end. */
struct result_block {
	struct lsi_checker *c;
	int64_t node, block;
	lsi_value value;
};

#define BROKEN(...) lsi_check_fail(s->c, LS_LAW_RESULT, violation_at(s), __VA_ARGS__)

/* Whether a node writes a block of OUTPUT in a step. */
static bool writes_block(const struct result_block *s, const struct ls_step *actions)
{
	bool writes = false;

	for (int m = 0; m < actions->n_moves; m++) {
		const struct ls_move *move = &actions->move[m];
		const bool counts =
			move->dst.buffer == LS_OUTPUT && !lsi_storage_is_noop(s->c->plan, s->node, move);

		for (int64_t k = 0; counts && k < ls_slice_blocks(&move->dst); k++)
			writes |= ls_slice_at(&move->dst, k) == s->block;
	}
	return writes;
}

/* The last step that writes the block: the reader of a message looks there.  -1: none. */
static int64_t last_write(const struct result_block *s)
{
	for (int64_t step = ls_plan_steps(s->c->plan) - 1; step >= 0; step--) {
		struct ls_step actions;

		ls_plan_step(s->c->plan, s->node, step, &actions);
		if (writes_block(s, &actions))
			return step;
	}
	return -1;
}

static struct lsi_violation_at violation_at(const struct result_block *s)
{
	return (struct lsi_violation_at){ s->node, -1, last_write(s), -1 };
}

/* A block that the operation leaves unchanged, as rank 0 in an exscan: no move may write it. */
static int check_untouched(const struct result_block *s)
{
	const struct ls_plan *plan = s->c->plan;
	const bool holds_input = plan->problem.in_place && lsi_storage_has(plan, s->node, LS_INPUT);
	const lsi_value before =
		holds_input ? lsi_expression_leaf(&s->c->values, s->node, s->block) : LSI_UNDEFINED;

	if (s->value != before)
		return BROKEN(
			"writes OUTPUT[%lld], which the operation leaves unchanged", (long long)s->block);
	return LS_OK;
}

/* The contributions that a block of the result must have, and does not. */
static struct lsi_rank_text missing_ranks(const struct result_block *s)
{
	const struct lsi_expected_block expected = lsi_plan_expected(s->c->plan, s->node, s->block);
	const int64_t end = expected.first + expected.count;
	struct lsi_rank_text missing = { .text = "" };
	struct lsi_contents held = { .holding = LSI_HOLDS_FINGERPRINT }; /* no runs */
	struct lsi_run run;

	if (s->value != LSI_UNDEFINED)
		held = lsi_expression_contents(&s->c->values, s->value);
	for (int64_t rank = expected.first; rank < end; rank = run.last + 1) {
		if (!lsi_contents_run(&held, s->c->nodes, rank, &run))
			run = (struct lsi_run){ end, end };
		for (; rank < run.first && rank < end; rank++)
			lsi_rank_text_add(&missing, rank);
	}
	return missing;
}

/* Whether a node lacks a contribution to a block of its result. */
static bool is_incomplete(const struct result_block *s)
{
	const struct lsi_expected_block expected = lsi_plan_expected(s->c->plan, s->node, s->block);
	struct lsi_difference difference;

	if (expected.count == 0)
		return false;
	return s->value == LSI_UNDEFINED
		|| (!lsi_expression_is(&s->c->values, s->value, expected.first, expected.count, &difference)
			&& difference.lacks >= 0);
}

/* All nodes whose results lack contributions. */
static struct lsi_rank_text incomplete_nodes(struct lsi_checker *c)
{
	const int64_t blocks = lsi_buffer_blocks(c->plan, LS_OUTPUT);
	struct lsi_rank_text nodes = { .text = "" };

	for (int64_t u = 0; u < c->nodes; u++) {
		bool lacks = false;

		for (int64_t b = 0; b < blocks && !lacks && lsi_storage_has(c->plan, u, LS_OUTPUT); b++) {
			const struct result_block s = { c, u, b, lsi_check_value(c, u, LS_OUTPUT, b) };

			lacks = is_incomplete(&s);
		}
		if (lacks)
			lsi_rank_text_add(&nodes, u);
	}
	return nodes;
}

/* Whether only the fingerprint of a value is known. */
static bool is_unknown(const struct result_block *s)
{
	return s->value != LSI_UNDEFINED
		&& lsi_expression_contents(&s->c->values, s->value).holding == LSI_HOLDS_FINGERPRINT;
}

/*
 * Fail with all contributions that the block lacks, and all nodes that lack any.  `lacks` is one
 * of them, the only known one if the contents are a fingerprint.
 */
static int report_missing(const struct result_block *s, int64_t lacks)
{
	struct lsi_rank_text missing = missing_ranks(s), nodes = incomplete_nodes(s->c);
	const char *verb = s->value == LSI_UNDEFINED ? "was never written; it must have" : "lacks";
	const char *plural = missing.count > 1 ? "s" : "";
	const char *ranks = lsi_rank_text_end(&missing);

	if (is_unknown(s))
		return BROKEN("OUTPUT[%lld] lacks the contribution of node %lld", (long long)s->block,
			(long long)lacks);
	if (nodes.count < 2)
		return BROKEN("OUTPUT[%lld] %s the contribution%s of node%s %s", (long long)s->block, verb,
			plural, plural, ranks);
	return BROKEN("OUTPUT[%lld] %s the contribution%s of node%s %s; incomplete nodes: %s",
		(long long)s->block, verb, plural, plural, ranks, lsi_rank_text_end(&nodes));
}

/* Fail with ranks that are missing, or with one in excess, if they are known. */
static int report_difference(const struct result_block *s, struct lsi_difference difference)
{
	const long long block = s->block;

	if (difference.lacks >= 0)
		return report_missing(s, difference.lacks);
	if (difference.excess >= 0)
		return BROKEN("OUTPUT[%lld] contains the contribution of node %lld, which does not belong "
					  "there",
			block, (long long)difference.excess);
	return BROKEN(
		"the fingerprint of OUTPUT[%lld] differs from that of the expected result", block);
}

/*
 * Fingerprints count repetitions, which idempotent plans may have: check_unions compares instead.
 */
static bool compares_unions(const struct lsi_checker *c)
{
	return ls_plan_claim(c->plan) == LS_IDEMPOTENT && c->values.by_fingerprint;
}

/* The ranks in the value, how often, their order, and their block of INPUT. */
static int check_contributions(const struct result_block *s, struct lsi_expected_block expected)
{
	const struct lsi_expressions *e = &s->c->values;
	const enum ls_claim claim = ls_plan_claim(s->c->plan);
	const struct lsi_contents held = lsi_expression_contents(e, s->value);
	const long long block = s->block;
	struct lsi_difference difference;

	if (!compares_unions(s->c)
		&& !lsi_expression_is(e, s->value, expected.first, expected.count, &difference))
		return report_difference(s, difference);
	if (held.twice >= 0 && claim != LS_IDEMPOTENT)
		return BROKEN("OUTPUT[%lld] contains the contribution of node %lld twice", block,
			(long long)held.twice);
	if (!held.ordered && claim >= LS_ORDERED)
		return BROKEN("OUTPUT[%lld] is not in rank order", block);
	if (lsi_expression_block(e, s->value) != expected.block)
		return BROKEN("OUTPUT[%lld] holds block %lld, not block %lld", block,
			(long long)lsi_expression_block(e, s->value), (long long)expected.block);
	s->c->out->ordered &= held.ordered;
	return LS_OK;
}

static int check_block(const struct result_block *s)
{
	const struct lsi_expected_block expected = lsi_plan_expected(s->c->plan, s->node, s->block);

	if (expected.count == 0)
		return check_untouched(s);
	if (s->value == LSI_UNDEFINED)
		return report_missing(s, expected.first);
	return check_contributions(s, expected);
}

static bool is_same(struct lsi_expected_block a, struct lsi_expected_block b)
{
	return a.first == b.first && a.count == b.count && a.block == b.block;
}

/* One block at every node.  A value that equals that of the last node needs no second check. */
static int check_everywhere(struct lsi_checker *c, int64_t block)
{
	int64_t checked = -1; /* the last node that was checked */
	lsi_value value = LSI_UNDEFINED;

	for (int64_t u = 0; u < c->nodes; u++) {
		if (!lsi_storage_has(c->plan, u, LS_OUTPUT))
			continue;

		const struct result_block s = { c, u, block, lsi_check_value(c, u, LS_OUTPUT, block) };

		const bool alike = checked >= 0
			&& is_same(
				lsi_plan_expected(c->plan, u, block), lsi_plan_expected(c->plan, checked, block));

		if (alike && s.value == value)
			continue;

		const int status = check_block(&s);

		if (status != LS_OK)
			return status;
		if (alike && s.value != value) {
			c->out->identical = false;
			if (c->plan->algorithm->identical)
				return lsi_check_fail(c, LS_LAW_RESULT, violation_at(&s),
					"OUTPUT[%lld] is not the same expression as at node %lld", (long long)block,
					(long long)checked);
		}
		checked = u;
		value = s.value;
	}
	return LS_OK;
}

/* The ranks first .. first + count - 1 among the 64 ranks of a word, as bits. */
static uint64_t rank_bits(int64_t word, int64_t first, int64_t count)
{
	uint64_t bits = 0;

	for (int64_t r = 64 * word; r < 64 * (word + 1); r++)
		bits |= (uint64_t)(r >= first && r < first + count) << (r % 64);
	return bits;
}

/* Law 5 for 64 ranks of one value; `held` has a bit for each rank in it. */
static int compare(const struct result_block *s, int64_t word, uint64_t held)
{
	const struct lsi_expected_block w = lsi_plan_expected(s->c->plan, s->node, s->block);
	const uint64_t expected = rank_bits(word, w.first, w.count);
	struct lsi_difference difference = { -1, -1 };

	if (held == expected || w.count == 0)
		return LS_OK;
	if (expected & ~held)
		difference.lacks = 64 * word + __builtin_ctzll(expected & ~held);
	else
		difference.excess = 64 * word + __builtin_ctzll(held & ~expected);
	return report_difference(s, difference);
}

/* Every result holds each expected rank at least once: exact, 64 ranks at a time. */
static int check_unions(struct lsi_checker *c)
{
	const int64_t blocks = lsi_buffer_blocks(c->plan, LS_OUTPUT);
	uint64_t *held = lsi_alloc(lsi_expressions_count(&c->values) * sizeof *held);
	int status = held ? LS_OK : LS_ERR_MEMORY;

	for (int64_t word = 0; status == LS_OK && 64 * word < c->nodes; word++) {
		lsi_expressions_unite(&c->values, word, held);
		for (int64_t i = 0; status == LS_OK && i < c->nodes * blocks; i++) {
			const int64_t u = i / blocks, b = i % blocks;
			const struct result_block s = { c, u, b, lsi_check_value(c, u, LS_OUTPUT, b) };

			if (lsi_storage_has(c->plan, u, LS_OUTPUT))
				status = compare(&s, word, held[s.value]);
		}
	}
	lsi_free(held);
	c->values.by_fingerprint = false;
	return status;
}

int lsi_check_results(struct lsi_checker *c)
{
	const int64_t blocks = lsi_buffer_blocks(c->plan, LS_OUTPUT);
	int status = LS_OK;

	for (int64_t b = 0; status == LS_OK && b < blocks; b++)
		status = check_everywhere(c, b);
	return status == LS_OK && compares_unions(c) ? check_unions(c) : status;
}
