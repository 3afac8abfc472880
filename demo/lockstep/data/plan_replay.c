/*
 * The terms that results contain are evaluated once each, block by block, and strip by strip.
 */
#include "data/plan_replay.h"

#include "base/messages.h"
#include "data/operand_shape.h"
#include "data/plan_terms.h"

#include <stdlib.h>
#include <string.h>

/* Limits: elements combined; bytes of results. */
enum { COMBINED_MOST = 1 << 28, BYTES_MOST = 1 << 28 };
enum { STRIP = 256, STRIP_ELEMENTS = 1 << 21 };

struct evaluation {
	const struct plan_terms *terms;
	const struct operands *operands;
	ls_op op;
	size_t memory;        /* bytes for strips and results */
	int32_t *head, *next; /* the combinations that results contain, as a list for each block */
	int32_t *slot;        /* of each combination: its strip */
	size_t *count;        /* combinations of each block */
	unsigned char *strips, *operand[2];
};

/* The elements of a block that are evaluated together. */
struct strip {
	int64_t block;
	size_t column, n; /* of the operands */
	size_t width;     /* elements from strip to strip */
};

static size_t cut(const struct evaluation *e, int64_t block)
{
	const size_t n = e->operands->count;

	return e->terms->scatters ? n * (size_t)block : elements_before(n, e->terms->set.blocks, block);
}

static size_t length_of(const struct evaluation *e, int64_t block)
{
	return cut(e, block + 1) - cut(e, block);
}

/* ---- Combinations that results contain */

static void need(const struct evaluation *e, int32_t term, bool *is_needed)
{
	if (term != NO_TERM && combination_of(&e->terms->set, term))
		is_needed[term - e->terms->set.operands] = true;
}

/* From the last one back, so that each list has ascending numbers. */
static void find_needed(struct evaluation *e)
{
	const struct plan_terms *terms = e->terms;
	bool *is_needed =
		require_memory(calloc((size_t)terms->set.combinations + 1, sizeof *is_needed));

	for (int64_t b = 0; b < terms->set.blocks; b++) {
		e->head[b] = -1;
		for (int64_t row = 0; row < terms->rows && !terms->scatters; row++)
			need(e, result_term(terms, row, b), is_needed);
		if (terms->scatters)
			need(e, result_term(terms, b, b), is_needed);
	}
	for (int32_t i = terms->set.combinations - 1; i >= 0; i--) {
		const struct combination *combination = &terms->set.combination[i];

		if (!is_needed[i])
			continue;
		need(e, combination->left, is_needed);
		need(e, combination->right, is_needed);
		e->next[i] = e->head[combination->block];
		e->head[combination->block] = i;
		e->slot[i] = (int32_t)e->count[combination->block]++;
	}
	free(is_needed);
}

/* One strip for each combination of a block, and a spare one. */
static size_t strips_of(const struct evaluation *e, int64_t block)
{
	return e->count[block] + 1;
}

static size_t width_of(const struct evaluation *e, int64_t block)
{
	const size_t most = STRIP_ELEMENTS / strips_of(e, block) + 1;

	return most < STRIP ? most : STRIP;
}

static bool fits(const struct evaluation *e)
{
	const struct element element = e->operands->element;
	const size_t results = matrix_bytes(element, e->terms->rows, e->operands->count);
	size_t combined = 0, strips = 0;

	for (int64_t b = 0; b < e->terms->set.blocks && combined <= COMBINED_MOST; b++) {
		const size_t bytes = strips_of(e, b) * width_of(e, b) * element.bytes;

		combined += e->count[b] * length_of(e, b);
		strips = bytes > strips ? bytes : strips;
	}
	return combined <= COMBINED_MOST && results <= BYTES_MOST && results + strips <= e->memory;
}

/* ---- Evaluation */

static unsigned char *strip_at(
	const struct evaluation *e, const struct strip *strip, int32_t combination)
{
	return e->strips + (size_t)e->slot[combination] * strip->width * e->operands->element.bytes;
}

