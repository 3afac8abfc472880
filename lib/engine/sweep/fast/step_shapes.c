/*
 * Shapes: the steps of nodes as moves of single blocks.
 *
 * Nodes of one shape do the same in a step.  Shapes whose moves differ only in their blocks form a
 * class, whose nodes execute together.
 */
#include <string.h>

#include "check/checker.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "plan/step.h"
#include "plan/storage.h"

/* ---- A step as moves of single blocks */

struct cell_reader {
	const struct ls_plan *plan;
	int64_t rank;
	struct ls_step step;
};

/* Whether the block exists at this node, or arrives in this step. */
static bool has_block(const struct cell_reader *s, int buffer, int64_t block)
{
	if (block < 0 || block > INT32_MAX)
		return false;
	if (lsi_is_arrival(buffer))
		return buffer == LS_ARRIVAL && block == 0 && s->step.arrives[0] == 1;
	if (buffer < LS_ARRIVAL)
		return block < lsi_buffer_blocks(s->plan, buffer)
			&& lsi_storage_has(s->plan, s->rank, buffer);

	const struct lsi_scratch *scratch = &s->plan->frame.scratch[buffer - LS_SCRATCH];
	const struct lsi_window window = lsi_plan_window(s->plan, s->rank, buffer - LS_SCRATCH);

	if (scratch->slots < 1
		|| (block >= scratch->slots && lsi_scratch_is_measured(&s->plan->frame, scratch)))
		return false;
	return block % scratch->slots >= window.first
		&& block % scratch->slots - window.first < window.count;
}

/* Read the only cell of an operand, or the first of `run` cells; false: not suitable. */
static bool read_cell(
	const struct cell_reader *s, const struct ls_slice *slice, int64_t run, struct lsi_cell *out)
{
	const int buffer = slice->buffer;
	const bool plain = !slice->index && !slice->map[0] && slice->runs == 1 && slice->cycle == 0;

	if (buffer >= LS_BUFFERS || ls_slice_blocks(slice) != run || (run > 1 && !plain))
		return false;

	const int64_t first = ls_slice_at(slice, 0);

	if (!has_block(s, buffer, first) || !has_block(s, buffer, first + run - 1))
		return false;

	const int64_t slots =
		buffer < LS_SCRATCH ? INT32_MAX : s->plan->frame.scratch[buffer - LS_SCRATCH].slots;

	*out = (struct lsi_cell){ buffer, (int32_t)(first % slots) };
	return first % slots + run <= slots;
}

static int64_t storage_of(const struct cell_reader *s, struct lsi_cell cell)
{
	return lsi_storage_cell(s->plan, s->rank, cell.buffer, cell.block);
}

static bool folds_into_itself(const struct cell_reader *s, const struct lsi_cell_move *m)
{
	struct lsi_cell part = m->cell[LSI_CELL_A];

	for (int32_t k = 0; k < m->run; k++, part.block++) {
		if (storage_of(s, part) == storage_of(s, m->cell[LSI_CELL_DST]))
			return true;
	}
	return false;
}

static bool read_move(
	const struct cell_reader *s, const struct ls_move *move, struct lsi_cell_step *out)
{
	struct lsi_cell_move *m = &out->move[out->moves];
	const int64_t run = move->action == LS_FOLD ? ls_slice_blocks(&move->a) : 1;

	if (run < 1 || run > INT32_MAX)
		return false;
	*m = (struct lsi_cell_move){ .what = (int32_t)move->action, .run = (int32_t)run };
	if (m->what == LS_FOLD && run == 1)
		m->what = LS_COPY;
	if (!read_cell(s, &move->dst, 1, &m->cell[LSI_CELL_DST])
		|| !read_cell(s, &move->a, run, &m->cell[LSI_CELL_A])
		|| (m->what == LS_COMBINE && !read_cell(s, &move->b, 1, &m->cell[LSI_CELL_B])))
		return false;

	const int dst = m->cell[LSI_CELL_DST].buffer, a = m->cell[LSI_CELL_A].buffer;

	if (dst == LS_INPUT || lsi_is_arrival(dst)
		|| (m->what == LS_FOLD && (lsi_is_arrival(a) || folds_into_itself(s, m))))
		return false;
	if (lsi_storage_is_noop(s->plan, s->rank, move)) {
		*m = (struct lsi_cell_move){ 0 };
		return true;
	}
	for (int i = 0; i < (m->what == LS_COMBINE ? LSI_CELLS : LSI_CELL_B); i++)
		out->rooted |= lsi_storage_is_rooted(s->plan, m->cell[i].buffer);
	out->moves++;
	/* Law 4: a move never overwrites a block that the node sends. */
	return !out->sends || storage_of(s, m->cell[LSI_CELL_DST]) != storage_of(s, out->sent);
}

