#include "collective/compose.h"

#include <lockstep/cost.h>

#include "base/alloc.h"

/* Seats --------------------------------------------------------------------------------------- */

static int64_t base_of(const struct ls_seat *s, int64_t u)
{
	return (s->unit ? u / s->unit * s->lift : 0) + (s->below ? u % s->below : 0);
}

static int64_t seat_block(const struct ls_naming *naming, int64_t by, int64_t listed, int64_t j)
{
	const struct ls_seat *s = (const struct ls_seat *)(const void *)naming;
	const int64_t x = s->order ? s->order[listed] : listed;
	const int64_t block = base_of(s, by) + x / s->each * s->pitch + j / s->inner * s->outer_pitch + j % s->inner;

	return block * s->each + x % s->each;
}

static struct ls_seat seat(int buffer, int64_t unit, int64_t pitch, int64_t inner)
{
	return (struct ls_seat){ .buffer = buffer, .unit = unit, .lift = unit, .pitch = pitch, .inner = inner,
		.outer = 1, .each = 1 };
}

struct ls_seat ls_seat_same(int buffer)
{
	return seat(buffer, 0, 1, 1);
}

struct ls_seat ls_seat_own(int buffer, int64_t unit)
{
	return seat(buffer, unit, unit, unit);
}

struct ls_seat ls_seat_line(int buffer, int64_t stride, int64_t side)
{
	return seat(buffer, stride * side, stride, stride);
}

struct ls_seat ls_seat_wide(int buffer, int64_t width)
{
	return seat(buffer, 0, width, width);
}

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
	slice.first = base_of(s, u) + slice.first * s->pitch;
	slice.run *= s->inner;
	slice.stride *= s->pitch;
	return slice;
}

/* Listing parts ------------------------------------------------------------------------------- */

int ls_compose_buffer(struct ls_composition *c, struct ls_scratch scratch)
{
	for (int k = 0; k < LS_SCRATCHES; k++) {
		if (c->scratch[k].slots == 0) {
			c->scratch[k] = scratch;
			return LS_SCRATCH + k;
		}
	}
	c->possible = false;
	return -1;
}

/* Whether a buffer is of this shape.  All blocks of an all-to-all are alike: there it may grow. */
static bool fits(struct ls_scratch *buffer, const struct ls_part *part, struct ls_scratch scratch)
{
	if (part->problem.operation != LS_ALLTOALL || buffer->slots == 0)
		return buffer->slots == scratch.slots && buffer->each == scratch.each;
	if (buffer->slots < scratch.slots)
		buffer->slots = scratch.slots;
	return true;
}

/* A buffer of this shape that the part does not use yet: parts take turns in it. */
static int shared_buffer(struct ls_composition *c, const struct ls_part *part, int taken, struct ls_scratch scratch)
{
	for (int k = 0; k < LS_SCRATCHES; k++) {
		bool used = part->input.buffer == LS_SCRATCH + k || part->output.buffer == LS_SCRATCH + k;

		for (int i = 0; i < taken; i++)
			used |= part->scratch[i].buffer == LS_SCRATCH + k;
		if (!used && fits(&c->scratch[k], part, scratch))
			return LS_SCRATCH + k;
	}
	return ls_compose_buffer(c, scratch);
}

static void seat_scratch(struct ls_composition *c, struct ls_part *part, int k, struct ls_seat like,
	struct ls_scratch scratch)
{
	if (scratch.slots == 0)
		return;
	part->scratch[k] = like;
	part->scratch[k].buffer = -1;
	part->scratch[k].buffer = shared_buffer(c, part, k, scratch);
}

void ls_compose_scratch_full(struct ls_composition *c, struct ls_part *part, struct ls_seat like)
{
	for (int k = 0; k < LS_SCRATCHES; k++) {
		struct ls_scratch scratch = part->frame.scratch[k];

		like.each = scratch.each;
		scratch.slots = scratch.slots > 0 ? c->nodes * scratch.each : 0;
		seat_scratch(c, part, k, like, scratch);
	}
}

void ls_compose_scratch(struct ls_composition *c, struct ls_part *part)
{
	for (int k = 0; k < LS_SCRATCHES; k++) {
		struct ls_scratch scratch = part->frame.scratch[k];

		if (part->width > 1)
			scratch = (struct ls_scratch){ scratch.slots * part->width, 1 };
		seat_scratch(c, part, k, ls_seat_wide(0, part->width), scratch);
	}
}

