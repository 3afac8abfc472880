/*
 * Plans made of plans: the functions of an algorithm.
 */
#include "base/alloc.h"
#include "collective/compose/compose.h"

bool lsi_composed_supports(lsi_compose *compose, const struct lsi_problem *problem)
{
	struct lsi_composition c;

	c.part = NULL;
	c.counts = NULL;
	c.unpriced = true;
	return problem->nodes == 1 || lsi_compose_list(compose, problem, &c);
}

static struct lsi_frame frame_of(const struct lsi_problem *problem, const struct lsi_composition *c)
{
	struct lsi_frame frame = { .rounds = c->steps - c->locals,
		.locals = c->locals,
		.out_of_memory = c->out_of_memory,
		.blocks = c->cut || !lsi_operation_is_vector(problem->operation) ? problem->nodes : 1 };

	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
		frame.scratch[k] = c->scratch[k];
	return frame;
}

struct lsi_frame lsi_composed_frame(lsi_compose *compose, const struct lsi_problem *problem)
{
	struct lsi_composition c;

	c.part = NULL;
	c.counts = NULL;
	c.unpriced = false;
	lsi_compose_list(compose, problem, &c);
	return frame_of(problem, &c);
}

/* Make the plans of the parts; only a plan knows its complete frame. */
static int make_parts(struct lsi_composition *c)
{
	int status = LS_OK;

	for (int i = 0; status == LS_OK && i < c->parts; i++)
		status = lsi_plan_make_from(c->part[i].algorithm, &c->part[i].problem, &c->part[i].plan);
	return status;
}

int lsi_composed_prepare(lsi_compose *compose, struct ls_plan *plan)
{
	struct lsi_composition *c = lsi_alloc_zero(1, sizeof *c);

	plan->table = c;
	if (!c || !lsi_compose_list(compose, &plan->problem, c) || c->out_of_memory)
		return LS_ERR_MEMORY;
	c->part = lsi_alloc_zero((size_t)c->parts, sizeof *c->part);
	if (!c->part || !lsi_compose_list(compose, &plan->problem, c) || c->out_of_memory
		|| make_parts(c) != LS_OK || !lsi_compose_list(compose, &plan->problem, c)
		|| c->out_of_memory)
		return LS_ERR_MEMORY;
	for (int i = 0; i < c->parts; i++) {
		for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
			c->part[i].scratch[k].order = c->part[i].plan->frame.order;
	}
	plan->frame = frame_of(&plan->problem, c);
	return LS_OK;
}

void lsi_composed_release(struct ls_plan *plan)
{
	struct lsi_composition *c = plan->table;

	for (int i = 0; c && c->part && i < c->parts; i++)
		ls_plan_destroy(c->part[i].plan);
	if (c)
		lsi_free(c->part);
	lsi_free(c);
}

struct ls_counts lsi_composed_predict(
	lsi_compose *compose, const struct lsi_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };
	struct lsi_composition c;

	c.part = NULL;
	c.counts = &counts;
	c.n = n;
	c.unpriced = false;
	lsi_compose_list(compose, problem, &c);
	return c.out_of_memory ? (struct ls_counts){ -1, -1, -1, -1 } : counts;
}

struct ls_counts lsi_composed_predict_exactly(const struct ls_plan *plan, size_t n)
{
	const struct lsi_composition *c = plan->table;
	struct ls_counts sum = { 0 };
	bool even = true;

	for (int i = 0; i < c->parts; i++) {
		const struct lsi_part *part = &c->part[i];

		even &= n % part->divided == 0;
		lsi_counts_add(&sum, ls_plan_predict(part->plan, lsi_part_n(part, n)), part->lines);
	}
	if (!even) {
		/* Blocks differ in length; the formulas of the parts still hold for rounds and messages. */
		const struct ls_counts counted = lsi_plan_count(plan, n);

		sum.words = counted.words;
		sum.volume = counted.volume;
	}
	return sum;
}

/* ---- Steps */

static struct lsi_buffer_view *view_of(struct lsi_part *part, int buffer)
{
	if (buffer == LS_INPUT)
		return &part->input;
	if (buffer == LS_OUTPUT)
		return &part->output;
	return buffer >= LS_SCRATCH ? &part->scratch[buffer - LS_SCRATCH] : &part->arrival;
}

/* A plain run that stays one run in the whole. */
static bool is_simple(const struct ls_slice *slice, const struct lsi_buffer_view *s)
{
	return !slice->index && !slice->map[0] && !s->order && slice->cycle == 0 && s->each == 1
		&& s->outer == 1 && s->pitch == s->inner;
}