/* Elements of a term; operand: memory for those of an operand. */
static const unsigned char *elements_of(
	const struct evaluation *e, const struct strip *strip, int32_t term, unsigned char *operand)
{
	const struct plan_terms *terms = e->terms;

	if (combination_of(&terms->set, term))
		return strip_at(e, strip, (int32_t)(term - terms->set.operands));
	operands_put(e->operands, term / terms->set.blocks, strip->column, strip->n, operand);
	return operand;
}

static void copy_result(
	const struct evaluation *e, const struct strip *strip, int64_t row, struct matrix *out)
{
	const int32_t term = result_term(e->terms, row, strip->block);
	const size_t first = e->terms->scatters ? cut(e, strip->block) : 0;

	if (term != NO_TERM)
		memcpy(matrix_at(out, row, strip->column - first),
			elements_of(e, strip, term, e->operand[0]), strip->n * out->element.bytes);
}

static void evaluate_strip(
	const struct evaluation *e, const struct strip *strip, struct matrix *out)
{
	for (int32_t i = e->head[strip->block]; i >= 0; i = e->next[i]) {
		const struct combination *combination = &e->terms->set.combination[i];

		elements_combine(&e->operands->element, e->op, strip->n,
			elements_of(e, strip, combination->left, e->operand[0]),
			elements_of(e, strip, combination->right, e->operand[1]), strip_at(e, strip, i));
	}
	if (e->terms->scatters)
		copy_result(e, strip, strip->block, out);
	for (int64_t row = 0; row < out->rows && !e->terms->scatters; row++)
		copy_result(e, strip, row, out);
}

static void evaluate_block(struct evaluation *e, int64_t block, struct matrix *out)
{
	const size_t end = cut(e, block + 1), width = width_of(e, block);

	e->strips = require_memory(malloc(strips_of(e, block) * width * e->operands->element.bytes));
	for (size_t at = cut(e, block); at < end; at += width) {
		const struct strip strip = { block, at, end - at < width ? end - at : width, width };

		evaluate_strip(e, &strip, out);
	}
	free(e->strips);
}

static struct matrix evaluate_results(struct evaluation *e)
{
	struct matrix out = { .memory = NULL };

	find_needed(e);
	if (!fits(e))
		return out;
	out = matrix_make(e->operands->element, e->terms->rows, e->operands->count);
	for (int64_t b = 0; b < e->terms->set.blocks; b++)
		if (length_of(e, b) > 0)
			evaluate_block(e, b, &out);
	return out;
}

static struct matrix replay(
	const struct plan_terms *terms, ls_op op, const struct operands *operands, size_t memory)
{
	const size_t blocks = (size_t)terms->set.blocks,
				 combinations = (size_t)terms->set.combinations + 1;
	struct evaluation e = { .terms = terms, .operands = operands, .op = op, .memory = memory };
	struct matrix out;

	e.head = require_memory(calloc(blocks, sizeof *e.head));
	e.count = require_memory(calloc(blocks, sizeof *e.count));
	e.next = require_memory(calloc(combinations, sizeof *e.next));
	e.slot = require_memory(calloc(combinations, sizeof *e.slot));
	for (int i = 0; i < 2; i++)
		e.operand[i] = require_memory(calloc(STRIP, operands->element.bytes));
	out = evaluate_results(&e);
	for (int i = 0; i < 2; i++)
		free(e.operand[i]);
	free(e.head);
	free(e.count);
	free(e.next);
	free(e.slot);
	return out;
}

/* The terms may take one half of the memory, the results the other. */
struct matrix plan_replay(
	const ls_plan *plan, ls_op op, const struct operands *operands, size_t memory)
{
	struct matrix out = { .memory = NULL };
	struct plan_terms terms;

	if (!combines(ls_plan_operation(plan)) || !depends_on_order(&operands->element, op))
		return out;
	if (plan_terms_make(plan, memory / 2, &terms))
		out = replay(&terms, op, operands, memory / 2);
	plan_terms_destroy(&terms);
	return out;
}