static bool is_full(const struct ls_frame *frame)
{
	for (int k = 0; k < LS_SCRATCHES; k++) {
		if (frame->scratch[k].slots != frame->blocks * frame->scratch[k].each)
			return false;
	}
	return true;
}

static int scratches(const struct ls_frame *frame)
{
	int n = 0;

	for (int k = 0; k < LS_SCRATCHES; k++)
		n += frame->scratch[k].slots > 0;
	return n;
}

/* General algorithms visit every node to be priced. */
static bool grants(const struct ls_algorithm *a, const struct ls_wish *wish)
{
	const struct ls_problem *problem = &wish->problem;

	if (!(a->operations & LS_FOR(problem->operation)) || a->teaching || a->level >= wish->level
			|| (a->general && problem->nodes > LS_PRICED_NODES)
			|| (ls_operation_combines(problem->operation) && a->claim < wish->claim)
			|| (problem->operation == LS_ALLREDUCE && wish->claim > LS_IDEMPOTENT && !a->identical)
			|| !a->supports(problem))
		return false;

	const struct ls_frame frame = a->frame(problem);

	return (!wish->uncut || frame.blocks == 1) && (!wish->full || is_full(&frame))
		&& scratches(&frame) <= wish->scratches;
}

/* -1: there was no memory to foresee it. */
static double price(const struct ls_algorithm *a, const struct ls_wish *wish)
{
	const struct ls_counts counts = a->predict(&wish->problem, wish->n);

	if (counts.rounds < 0)
		return -1;
	return (double)counts.rounds * LS_STARTUP + (double)counts.volume * 8 * LS_PER_BYTE;
}

/* What serves particular networks goes before what serves all. */
static const struct ls_algorithm *cheapest(const struct ls_wish *wish, bool *starved)
{
	const struct ls_algorithm *best = NULL;
	double least = 0;

	for (int general = 0; general < (wish->particular ? 1 : 2) && !best; general++) {
		for (size_t i = 0; ls_algorithms[i]; i++) {
			const struct ls_algorithm *a = ls_algorithms[i];

			if (a->general != general || !grants(a, wish))
				continue;

			const double cost = price(a, wish);

			*starved |= cost < 0;
			if (!best || cost < least) {
				best = a;
				least = cost;
			}
		}
	}
	return best;
}

struct ls_part *ls_compose_add(struct ls_composition *c, const struct ls_wish *wish)
{
	const bool room = c->possible && c->parts < LS_PARTS;
	const struct ls_algorithm *algorithm = room ? cheapest(wish, &c->starved) : NULL;

	if (!algorithm) {
		c->possible = false;
		return NULL;
	}

	struct ls_part *part = &c->part[c->parts++];
	struct ls_plan *plan = part->plan;
	struct ls_frame *frame = &part->frame;

	*part = (struct ls_part){ .algorithm = algorithm, .problem = wish->problem,
		.frame = plan ? plan->frame : algorithm->frame(&wish->problem), .plan = plan, .stride = 1, .width = 1, .lines = 1, .first = c->steps,
		.input = ls_seat_same(LS_INPUT), .output = ls_seat_same(LS_OUTPUT),
		.multiplied = 1, .divided = 1 };
	c->steps += frame->lead + frame->rounds + frame->locals + frame->tail;
	c->locals += frame->lead + frame->locals + frame->tail;
	return part;
}

static void clear(struct ls_composition *c)
{
	c->parts = 0;
	c->folds = false;
	for (int i = 0; i < LS_PARTS; i++)
		c->part[i].plan = NULL;
}

/* List the parts, with the plans that *c has of them if any, and what follows from them. */
static bool list(ls_compose *compose, const struct ls_problem *problem, struct ls_composition *c)
{
	c->possible = true;
	c->starved = false;
	c->nodes = problem->nodes;
	c->parts = 0;
	c->steps = c->locals = 0;
	for (int k = 0; k < LS_SCRATCHES; k++)
		c->scratch[k] = (struct ls_scratch){ 0 };
	compose(problem, c);
	for (int i = 0; i < c->parts && c->possible; i++) {
		struct ls_part *part = &c->part[i];
		struct ls_seat *seats[] = { &part->input, &part->output, &part->arrival, part->scratch,
			part->scratch + 1, part->scratch + 2, part->scratch + 3 };

		part->arrival = ls_seat_wide(LS_ARRIVAL, part->width);
		for (size_t k = 0; k < sizeof seats / sizeof *seats; k++)
			seats[k]->naming = (struct ls_naming){ seats[k]->inner * seats[k]->outer, seat_block };
	}
	c->steps += c->folds;
	c->locals += c->folds;
	return c->possible && c->parts > 0;
}

