#include "collective/compose/compose.h"

#include <math.h>
#include <string.h>

#include <lockstep/cost.h>

#include "base/alloc.h"

/* ---- Views */

static int64_t view_block(const struct ls_block_map *map, int64_t by, int64_t listed, int64_t j)
{
	const struct lsi_buffer_view *s = (const struct lsi_buffer_view *)(const void *)map;
	const int64_t x = s->order ? s->order[listed] : listed;
	const int64_t block = lsi_buffer_view_base(s, by) + x / s->each * s->pitch
		+ j / s->inner * s->outer_pitch + j % s->inner;

	return block * s->each + x % s->each;
}

static struct lsi_buffer_view view(int buffer, int64_t unit, int64_t pitch, int64_t inner)
{
	return (struct lsi_buffer_view){
		.buffer = buffer, .unit = unit, .pitch = pitch, .inner = inner, .outer = 1, .each = 1
	};
}

struct lsi_buffer_view lsi_buffer_view_same(int buffer)
{
	return view(buffer, 0, 1, 1);
}

struct lsi_buffer_view lsi_buffer_view_own(int buffer, int64_t unit)
{
	return view(buffer, unit, unit, unit);
}

struct lsi_buffer_view lsi_buffer_view_line(int buffer, int64_t stride, int64_t side)
{
	return view(buffer, stride * side, stride, stride);
}

struct lsi_buffer_view lsi_buffer_view_wide(int buffer, int64_t width)
{
	return view(buffer, 0, width, width);
}

/* ---- Parts */

int lsi_compose_buffer(struct lsi_composition *c, struct lsi_scratch scratch)
{
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		if (c->scratch[k].slots == 0) {
			c->scratch[k] = scratch;
			return LS_SCRATCH + k;
		}
	}
	c->possible = false;
	return -1;
}

/* Whether a buffer fits.  All blocks of an all-to-all have equal length, so there it may grow. */
static bool fits(
	struct lsi_scratch *buffer, const struct lsi_part *part, struct lsi_scratch scratch)
{
	if (part->problem.operation != LS_ALLTOALL || buffer->slots == 0)
		return buffer->slots == scratch.slots && buffer->each == scratch.each;
	if (buffer->slots < scratch.slots)
		buffer->slots = scratch.slots;
	return true;
}

/*
 * A buffer that fits and that this part does not use yet; parts share the buffers one after
 * another.
 */
static int shared_buffer(
	struct lsi_composition *c, const struct lsi_part *part, int taken, struct lsi_scratch scratch)
{
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		bool used = part->input.buffer == LS_SCRATCH + k || part->output.buffer == LS_SCRATCH + k;

		for (int i = 0; i < taken; i++)
			used |= part->scratch[i].buffer == LS_SCRATCH + k;
		if (!used && fits(&c->scratch[k], part, scratch))
			return LS_SCRATCH + k;
	}
	return lsi_compose_buffer(c, scratch);
}

static void view_scratch(struct lsi_composition *c, struct lsi_part *part, int k,
	struct lsi_buffer_view like, struct lsi_scratch scratch)
{
	if (scratch.slots == 0)
		return;
	part->scratch[k] = like;
	part->scratch[k].buffer = -1;
	part->scratch[k].buffer = shared_buffer(c, part, k, scratch);
}

void lsi_compose_scratch_full(
	struct lsi_composition *c, struct lsi_part *part, struct lsi_buffer_view like)
{
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		struct lsi_scratch scratch = part->frame.scratch[k];

		like.each = scratch.each;
		scratch.slots = scratch.slots > 0 ? lsi_mul_sat(c->nodes, scratch.each) : 0;
		view_scratch(c, part, k, like, scratch);
	}
}

void lsi_compose_scratch(struct lsi_composition *c, struct lsi_part *part)
{
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		struct lsi_scratch scratch = part->frame.scratch[k];

		if (part->width > 1)
			scratch = (struct lsi_scratch){ lsi_mul_sat(scratch.slots, part->width), 1 };
		view_scratch(c, part, k, lsi_buffer_view_wide(0, part->width), scratch);
	}
}

void lsi_compose_set_views(struct lsi_composition *c, struct lsi_part *part,
	struct lsi_buffer_view input, struct lsi_buffer_view output)
{
	if (!part)
		return;
	part->input = input;
	part->output = output;
	lsi_compose_scratch(c, part);
}

static bool is_full(const struct lsi_frame *frame)
{
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		if (frame->scratch[k].slots > 0
			&& frame->scratch[k].slots != frame->blocks * frame->scratch[k].each)
			return false;
	}
	return true;
}

static int scratches(const struct lsi_frame *frame)
{
	int n = 0;

	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
		n += frame->scratch[k].slots > 0;
	return n;
}

/* Large machines get no general algorithm: its price is found by a visit to every node. */
static bool qualifies(
	const struct lsi_algorithm *a, const struct lsi_part_request *request, bool *out_of_memory)
{
	const struct lsi_problem *problem = &request->problem;

	if (!(a->operations & LSI_FOR(problem->operation)) || a->teaching
		|| (request->name && strcmp(a->name, request->name) != 0)
		|| (request->without && strcmp(a->name, request->without) == 0)
		|| a->level >= request->level || (a->general && problem->nodes > LSI_PART_NODES)
		|| (lsi_operation_combines(problem->operation) && a->claim < request->claim)
		|| (problem->operation == LS_ALLREDUCE && request->claim > LS_IDEMPOTENT && !a->identical)
		|| !a->supports(problem))
		return false;

	const struct lsi_frame frame = a->frame(problem);

	*out_of_memory |= frame.out_of_memory;
	return (!request->uncut || frame.blocks == 1) && (!request->full || is_full(&frame))
		&& scratches(&frame) <= request->scratches;
}

