#include "check/needs.h"

#include "base/alloc.h"
#include "check/checker.h"
#include "plan/storage.h"

/* The state of a cell; AFTER and TOUCHED only while its step is read backward. */
enum { NEEDED = 1, AFTER = 2, TOUCHED = 4 };

/* One node. */
struct backward {
	struct lsi_needs *needs;
	int64_t node;
	unsigned char *state;
	int64_t *touched; /* the cells whose state this step has set */
	int64_t count;
};

static int64_t cell_of(const struct backward *b, const struct ls_slice *slice, int64_t k)
{
	return lsi_storage_cell(b->needs->plan, b->node, slice->buffer, ls_slice_at(slice, k));
}

static void set(struct backward *b, int64_t cell, bool needed)
{
	unsigned char *state = &b->state[cell];

	if (!(*state & TOUCHED)) {
		b->touched[b->count++] = cell;
		*state = (unsigned char)(*state & NEEDED ? NEEDED | AFTER | TOUCHED : TOUCHED);
	}
	*state = (unsigned char)((*state & ~NEEDED) | (needed ? NEEDED : 0));
}

static void need_block(struct backward *b, const struct ls_slice *slice, int64_t k)
{
	if (!lsi_is_arrival(slice->buffer))
		set(b, cell_of(b, slice, k), true);
}

/* Blocks in reverse order, since a later block may read what an earlier one wrote. */
static void read_move(struct backward *b, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = blocks - 1; k >= 0; k--) {
		const int64_t cell = cell_of(b, &move->dst, k);
		const bool needed = b->state[cell] & NEEDED;
		const int64_t read = move->action == LS_FOLD ? ls_slice_blocks(&move->a) : k + 1;

		set(b, cell, false);
		for (int64_t i = k; i < read && needed; i += blocks)
			need_block(b, &move->a, i);
		if (needed && move->action == LS_COMBINE)
			need_block(b, &move->b, k);
	}
}

/* Store the cells whose state differs before and after the step. */
static int store_changes(struct backward *b, int64_t step)
{
	struct lsi_needs *needs = b->needs;
	struct lsi_need_changes *by = &needs->by[b->node * needs->steps + step];

	if (needs->changes + (size_t)b->count > needs->room) {
		const size_t room = 2 * (needs->changes + (size_t)b->count);
		int64_t *grown =
			lsi_alloc_grow(needs->changed, needs->changes * sizeof *grown, room * sizeof *grown);

		if (!grown)
			return LS_ERR_MEMORY;
		needs->changed = grown;
		needs->room = room;
	}
	by->first = needs->changes;
	for (int64_t i = 0; i < b->count; i++) {
		unsigned char *state = &b->state[b->touched[i]];

		if (!(*state & NEEDED) != !(*state & AFTER))
			needs->changed[needs->changes++] = b->touched[i];
		*state &= NEEDED;
	}
	by->count = needs->changes - by->first;
	b->count = 0;
	return LS_OK;
}

/* Messages carry what blocks held when the step began, so they are read before the moves. */
static int read_step(struct backward *b, struct lsi_checker *c, int64_t t)
{
	struct ls_step step;

	ls_plan_step(b->needs->plan, b->node, t, &step);
	if (lsi_check_shape(c, b->node, t, &step) != LS_OK)
		return LS_OK;
	for (int m = step.n_moves - 1; m >= 0; m--)
		read_move(b, &step.move[m]);
	for (int q = 0; q < step.ports; q++) {
		for (int64_t k = 0; step.to[q] != LS_NO_RANK && k < ls_slice_blocks(&step.send[q]); k++)
			need_block(b, &step.send[q], k);
	}
	return store_changes(b, t);
}

static void need_result(struct backward *b)
{
	const struct ls_plan *plan = b->needs->plan;
	const int64_t blocks = lsi_buffer_blocks(plan, LS_OUTPUT);

	for (int64_t k = 0; k < blocks && lsi_storage_has(plan, b->node, LS_OUTPUT); k++)
		b->state[lsi_storage_cell(plan, b->node, LS_OUTPUT, k)] = NEEDED;
}

int lsi_needs_init(struct lsi_needs *needs, struct lsi_checker *c)
{
	struct ls_certificate unused;
	struct lsi_checker quiet = *c; /* for law 0, without the report of a violation */

	quiet.out = &unused;
	*needs = (struct lsi_needs){
		.plan = c->plan, .nodes = c->nodes, .cells = c->cells, .steps = ls_plan_steps(c->plan)
	};
	needs->state = lsi_alloc_zero((size_t)needs->nodes, (size_t)needs->cells);
	needs->by = lsi_alloc_zero((size_t)needs->nodes * (size_t)needs->steps, sizeof *needs->by);

	int64_t *touched = lsi_alloc_zero((size_t)needs->cells, sizeof *touched);
	int status = needs->state && needs->by && touched ? LS_OK : LS_ERR_MEMORY;

	for (int64_t u = 0; u < needs->nodes && status == LS_OK; u++) {
		struct backward b = { needs, u, needs->state + u * needs->cells, touched, 0 };

		need_result(&b);
		for (int64_t t = needs->steps - 1; t >= 0 && status == LS_OK; t--)
			status = read_step(&b, &quiet, t);
	}
	c->stamp = quiet.stamp; /* of their common marks */
	lsi_free(touched);
	return status;
}

void lsi_needs_fini(struct lsi_needs *needs)
{
	lsi_free(needs->state);
	lsi_free(needs->by);
	lsi_free(needs->changed);
}

void lsi_needs_step(struct lsi_needs *needs, int64_t step)
{
	for (int64_t u = 0; u < needs->nodes; u++) {
		const struct lsi_need_changes *by = &needs->by[u * needs->steps + step];

		for (size_t i = 0; i < by->count; i++)
			needs->state[u * needs->cells + needs->changed[by->first + i]] ^= NEEDED;
	}
}

bool lsi_needs_block(const struct lsi_needs *needs, int64_t node, int buffer, int64_t block)
{
	return lsi_storage_has(needs->plan, node, buffer)
		&& needs->state[node * needs->cells + lsi_storage_cell(needs->plan, node, buffer, block)]
		== NEEDED;
}