/* The functions of an algorithm --------------------------------------------------------------- */

bool ls_composed_supports(ls_compose *compose, const struct ls_problem *problem)
{
	struct ls_composition c;

	clear(&c);
	return problem->nodes == 1 || list(compose, problem, &c);
}

static int64_t blocks_of(const struct ls_problem *problem, const struct ls_composition *c)
{
	return !ls_operation_is_vector(problem->operation) || c->part[0].divided > 1 ? problem->nodes : 1;
}

static struct ls_frame frame_of(const struct ls_problem *problem, const struct ls_composition *c)
{
	struct ls_frame frame = { .rounds = c->steps - c->locals, .locals = c->locals,
		.blocks = blocks_of(problem, c) };

	for (int k = 0; k < LS_SCRATCHES; k++)
		frame.scratch[k] = c->scratch[k];
	return frame;
}

struct ls_frame ls_composed_frame(ls_compose *compose, const struct ls_problem *problem)
{
	struct ls_composition c;

	clear(&c);
	list(compose, problem, &c);
	return frame_of(problem, &c);
}

int ls_composed_prepare(ls_compose *compose, struct ls_plan *plan)
{
	struct ls_composition *c = ls_alloc(sizeof *c);
	int status = c ? LS_OK : LS_ERR_MEMORY;

	plan->table = c;
	if (!c)
		return LS_ERR_MEMORY;
	clear(c);
	list(compose, &plan->problem, c);
	if (c->starved)
		return LS_ERR_MEMORY;
	for (int i = 0; status == LS_OK && i < c->parts; i++)
		status = ls_plan_from(c->part[i].algorithm, &c->part[i].problem, &c->part[i].plan);
	if (status != LS_OK || !list(compose, &plan->problem, c) || c->starved)
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

	for (int i = 0; c && i < LS_PARTS; i++)
		ls_plan_destroy(c->part[i].plan);
	ls_free(c);
}

static size_t rounded_up(size_t n, size_t multiplied, size_t divided)
{
	return divided == 1 ? n * multiplied : n / divided + (n % divided > 0);
}

static void add(struct ls_counts *sum, struct ls_counts counts, int64_t lines)
{
	/* Negative: there was no memory to foresee it. */
	sum->rounds = counts.rounds < 0 || sum->rounds < 0 ? -1 : ls_add(sum->rounds, counts.rounds);
	sum->messages = ls_add(sum->messages, ls_mul(counts.messages, lines));
	sum->words = ls_add(sum->words, ls_mul(counts.words, lines));
	sum->volume = ls_add(sum->volume, counts.volume);
}

static struct ls_counts predict(const struct ls_composition *c, size_t n)
{
	struct ls_counts sum = { 0 };

	for (int i = 0; i < c->parts; i++) {
		const struct ls_part *part = &c->part[i];

		add(&sum, part->algorithm->predict(&part->problem, rounded_up(n, part->multiplied, part->divided)),
			part->lines);
	}
	return sum;
}

struct ls_counts ls_composed_predict(ls_compose *compose, const struct ls_problem *problem, size_t n)
{
	struct ls_composition c;

	clear(&c);
	list(compose, problem, &c);
	return c.starved ? (struct ls_counts){ -1, -1, -1, -1 } : predict(&c, n);
}

struct ls_counts ls_composed_predict_exactly(const struct ls_plan *plan, size_t n)
{
	const struct ls_composition *c = plan->table;
	struct ls_counts sum = { 0 };
	bool even = true;

	for (int i = 0; i < c->parts; i++) {
		const struct ls_part *part = &c->part[i];

		even &= n % part->divided == 0;
		add(&sum, ls_plan_predicted(part->plan, rounded_up(n, part->multiplied, part->divided)), part->lines);
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
