/*
 * Rows of operands and results of a sweep, with guard bytes between them.
 */
#ifndef LOCKSTEP_TEST_WHOLE_ROWS_H
#define LOCKSTEP_TEST_WHOLE_ROWS_H

#include "support/whole.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <lockstep/collective.h>
#include "plan/storage.h"
#include "support/guard.h"
#include "support/world_sweep.h"
#include "test.h"

enum { BESIDE = 0xee }; /* guard bytes, which no call may change */

/* ---- Rows of a sweep */

/* An array of rows, and how it was. */
struct array {
	char *at, *before;
	size_t row, stride, rows;
};

struct swept {
	struct whole *whole;
	const struct way *way;
	struct array input, output;
	struct messages traced;
	char *taken;       /* results of all ranks, each in the place of `output` */
	atomic_int *takes; /* how often the result of each rank was */
};

static size_t elements(const struct whole *w, enum ls_buffer_form share)
{
	return share == LS_BLOCKS ? (size_t)w->load.p * w->job->count : w->job->count;
}

/* In place the many blocks that a reduce-scatter takes are given in the rows of results. */
static bool is_swapped(const struct whole *w)
{
	return w->job->in_place && w->job->operation == LS_REDUCE_SCATTER;
}

static size_t row_bytes(const struct whole *w, bool input)
{
	const struct ls_operation_info *info = ls_operation_describe(w->job->operation);

	return elements(w, input ? info->input : info->output) * w->job->element->size;
}

static struct array array_of(const struct whole *w, bool input, bool wide)
{
	const struct ls_operation_info *info = ls_operation_describe(w->job->operation);
	const bool alone = input ? info->from_root : info->at_root;
	struct array a = { .rows = alone ? 1 : (size_t)w->load.p,
		.row = row_bytes(w, input || is_swapped(w)) };

	a.stride = a.row + (wide ? 5 * w->job->element->size : 0);
	a.at = memory(a.rows, a.stride);
	a.before = memory(a.rows, a.stride);
	memset(a.at, BESIDE, a.rows * a.stride);
	return a;
}

static bool has(const struct whole *w, int64_t rank, int buffer)
{
	return w->job->operation != LS_BARRIER && lsi_storage_has(w->plan, rank, buffer);
}

static size_t own_block(const struct whole *w, int64_t rank)
{
	return (size_t)rank * w->job->count * w->job->element->size;
}

/* Does a node have operand and result in one place? */
static bool shares(const struct whole *w, int64_t rank)
{
	return w->job->in_place && has(w, rank, LS_INPUT) && has(w, rank, LS_OUTPUT);
}

/* Bytes from the beginning of an array to the operand of a rank, or to its result. */
static size_t offset_of(const struct array *a, int64_t rank)
{
	return a->rows == 1 ? 0 : (size_t)rank * a->stride;
}

static char *operand_at(const struct swept *s, int64_t rank)
{
	const struct whole *w = s->whole;
	const enum ls_operation operation = w->job->operation;

	if (!shares(w, rank) || operation == LS_SCATTER)
		return s->input.at + offset_of(&s->input, rank);
	return s->output.at + offset_of(&s->output, rank)
		+ (lsi_operation_gathers(operation) ? own_block(w, rank) : 0);
}

static char *result_at(const struct swept *s, int64_t rank)
{
	return s->output.at + offset_of(&s->output, rank)
		+ (is_swapped(s->whole) ? own_block(s->whole, rank) : 0);
}

/* Has the sweep no array of results?  In place operands that are not made lie in one. */
static bool keeps_results(const struct swept *s)
{
	return s->way->takes && (s->way->makes || !s->whole->job->in_place);
}

static bool lies_in(const struct array *a, const char *at)
{
	return at >= a->at && at < a->at + a->rows * a->stride;
}

/* Is it this process that has the rows of a node? */
static bool is_local(const struct swept *s, int64_t rank)
{
	const ls_topology *t = s->whole->plan->problem.topology;
	ls_world *world = s->way->processes ? launched_world() : NULL;
	const int n = ls_world_processes(world), i = ls_world_process(world);

	return rank >= ls_first_rank(t, n, i) && rank < ls_first_rank(t, n, i + 1);
}

static void fill(struct swept *s)
{
	const size_t bytes = row_bytes(s->whole, true);

	for (int64_t r = 0; r < s->whole->load.p; r++) {
		if (!s->way->makes && has(s->whole, r, LS_INPUT) && bytes > 0)
			memcpy(operand_at(s, r), s->whole->load.given[r], bytes);
	}
	memcpy(s->input.before, s->input.at, s->input.rows * s->input.stride);
	memcpy(s->output.before, s->output.at, s->output.rows * s->output.stride);
	/* In place they are made where the results will be. */
	for (int64_t r = 0; r < s->whole->load.p; r++) {
		const char *at = operand_at(s, r);

		if (s->way->makes && !keeps_results(s) && shares(s->whole, r) && !lies_in(&s->input, at)
			&& is_local(s, r))
			memcpy(s->output.before + (at - s->output.at), s->whole->load.given[r], bytes);
	}
}

static void array_free(struct array *a)
{
	free(a->at);
	free(a->before);
}

/* Nothing but results has changed. */
static void check_beside(const struct swept *s)
{
	for (int64_t r = 0; r < s->whole->load.p && !keeps_results(s); r++) {
		const char *at = result_at(s, r);

		if (s->whole->load.memory[r].result > 0 && is_local(s, r))
			memcpy(s->output.before + (at - s->output.at), at, s->whole->load.memory[r].result);
	}
	CHECK(!memcmp(s->input.at, s->input.before, s->input.rows * s->input.stride),
		"%s: operands were written", guarded());
	CHECK(!memcmp(s->output.at, s->output.before, s->output.rows * s->output.stride),
		"%s: written beside results", guarded());
}

#endif
