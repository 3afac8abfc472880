/* Plans made of plans: the functions of an algorithm. */
#include "base/alloc.h"
#include "collective/compose.h"

bool ls_composed_supports(ls_compose *compose, const struct ls_problem *problem)
{
	struct ls_composition c;

	c.part = NULL;
	c.counts = NULL;
	return problem->nodes == 1 || ls_compose_list(compose, problem, &c);
}

static struct ls_frame frame_of(const struct ls_problem *problem, const struct ls_composition *c)
{
	struct ls_frame frame = { .rounds = c->steps - c->locals, .locals = c->locals,
		.blocks = c->cut || !ls_operation_is_vector(problem->operation) ? problem->nodes : 1 };

	for (int k = 0; k < LS_SCRATCHES; k++)
		frame.scratch[k] = c->scratch[k];
	return frame;
}

struct ls_frame ls_composed_frame(ls_compose *compose, const struct ls_problem *problem)
{
	struct ls_composition c;

	c.part = NULL;
	c.counts = NULL;
	ls_compose_list(compose, problem, &c);
	return frame_of(problem, &c);
}

/* The parts with their plans: only these know their frames. */
static int make_parts(struct ls_composition *c)
{
	int status = LS_OK;

	for (int i = 0; status == LS_OK && i < c->parts; i++)
		status = ls_plan_from(c->part[i].algorithm, &c->part[i].problem, &c->part[i].plan);
	return status;
}

int ls_composed_prepare(ls_compose *compose, struct ls_plan *plan)
{
	struct ls_composition *c = ls_alloc_zero(1, sizeof *c);

	plan->table = c;
	if (!c || !ls_compose_list(compose, &plan->problem, c) || c->starved)
		return LS_ERR_MEMORY;
	c->part = ls_alloc_zero((size_t)c->parts, sizeof *c->part);
	if (!c->part || !ls_compose_list(compose, &plan->problem, c) || make_parts(c) != LS_OK
			|| !ls_compose_list(compose, &plan->problem, c) || c->starved)
		return LS_ERR_MEMORY;
	for (int i = 0; i < c->parts; i++) {
		for (int k = 0; k < LS_SCRATCHES; k++)
			c->part[i].scratch[k].order = c->part[i].plan->frame.order;
	}
	plan->frame = frame_of(&plan->problem, c);
	return LS_OK;
}

void ls_composed_release(struct ls_plan *plan)
{
	struct ls_composition *c = plan->table;

	for (int i = 0; c && c->part && i < c->parts; i++)
		ls_plan_destroy(c->part[i].plan);
	if (c)
		ls_free(c->part);
	ls_free(c);
}

struct ls_counts ls_composed_predict(ls_compose *compose, const struct ls_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };
	struct ls_composition c;

	c.part = NULL;
	c.counts = &counts;
	c.n = n;
	ls_compose_list(compose, problem, &c);
	return c.starved ? (struct ls_counts){ -1, -1, -1, -1 } : counts;
}

struct ls_counts ls_composed_predict_exactly(const struct ls_plan *plan, size_t n)
{
	const struct ls_composition *c = plan->table;
	struct ls_counts sum = { 0 };
	bool even = true;

	for (int i = 0; i < c->parts; i++) {
		const struct ls_part *part = &c->part[i];

		even &= n % part->divided == 0;
		ls_counts_add(&sum, ls_plan_predicted(part->plan, ls_part_n(part, n)), part->lines);
	}
	if (!even) {
		/* Blocks differ in length: the formulas of the parts hold for rounds and messages. */
		const struct ls_counts counted = ls_plan_counted(plan, n);

		sum.words = counted.words;
		sum.volume = counted.volume;
	}
	return sum;
}

/* Steps --------------------------------------------------------------------------------------- */

static struct ls_seat *seat_of(struct ls_part *part, int buffer)
{
	if (buffer == LS_INPUT)
		return &part->input;
	if (buffer == LS_OUTPUT)
		return &part->output;
	return buffer >= LS_SCRATCH ? &part->scratch[buffer - LS_SCRATCH] : &part->arrival;
}