/* -1: there was no memory for the prediction. */
static double cost_of(struct ls_counts counts)
{
	if (counts.rounds < 0)
		return -1;
	return (double)counts.rounds * LSI_STARTUP + (double)counts.volume * 8 * LSI_PER_BYTE;
}

/* The predicted cost; at least `enough` if it cannot be less; -1: no memory for the prediction. */
static double price(
	const struct lsi_algorithm *a, const struct lsi_part_request *request, double enough)
{
	if (a->predict_least) {
		const double least = cost_of(a->predict_least(&request->problem, request->n));

		if (least >= enough)
			return least;
	}
	return cost_of(a->predict(&request->problem, request->n));
}

/* Whether general algorithms compete with those for particular networks. */
static bool compares_all(const struct lsi_part_request *request)
{
	return request->every && request->problem.nodes <= LS_EXACT_CHOICE_NODES;
}

/* Else an algorithm for particular networks wins over one for all networks. */
static const struct lsi_algorithm *cheapest(
	const struct lsi_part_request *request, bool unpriced, bool *out_of_memory)
{
	const struct lsi_algorithm *best = NULL;
	double least = 0;

	for (int general = 0; general < (request->particular ? 1 : 2) && !best; general++) {
		for (size_t i = 0; lsi_algorithms[i]; i++) {
			const struct lsi_algorithm *a = lsi_algorithms[i];

			if ((a->general != general && !compares_all(request))
				|| !qualifies(a, request, out_of_memory))
				continue;

			if (unpriced && request->every)
				return a;

			const double cost = price(a, request, best ? least : INFINITY);

			*out_of_memory |= cost < 0;
			if (!best || cost < least) {
				best = a;
				least = cost;
			}
		}
	}
	return best;
}

size_t lsi_part_n(const struct lsi_part *part, size_t n)
{
	return part->divided == 1 ? n * part->multiplied : n / part->divided + (n % part->divided > 0);
}

void lsi_counts_add(struct ls_counts *sum, struct ls_counts counts, int64_t lines)
{
	/* Negative: there was no memory for the prediction. */
	sum->rounds =
		counts.rounds < 0 || sum->rounds < 0 ? -1 : lsi_add_sat(sum->rounds, counts.rounds);
	sum->messages = lsi_add_sat(sum->messages, lsi_mul_sat(counts.messages, lines));
	sum->words = lsi_add_sat(sum->words, lsi_mul_sat(counts.words, lines));
	sum->volume = lsi_add_sat(sum->volume, counts.volume);
}

/*
 * Derive the remaining fields of the part that was added last; its caller has filled it in by now.
 */
static void finish_part(struct lsi_composition *c)
{
	struct lsi_part *part = c->part ? &c->part[c->parts - 1] : &c->one;
	struct lsi_buffer_view *views[] = { &part->input, &part->output, &part->arrival, part->scratch,
		part->scratch + 1, part->scratch + 2, part->scratch + 3 };

	if (c->parts == 0)
		return;
	part->arrival = lsi_buffer_view_wide(LS_ARRIVAL, part->width);
	for (size_t k = 0; k < sizeof views / sizeof *views; k++)
		views[k]->map = (struct ls_block_map){ views[k]->inner * views[k]->outer, view_block };
	c->cut |= part->divided > 1;
	if (c->counts)
		lsi_counts_add(c->counts, part->algorithm->predict(&part->problem, lsi_part_n(part, c->n)),
			part->lines);
}

struct lsi_part *lsi_compose_add(struct lsi_composition *c, const struct lsi_part_request *request)
{
	const bool room = c->possible && c->parts < LSI_PARTS;
	const struct lsi_algorithm *algorithm =
		room ? cheapest(request, c->unpriced, &c->out_of_memory) : NULL;

	if (!algorithm) {
		c->possible = false;
		return NULL;
	}

	finish_part(c);

	struct lsi_part *part = c->part ? &c->part[c->parts] : &c->one;
	struct ls_plan *plan = c->part ? part->plan : NULL;
	struct lsi_frame *frame = &part->frame;

	c->parts++;

	*part = (struct lsi_part){ .algorithm = algorithm,
		.problem = request->problem,
		.frame = plan ? plan->frame : algorithm->frame(&request->problem),
		.plan = plan,
		.stride = 1,
		.width = 1,
		.lines = 1,
		.first = c->steps,
		.input = lsi_buffer_view_same(LS_INPUT),
		.output = lsi_buffer_view_same(LS_OUTPUT),
		.multiplied = 1,
		.divided = 1 };
	c->out_of_memory |= frame->out_of_memory;
	c->steps += frame->has_prologue + frame->rounds + frame->locals + frame->has_epilogue;
	c->locals += frame->has_prologue + frame->locals + frame->has_epilogue;
	return part;
}

bool lsi_compose_list(
	lsi_compose *compose, const struct lsi_problem *problem, struct lsi_composition *c)
{
	c->possible = true;
	c->out_of_memory = c->folds = c->cut = false;
	c->nodes = problem->nodes;
	c->parts = 0;
	c->steps = c->locals = 0;
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++)
		c->scratch[k] = (struct lsi_scratch){ 0 };
	compose(problem, c);
	finish_part(c);
	c->steps += c->folds;
	c->locals += c->folds;
	return c->possible && c->parts > 0;
}