bool lsi_cell_step_make(const struct ls_plan *plan, int64_t rank, int64_t round, int64_t shape,
	struct lsi_cell_step *out)
{
	struct cell_reader s = { .plan = plan, .rank = rank };
	struct ls_step *step = &s.step;

	*out = (struct lsi_cell_step){ 0 };
	lsi_step_clear(step);
	plan->algorithm->body(plan, round, shape, step);
	if (step->ports > 1)
		return false;
	lsi_step_port(step, 0);
	out->receives = step->arrives[0] != 0;
	if (out->receives && step->arrives[0] != 1)
		return false;
	if (ls_slice_blocks(&step->send[0]) > 0) {
		out->sends = 1;
		if (lsi_is_arrival(step->send[0].buffer) || !read_cell(&s, &step->send[0], 1, &out->sent))
			return false;
		out->rooted = lsi_storage_is_rooted(plan, out->sent.buffer);
	}
	for (int i = 0; i < step->n_moves; i++) {
		if (!read_move(&s, &step->move[i], out))
			return false;
	}
	return true;
}

/* ---- The shapes of a step */

void lsi_sweep_shapes_layout(
	struct lsi_sweep_shapes *shapes, int capacity, struct lsi_memory_layout *layout)
{
	const size_t n = (size_t)capacity;

	*shapes = (struct lsi_sweep_shapes){ .capacity = capacity };
	shapes->shape = lsi_memory_layout_take(layout, n, sizeof *shapes->shape);
	shapes->block = lsi_memory_layout_take(layout, n * LSI_OPERANDS, sizeof *shapes->block);
	shapes->class_of = lsi_memory_layout_take(layout, n, sizeof *shapes->class_of);
}

void lsi_sweep_shapes_clear(struct lsi_sweep_shapes *shapes)
{
	*shapes = (struct lsi_sweep_shapes){ .capacity = shapes->capacity,
		.shape = shapes->shape,
		.block = shapes->block,
		.class_of = shapes->class_of };
}

/* Whether both steps receive or neither does, and their moves differ only in their blocks. */
static bool have_same_class(const struct lsi_cell_step *x, const struct lsi_cell_step *y)
{
	if (x->moves != y->moves || x->receives != y->receives)
		return false;
	for (int i = 0; i < x->moves; i++) {
		const struct lsi_cell_move *p = &x->move[i], *q = &y->move[i];

		if (p->what != q->what || p->run != q->run)
			return false;
		for (int c = 0; c < LSI_CELLS; c++)
			if (p->cell[c].buffer != q->cell[c].buffer)
				return false;
	}
	return true;
}

static uint16_t find_different_operands(
	const struct lsi_cell_step *x, const struct lsi_cell_step *y)
{
	unsigned varies = 0;

	for (int i = 0; i < x->moves; i++)
		for (int c = 0; c < LSI_CELLS; c++)
			if (x->move[i].cell[c].block != y->move[i].cell[c].block)
				varies |= 1u << lsi_sweep_operand(i, c);
	return (uint16_t)varies;
}

static bool find_class(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell_step *step = &shapes->shape[shape].step;
	int k = 0;

	while (
		k < shapes->classes && !have_same_class(&shapes->shape[shapes->class[k].shape].step, step))
		k++;
	if (k == LSI_SHAPE_CLASSES)
		return false;
	if (k == shapes->classes)
		shapes->class[shapes->classes++] = (struct lsi_shape_class){ .shape = (uint16_t)shape };
	shapes->class[k].varies |=
		find_different_operands(&shapes->shape[shapes->class[k].shape].step, step);
	shapes->class_of[shape] = (uint8_t)k;
	return true;
}

static void store_blocks(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell_step *step = &shapes->shape[shape].step;
	uint32_t *block = shapes->block + shape;

	block[LSI_OPERAND_SENT * shapes->capacity] = (uint32_t)step->sent.block;
	for (int i = 0; i < step->moves; i++)
		for (int c = 0; c < LSI_CELLS; c++)
			block[lsi_sweep_operand(i, c) * shapes->capacity] =
				(uint32_t)step->move[i].cell[c].block;
}