/* A plain run that stays one in the whole. */
static bool is_simple(const struct ls_slice *slice, const struct ls_seat *s)
{
	return !slice->index && !slice->naming[0] && !s->order && slice->cycle == 0 && s->each == 1
		&& s->outer == 1 && s->pitch == s->inner;
}

static bool is_same(const struct ls_seat *s)
{
	return s->unit == 0 && s->below == 0 && s->pitch == 1 && s->inner == 1 && s->outer == 1 && !s->order;
}

/* A slice of the part as node u names it in the whole. */
static struct ls_slice seated(struct ls_part *part, struct ls_slice slice, int64_t u)
{
	const struct ls_seat *s = seat_of(part, slice.buffer);

	if (s != &part->arrival)
		slice.buffer = (uint8_t)s->buffer;
	if (is_same(s))
		return slice;
	if (!is_simple(&slice, s))
		return ls_named(slice, &s->naming, u);
	slice.first = ls_seat_base(s, u) + slice.first * s->pitch;
	slice.run *= s->inner;
	slice.stride *= s->pitch;
	return slice;
}

/* The part that a step belongs to; NULL: the last step of a composition that folds. */
static struct ls_part *part_at(const struct ls_plan *plan, int64_t step)
{
	struct ls_composition *c = plan->table;
	int i = c->parts - 1;

	if (c->folds && step == c->steps - 1)
		return NULL;
	while (c->part[i].first > step)
		i--;
	return &c->part[i];
}

static bool takes_part(const struct ls_plan *plan, const struct ls_part *part, int64_t rank)
{
	return !part->rooted || rank % part->stride == plan->problem.root % part->stride;
}

static int64_t coordinate(const struct ls_part *part, int64_t rank)
{
	return rank / part->stride % part->problem.nodes;
}

bool ls_composed_is_local(const struct ls_plan *plan, int64_t step)
{
	const struct ls_part *part = part_at(plan, step);

	return !part || ls_plan_is_local(part->plan, step - part->first);
}

bool ls_composed_part(const struct ls_plan *plan, size_t index, struct ls_plan_part *out)
{
	const struct ls_composition *c = plan->table;

	if (index >= (size_t)c->parts)
		return false;

	const struct ls_part *part = &c->part[index];

	*out = (struct ls_plan_part){ .size = out->size, .operation = part->problem.operation,
		.algorithm = part->algorithm->name, .topology = part->problem.topology,
		.lines = part->lines, .first = part->first, .steps = ls_plan_steps(part->plan) };
	return true;
}

void ls_composed_peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct ls_peers *peers)
{
	const struct ls_part *part = part_at(plan, step);
	const int64_t c = coordinate(part, rank);

	if (!takes_part(plan, part, rank))
		return;
	ls_plan_peers(part->plan, c, step - part->first, peers);
	for (int q = 0; q < LS_PORTS; q++) {
		if (peers->to[q] != LS_NOBODY)
			peers->to[q] = rank + (peers->to[q] - c) * part->stride;
		if (peers->from[q] != LS_NOBODY)
			peers->from[q] = rank + (peers->from[q] - c) * part->stride;
	}
}

/* OUTPUT := the operands of the ranks up to this one, or below it, which a scratch buffer holds. */
static void fold(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	const struct ls_composition *c = plan->table;
	const int64_t operands = plan->problem.operation == LS_SCAN ? rank + 1 : rank;

	if (operands > 0)
		ls_step_fold(step, ls_one(LS_OUTPUT, 0), ls_blocks(c->part[0].output.buffer, 0, operands));
}

void ls_composed_body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	struct ls_part *part = part_at(plan, step);

	if (!part) {
		fold(plan, rank, out);
		return;
	}
	if (!takes_part(plan, part, rank))
		return;
	ls_plan_step(part->plan, coordinate(part, rank), step - part->first, out);
	for (int q = 0; q < out->ports; q++) {
		if (out->to[q] != LS_NOBODY)
			out->send[q] = seated(part, out->send[q], rank);
		out->arrives[q] *= part->width;
	}
	for (int i = 0; i < out->n_moves; i++) {
		struct ls_move *move = &out->move[i];

		move->dst = seated(part, move->dst, rank);
		move->a = seated(part, move->a, rank);
		if (move->what == LS_COMBINE)
			move->b = seated(part, move->b, rank);
	}
}