static bool is_same(const struct lsi_buffer_view *s)
{
	return s->unit == 0 && s->below == 0 && s->pitch == 1 && s->inner == 1 && s->outer == 1
		&& !s->order;
}

/* The blocks of the whole that a slice of the part stands for, seen from node u. */
static struct ls_slice translated(struct lsi_part *part, struct ls_slice slice, int64_t u)
{
	const struct lsi_buffer_view *s = view_of(part, slice.buffer);

	if (s != &part->arrival)
		slice.buffer = (uint8_t)s->buffer;
	if (is_same(s))
		return slice;
	if (!is_simple(&slice, s))
		return lsi_mapped(slice, &s->map, u);
	slice.first = lsi_buffer_view_base(s, u) + slice.first * s->pitch;
	slice.run *= s->inner;
	slice.stride *= s->pitch;
	return slice;
}

/* The part of a step; NULL: the last step of a composition that folds. */
static struct lsi_part *part_at(const struct ls_plan *plan, int64_t step)
{
	struct lsi_composition *c = plan->table;
	int i = c->parts - 1;

	if (c->folds && step == c->steps - 1)
		return NULL;
	while (c->part[i].first > step)
		i--;
	return &c->part[i];
}

static bool takes_part(const struct ls_plan *plan, const struct lsi_part *part, int64_t rank)
{
	return !part->rooted || rank % part->stride == plan->problem.root % part->stride;
}

static int64_t coordinate(const struct lsi_part *part, int64_t rank)
{
	return rank / part->stride % part->problem.nodes;
}

bool lsi_composed_is_local(const struct ls_plan *plan, int64_t step)
{
	const struct lsi_part *part = part_at(plan, step);

	return !part || ls_plan_is_local(part->plan, step - part->first);
}

bool lsi_composed_part(const struct ls_plan *plan, size_t index, struct ls_plan_part *out)
{
	const struct lsi_composition *c = plan->table;

	if (index >= (size_t)c->parts)
		return false;

	const struct lsi_part *part = &c->part[index];

	*out = (struct ls_plan_part){ .size = out->size,
		.operation = part->problem.operation,
		.algorithm = part->algorithm->name,
		.topology = part->problem.topology,
		.groups = part->lines,
		.first = part->first,
		.steps = ls_plan_steps(part->plan) };
	return true;
}

void lsi_composed_peers(
	const struct ls_plan *plan, int64_t rank, int64_t step, struct lsi_peers *peers)
{
	const struct lsi_part *part = part_at(plan, step);
	const int64_t c = coordinate(part, rank);

	if (!takes_part(plan, part, rank))
		return;
	lsi_plan_peers(part->plan, c, step - part->first, peers);
	for (int q = 0; q < LS_PORTS; q++) {
		if (peers->to[q] != LS_NO_RANK)
			peers->to[q] = rank + (peers->to[q] - c) * part->stride;
		if (peers->from[q] != LS_NO_RANK)
			peers->from[q] = rank + (peers->from[q] - c) * part->stride;
	}
}

/* The operands of the ranks up to this one, in an exscan below it; all in an all-reduce. */
static int64_t operands_of(const struct lsi_problem *problem, int64_t rank)
{
	if (problem->operation == LS_SCAN)
		return rank + 1;
	return problem->operation == LS_EXSCAN ? rank : problem->nodes;
}

/* OUTPUT := the sum of the operands that this node needs.  A scratch buffer has them. */
static void fold(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	const struct lsi_composition *c = plan->table;
	const int64_t operands = operands_of(&plan->problem, rank);

	if (operands > 0)
		lsi_step_fold(
			step, lsi_block(LS_OUTPUT, 0), lsi_blocks(c->part[0].output.buffer, 0, operands));
}

void lsi_composed_body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	struct lsi_part *part = part_at(plan, step);

	if (!part) {
		fold(plan, rank, out);
		return;
	}
	if (!takes_part(plan, part, rank))
		return;
	ls_plan_step(part->plan, coordinate(part, rank), step - part->first, out);
	for (int q = 0; q < out->ports; q++) {
		if (out->to[q] != LS_NO_RANK)
			out->send[q] = translated(part, out->send[q], rank);
		out->arrives[q] *= part->width;
	}
	for (int i = 0; i < out->n_moves; i++) {
		struct ls_move *move = &out->move[i];

		move->dst = translated(part, move->dst, rank);
		move->a = translated(part, move->a, rank);
		if (move->action == LS_COMBINE)
			move->b = translated(part, move->b, rank);
	}
}