static void store_sender(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell sent = shapes->shape[shape].step.sent;

	if (!shapes->shape[shape].step.sends)
		return;
	if (shapes->senders++ == 0)
		shapes->sender = (uint16_t)shape;

	const struct lsi_cell other = shapes->shape[shapes->sender].step.sent;

	shapes->sent_buffers |= sent.buffer != other.buffer;
	shapes->sent_blocks |= sent.block != other.block;
}

/*
 * The index of the shape with this number, added if it is new; -1: no room. The caller holds the
 * mutex.
 */
static int add_shape(
	struct lsi_sweep_shapes *shapes, int64_t number, const struct lsi_cell_step *step)
{
	int i = 0;

	while (i < shapes->count && shapes->shape[i].number != number)
		i++;
	if (i < shapes->count || i == shapes->capacity)
		return i < shapes->count ? i : -1;
	shapes->shape[i] = (struct lsi_sweep_shape){ number, *step };
	if (!find_class(shapes, i))
		return -1;
	store_blocks(shapes, i);
	store_sender(shapes, i);
	shapes->count++;
	return i;
}

/* ---- A worker's cache of shapes */

void lsi_sweep_shapes_begin(const struct lsi_sweep_worker *w, const struct lsi_sweep_shapes *shapes)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);

	tables->mask = 1;
	while (tables->mask < 2 * (int64_t)shapes->capacity - 1)
		tables->mask = 2 * tables->mask + 1;
	for (int64_t i = 0; i <= tables->mask; i++)
		tables->shape_cache[i].shape = -1;
	tables->last_shape.shape = -1;
}

static struct lsi_known_shape *find_cached(struct lsi_sweep_worker_tables *tables, int64_t number)
{
	const uint64_t mixed = (uint64_t)number * 0x9e3779b97f4a7c15u;
	int64_t i = (int64_t)(mixed >> 32) & tables->mask;

	while (tables->shape_cache[i].shape >= 0 && tables->shape_cache[i].number != number)
		i = (i + 1) & tables->mask;
	return &tables->shape_cache[i];
}

static struct lsi_known_shape insert_shape(const struct lsi_sweep_worker *w,
	struct lsi_sweep_shapes *shapes, int64_t number, const struct lsi_cell_step *step)
{
	struct lsi_sweep_fast *fast = w->sweep->fast;
	struct lsi_known_shape known = { .number = number,
		.sends = (int16_t)step->sends,
		.receives = (int16_t)step->receives,
		.rooted = (int16_t)step->rooted };

	pthread_mutex_lock(&fast->mutex);
	known.shape = (int16_t)add_shape(shapes, number, step);
	pthread_mutex_unlock(&fast->mutex);
	return known;
}

struct lsi_known_shape lsi_sweep_shape_of(const struct lsi_sweep_worker *w,
	struct lsi_sweep_shapes *shapes, int64_t rank, int64_t round, int64_t number)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	struct lsi_cell_step step;

	if (tables->last_shape.shape >= 0 && tables->last_shape.number == number)
		return tables->last_shape;

	struct lsi_known_shape *known = find_cached(tables, number);

	if (known->shape < 0 && lsi_cell_step_make(w->sweep->plan, rank, round, number, &step))
		*known = insert_shape(w, shapes, number, &step);
	tables->last_shape = *known;
	return *known;
}

static int64_t hash_of(const struct lsi_cell_step *step)
{
	uint32_t word[sizeof *step / sizeof(uint32_t)];
	uint64_t h = 0;

	memcpy(word, step, sizeof word);
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return (int64_t)h;
}

struct lsi_known_shape lsi_sweep_shape_by_content(
	const struct lsi_sweep_worker *w, struct lsi_sweep_shapes *shapes, int64_t rank, int64_t round)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	struct lsi_known_shape *known = &tables->last_shape;
	struct lsi_cell_step step;

	if (!lsi_cell_step_make(w->sweep->plan, rank, round, rank, &step))
		return (struct lsi_known_shape){ .shape = -1 };
	if (known->shape >= 0 && memcmp(&shapes->shape[known->shape].step, &step, sizeof step) == 0)
		return *known;

	const int64_t number = hash_of(&step);

	known = find_cached(tables, number);
	if (known->shape < 0)
		*known = insert_shape(w, shapes, number, &step);
	if (known->shape >= 0 && memcmp(&shapes->shape[known->shape].step, &step, sizeof step) != 0)
		return (struct lsi_known_shape){ .shape = -1 };
	tables->last_shape = *known;
	return *known;
}
