#include <string.h>

#include "check/checker.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "plan/step.h"
#include "plan/storage.h"

/* ---- A step as moves of single blocks */

struct scene {
	const struct ls_plan *plan;
	int64_t rank;
	struct ls_step step;
};

/* Does block `block` exist at this node, or in what arrives? */
static bool exists(const struct scene *s, int buffer, int64_t block)
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

/* The one cell of an operand, or the first of a run of `run`. */
static bool cell_of(
	const struct scene *s, const struct ls_slice *slice, int64_t run, struct lsi_cell *out)
{
	const int64_t first = ls_slice_blocks(slice) > 0 ? ls_slice_at(slice, 0) : -1;
	const int buffer = slice->buffer;
	const bool plain = !slice->index && !slice->map[0] && slice->runs == 1 && slice->cycle == 0;

	if (buffer >= LS_BUFFERS || ls_slice_blocks(slice) != run || (run > 1 && !plain))
		return false;
	if (!exists(s, buffer, first) || !exists(s, buffer, first + run - 1))
		return false;

	const int64_t slots =
		buffer < LS_SCRATCH ? INT32_MAX : s->plan->frame.scratch[buffer - LS_SCRATCH].slots;

	*out = (struct lsi_cell){ buffer, (int32_t)(first % slots) };
	return first % slots + run <= slots;
}

static int64_t storage(const struct scene *s, struct lsi_cell cell)
{
	return lsi_storage_cell(s->plan, s->rank, cell.buffer, cell.block);
}

static bool folds_into_itself(const struct scene *s, const struct lsi_cell_move *m)
{
	struct lsi_cell part = m->cell[LSI_CELL_A];

	for (int32_t k = 0; k < m->run; k++, part.block++) {
		if (storage(s, part) == storage(s, m->cell[LSI_CELL_DST]))
			return true;
	}
	return false;
}

static bool move_of(const struct scene *s, const struct ls_move *move, struct lsi_cell_step *out)
{
	struct lsi_cell_move *m = &out->move[out->moves];
	const int64_t run = move->action == LS_FOLD ? ls_slice_blocks(&move->a) : 1;

	if (run < 1 || run > INT32_MAX)
		return false;
	*m = (struct lsi_cell_move){ .what = (int32_t)move->action, .run = (int32_t)run };
	if (m->what == LS_FOLD && run == 1)
		m->what = LS_COPY;
	if (!cell_of(s, &move->dst, 1, &m->cell[LSI_CELL_DST])
		|| !cell_of(s, &move->a, run, &m->cell[LSI_CELL_A])
		|| (m->what == LS_COMBINE && !cell_of(s, &move->b, 1, &m->cell[LSI_CELL_B])))
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
	/* Law 4. */
	return !out->sends || storage(s, m->cell[LSI_CELL_DST]) != storage(s, out->sent);
}

bool lsi_cell_step_make(const struct ls_plan *plan, int64_t rank, int64_t round, int64_t shape,
	struct lsi_cell_step *out)
{
	struct scene s = { .plan = plan, .rank = rank };
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
		if (lsi_is_arrival(step->send[0].buffer) || !cell_of(&s, &step->send[0], 1, &out->sent))
			return false;
		out->rooted = lsi_storage_is_rooted(plan, out->sent.buffer);
	}
	for (int i = 0; i < step->n_moves; i++) {
		if (!move_of(&s, &step->move[i], out))
			return false;
	}
	return true;
}

/* ---- The shapes of a step */

void lsi_sweep_shapes_layout(
	struct lsi_sweep_shapes *shapes, int room, struct lsi_memory_layout *layout)
{
	const size_t n = (size_t)room;

	*shapes = (struct lsi_sweep_shapes){ .room = room };
	shapes->shape = lsi_memory_layout_take(layout, n, sizeof *shapes->shape);
	shapes->block = lsi_memory_layout_take(layout, n * LSI_OPERANDS, sizeof *shapes->block);
	shapes->kind_of = lsi_memory_layout_take(layout, n, sizeof *shapes->kind_of);
}

void lsi_sweep_shapes_clear(struct lsi_sweep_shapes *shapes)
{
	*shapes = (struct lsi_sweep_shapes){ .room = shapes->room,
		.shape = shapes->shape,
		.block = shapes->block,
		.kind_of = shapes->kind_of };
}

/* Do steps differ in nothing but blocks of their moves? */
static bool alike(const struct lsi_cell_step *x, const struct lsi_cell_step *y)
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

static uint16_t differences(const struct lsi_cell_step *x, const struct lsi_cell_step *y)
{
	unsigned varies = 0;

	for (int i = 0; i < x->moves; i++)
		for (int c = 0; c < LSI_CELLS; c++)
			if (x->move[i].cell[c].block != y->move[i].cell[c].block)
				varies |= 1u << lsi_sweep_operand(i, c);
	return (uint16_t)varies;
}

static bool find_kind(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell_step *does = &shapes->shape[shape].does;
	int k = 0;

	while (k < shapes->kinds && !alike(&shapes->shape[shapes->kind[k].shape].does, does))
		k++;
	if (k == LSI_SHAPE_CLASSES)
		return false;
	if (k == shapes->kinds)
		shapes->kind[shapes->kinds++] = (struct lsi_shape_class){ .shape = (uint16_t)shape };
	shapes->kind[k].varies |= differences(&shapes->shape[shapes->kind[k].shape].does, does);
	shapes->kind_of[shape] = (uint8_t)k;
	return true;
}

