/*
 * An independent replay: every block is a set of ranks, as bits, and a real number.  It shares no
 * code with the checker.
 *
 * The operator is neither commutative nor associative, so a number shows the whole expression.
 */
#ifndef LOCKSTEP_TEST_BIT_REPLAY_H
#define LOCKSTEP_TEST_BIT_REPLAY_H

#include <string.h>

#include <lockstep/plan.h>

#include "plan/plan_internal.h"
#include "support/guard.h"
#include "test.h"

/* What a block holds; ranks 0: nothing. */
struct bits {
	uint64_t ranks;
	int64_t block;       /* of INPUT */
	int64_t first, last; /* of the contributions in their order */
	bool ordered, repeated;
	double number;
};

struct bit_replay {
	const struct ls_plan *plan;
	int64_t nodes, first[LS_BUFFERS + 1]; /* of each buffer in the blocks of a node */
	struct bits *now, *before;            /* before: when the last step began */
	int64_t steps, combinations;
};

static inline double operand_number(int64_t rank, int64_t block)
{
	return (double)(rank + 1) + (double)block / 64;
}

static inline double combine_numbers(double a, double b)
{
	return 0.75 * a - b / 3;
}

static inline struct bits combine_bits(struct bits a, struct bits b)
{
	return (struct bits){ .ranks = a.ranks | b.ranks,
		.block = a.block,
		.first = a.first,
		.last = b.last,
		.ordered = a.ordered && b.ordered && a.last + 1 == b.first,
		.repeated = a.repeated || b.repeated || (a.ranks & b.ranks),
		.number = combine_numbers(a.number, b.number) };
}

/* ---- Storage */

static inline bool has_buffer(const struct bit_replay *r, int64_t node, int buffer)
{
	const struct ls_operation_info *info = ls_operation_describe(r->plan->problem.operation);

	return node == r->plan->problem.root
		|| !((buffer == LS_INPUT && info->from_root) || (buffer == LS_OUTPUT && info->at_root));
}

/* In place, INPUT and OUTPUT are one memory; the shorter one is a block of the longer one. */
static inline void place(const struct bit_replay *r, int64_t node, int *buffer, int64_t *block)
{
	const enum ls_operation operation = r->plan->problem.operation;

	if (*buffer >= LS_SCRATCH)
		*block %= r->plan->frame.scratch[*buffer - LS_SCRATCH].slots;
	if (*buffer != LS_OUTPUT || !r->plan->problem.in_place || !has_buffer(r, node, LS_INPUT)
		|| !has_buffer(r, node, LS_OUTPUT))
		return;
	if (operation == LS_ALLGATHER || operation == LS_GATHER) {
		if (*block != node)
			return;
		*block = 0;
	} else if (operation == LS_REDUCE_SCATTER || operation == LS_SCATTER) {
		*block = node;
	}
	*buffer = LS_INPUT;
}

static inline struct bits *bits_at(
	const struct bit_replay *r, struct bits *memory, int64_t node, int buffer, int64_t block)
{
	place(r, node, &buffer, &block);
	return &memory[node * r->first[LS_BUFFERS] + r->first[buffer] + block];
}

static inline int64_t blocks_of(const struct ls_plan *plan, int buffer)
{
	const struct ls_operation_info *info = ls_operation_describe(plan->problem.operation);
	const enum ls_buffer_form form = buffer == LS_INPUT ? info->input : info->output;

	if (buffer >= LS_SCRATCH)
		return plan->frame.scratch[buffer - LS_SCRATCH].slots;
	if (buffer >= LS_ARRIVAL)
		return 0;
	return form == LS_VECTOR ? plan->frame.blocks : form == LS_BLOCK ? 1 : plan->problem.nodes;
}

static inline struct bit_replay bit_replay_make(const struct ls_plan *plan)
{
	struct bit_replay r = { .plan = plan, .nodes = plan->problem.nodes };

	CHECK(r.nodes <= 64, "%lld nodes", (long long)r.nodes);
	for (int b = 0; b < LS_BUFFERS; b++)
		r.first[b + 1] = r.first[b] + blocks_of(plan, b);
	r.now = memory((size_t)(r.nodes * r.first[LS_BUFFERS]), sizeof *r.now);
	r.before = memory((size_t)(r.nodes * r.first[LS_BUFFERS]), sizeof *r.before);
	for (int64_t u = 0; u < r.nodes; u++)
		for (int64_t b = 0; b < blocks_of(plan, LS_INPUT) && has_buffer(&r, u, LS_INPUT); b++)
			*bits_at(&r, r.now, u, LS_INPUT, b) = (struct bits){ .ranks = (uint64_t)1 << u,
				.block = b,
				.first = u,
				.last = u,
				.ordered = true,
				.number = operand_number(u, b) };
	return r;
}

static inline void bit_replay_end(struct bit_replay *r)
{
	free(r->now);
	free(r->before);
}

/* ---- Steps */

/* The slice that a node sends to another one in a step. */
static inline struct ls_slice slice_sent(
	const struct ls_plan *plan, int64_t from, int64_t to, int64_t step)
{
	struct ls_step sender;
	int q = 0;

	ls_plan_step(plan, from, step, &sender);
	while (sender.to[q] != to)
		q++;
	return sender.send[q];
}

static inline struct bits operand_bits(const struct bit_replay *r, int64_t node,
	const struct ls_step *step, const struct ls_slice *slice, int64_t k)
{
	const int64_t block = ls_slice_at(slice, k);

	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		return *bits_at(r, r->now, node, slice->buffer, block);

	const int64_t from = step->from[slice->buffer - LS_ARRIVAL];
	const struct ls_slice sent = slice_sent(r->plan, from, node, r->steps);

	return *bits_at(r, r->before, from, sent.buffer, ls_slice_at(&sent, block));
}

static inline void apply_move(
	struct bit_replay *r, int64_t node, const struct ls_step *step, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = 0; k < blocks; k++) {
		struct bits bits = operand_bits(r, node, step, &move->a, k);

		for (int64_t i = k + blocks; move->action == LS_FOLD && i < ls_slice_blocks(&move->a);
			 i += blocks, r->combinations++)
			bits = combine_bits(bits, operand_bits(r, node, step, &move->a, i));
		if (move->action == LS_COMBINE) {
			bits = combine_bits(bits, operand_bits(r, node, step, &move->b, k));
			r->combinations++;
		}
		*bits_at(r, r->now, node, move->dst.buffer, ls_slice_at(&move->dst, k)) = bits;
	}
}

static inline void bit_replay_step(struct bit_replay *r)
{
	struct ls_step step;

	memcpy(r->before, r->now, (size_t)(r->nodes * r->first[LS_BUFFERS]) * sizeof *r->now);
	for (int64_t u = 0; u < r->nodes; u++) {
		ls_plan_step(r->plan, u, r->steps, &step);
		for (int i = 0; i < step.n_moves; i++)
			apply_move(r, u, &step, &step.move[i]);
	}
	r->steps++;
}

#endif