static void note_blocks(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell_step *does = &shapes->shape[shape].does;
	uint32_t *block = shapes->block + shape;

	block[LSI_OPERAND_SENT * shapes->room] = (uint32_t)does->sent.block;
	for (int i = 0; i < does->moves; i++)
		for (int c = 0; c < LSI_CELLS; c++)
			block[lsi_sweep_operand(i, c) * shapes->room] = (uint32_t)does->move[i].cell[c].block;
}

static void note_sender(struct lsi_sweep_shapes *shapes, int shape)
{
	const struct lsi_cell sent = shapes->shape[shape].does.sent;

	if (!shapes->shape[shape].does.sends)
		return;
	if (shapes->senders++ == 0)
		shapes->sender = (uint16_t)shape;

	const struct lsi_cell other = shapes->shape[shapes->sender].does.sent;

	shapes->sent_buffers |= sent.buffer != other.buffer;
	shapes->sent_blocks |= sent.block != other.block;
}

/* The shape of this number, that does this; with the mutex. */
static int enter(struct lsi_sweep_shapes *shapes, int64_t number, const struct lsi_cell_step *does)
{
	int i = 0;

	while (i < shapes->count && shapes->shape[i].number != number)
		i++;
	if (i < shapes->count || i == shapes->room)
		return i < shapes->count ? i : -1;
	shapes->shape[i] = (struct lsi_sweep_shape){ number, *does };
	if (!find_kind(shapes, i))
		return -1;
	note_blocks(shapes, i);
	note_sender(shapes, i);
	shapes->count++;
	return i;
}

/* ---- What a worker knows of them */

void lsi_sweep_shapes_begin(const struct lsi_sweep_worker *w, const struct lsi_sweep_shapes *shapes)
{
	struct lsi_sweep_worker_tables *desk = lsi_sweep_worker_tables_of(w);

	desk->mask = 1;
	while (desk->mask < 2 * (int64_t)shapes->room - 1)
		desk->mask = 2 * desk->mask + 1;
	for (int64_t i = 0; i <= desk->mask; i++)
		desk->known[i].shape = -1;
	desk->last.shape = -1;
}

static struct lsi_known_shape *find(struct lsi_sweep_worker_tables *desk, int64_t number)
{
	const uint64_t mixed = (uint64_t)number * 0x9e3779b97f4a7c15u;
	int64_t i = (int64_t)(mixed >> 32) & desk->mask;

	while (desk->known[i].shape >= 0 && desk->known[i].number != number)
		i = (i + 1) & desk->mask;
	return &desk->known[i];
}

static struct lsi_known_shape learn(const struct lsi_sweep_worker *w,
	struct lsi_sweep_shapes *shapes, int64_t number, const struct lsi_cell_step *does)
{
	struct lsi_sweep_fast *wiring = w->sweep->wiring;
	struct lsi_known_shape known = { .number = number,
		.sends = (int16_t)does->sends,
		.receives = (int16_t)does->receives,
		.rooted = (int16_t)does->rooted };

	pthread_mutex_lock(&wiring->mutex);
	known.shape = (int16_t)enter(shapes, number, does);
	pthread_mutex_unlock(&wiring->mutex);
	return known;
}

struct lsi_known_shape lsi_sweep_shape_of(const struct lsi_sweep_worker *w,
	struct lsi_sweep_shapes *shapes, int64_t rank, int64_t round, int64_t number)
{
	struct lsi_sweep_worker_tables *desk = lsi_sweep_worker_tables_of(w);
	struct lsi_cell_step does;

	if (desk->last.shape >= 0 && desk->last.number == number)
		return desk->last;

	struct lsi_known_shape *known = find(desk, number);

	if (known->shape < 0 && lsi_cell_step_make(w->sweep->plan, rank, round, number, &does))
		*known = learn(w, shapes, number, &does);
	desk->last = *known;
	return *known;
}

static int64_t hash(const struct lsi_cell_step *does)
{
	uint32_t word[sizeof *does / sizeof(uint32_t)];
	uint64_t h = 0;

	memcpy(word, does, sizeof word);
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return (int64_t)h;
}

struct lsi_known_shape lsi_sweep_shape_by_content(
	const struct lsi_sweep_worker *w, struct lsi_sweep_shapes *shapes, int64_t rank, int64_t round)
{
	struct lsi_sweep_worker_tables *desk = lsi_sweep_worker_tables_of(w);
	struct lsi_known_shape *known = &desk->last;
	struct lsi_cell_step does;

	if (!lsi_cell_step_make(w->sweep->plan, rank, round, rank, &does))
		return (struct lsi_known_shape){ .shape = -1 };
	if (known->shape >= 0 && memcmp(&shapes->shape[known->shape].does, &does, sizeof does) == 0)
		return *known;

	const int64_t number = hash(&does);

	known = find(desk, number);
	if (known->shape < 0)
		*known = learn(w, shapes, number, &does);
	if (known->shape >= 0 && memcmp(&shapes->shape[known->shape].does, &does, sizeof does) != 0)
		return (struct lsi_known_shape){ .shape = -1 };
	desk->last = *known;
	return *known;
}
