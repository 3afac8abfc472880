#include <inttypes.h>
#include <string.h>

#include "engine/sweep_node.h"

/* Blocks of an operand that lie one after another. */
struct span { char *at; int64_t blocks; };

size_t ls_sweep_words(const struct ls_sweeping *s, int64_t rank, const struct ls_slice *slice)
{
	const struct ls_lane *data = &s->lane[LS_LANE_DATA];

	return data->even ? (size_t)ls_slice_blocks(slice) * data->length
			  : ls_slice_words(s->plan, rank, slice, &data->measure);
}

static bool is_arrival(const struct ls_slice *slice)
{
	return slice->buffer >= LS_ARRIVAL && slice->buffer < LS_SCRATCH;
}

/* The k-th block of a slice, and how many from it on have the numbers that follow. */
static int64_t numbers(const struct ls_slice *slice, int64_t k, int64_t *run)
{
	const bool plain = !slice->index && !slice->naming[0] && slice->cycle == 0;

	if (plain && slice->runs == 1) {
		*run = slice->run - k;
		return slice->first + k;
	}
	*run = plain ? slice->run - k % slice->run : 1;
	return ls_slice_at(slice, k);
}

/* The storage from the k-th block of a slice of a node's own on; INPUT that is made goes to `made`. */
static struct span own(const struct ls_sweeping *s, const struct ls_lane *lane, int64_t rank,
	const struct ls_slice *slice, int64_t k, void *made)
{
	const struct ls_rows *rows = &lane->rows[slice->buffer];
	int64_t run;
	const int64_t block = numbers(slice, k, &run);

	if (!rows->base) {
		lane->make(s, rank, 1, block, made);
		return (struct span){ made, 1 };
	}
	if (rows->by_block != lane->bytes || !lane->even)
		run = 1;
	else if (run > 1 && run > rows->slots - block)
		run = block < rows->slots ? rows->slots - block : 1;
	return (struct span){ ls_lane_at(lane, rank, slice->buffer, block), run };
}

static struct span operand(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_slice *slice, int64_t k, void *made)
{
	const struct ls_sweeping *s = scene->worker->sweep;
	int64_t run;

	if (!is_arrival(slice))
		return own(s, lane, scene->rank, slice, k, made);

	const int q = slice->buffer - LS_ARRIVAL;
	const int64_t block = numbers(slice, k, &run);
	struct span span = own(s, lane, scene->does.from[q], scene->sent[q], block, made);

	if (span.blocks > run)
		span.blocks = run;
	return span;
}

/* Room for an operand that is made. */
static char *room(const struct ls_sweep_scene *scene, int number)
{
	return scene->worker->scratch + (size_t)number * (scene->worker->sweep->scratch_bytes / 2);
}

/* Elements of the k-th block of an operand; where lengths differ. */
static size_t length(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_slice *slice, int64_t k)
{
	int64_t rank = scene->rank, block = ls_slice_at(slice, k);

	if (is_arrival(slice)) {
		const int q = slice->buffer - LS_ARRIVAL;

		rank = scene->does.from[q];
		slice = scene->sent[q];
		block = ls_slice_at(slice, block);
	}
	return ls_buffer_length(lane->plan, rank, slice->buffer, block, &lane->measure);
}

static size_t elements(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_slice *slice, int64_t k)
{
	return lane->even ? lane->length : length(scene, lane, slice, k);
}

/* Is the k-th block of an operand as long as it should be? */
static bool fits(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_slice *slice, int64_t k, size_t expected)
{
	const struct ls_sweeping *s = scene->worker->sweep;
	const size_t found = lane->even ? expected : length(scene, lane, slice, k);
	const int64_t from =
		is_arrival(slice) ? scene->does.from[slice->buffer - LS_ARRIVAL] : LS_NOBODY;

	if (found == expected)
		return true;
	return ls_sweep_violated(scene->worker,
		(struct ls_sweep_fault){ LS_ERR_MATCH, scene->rank, from, scene->step },
		"node %" PRId64 " makes a block of %zu elements of one of %zu in round %" PRId64 " (%s)",
		ls_sweep_place(s, scene->rank), expected, found,
		ls_plan_round_of(s->plan, scene->step), ls_operation_name(s->plan->problem.operation));
}

/* The k-th block of dst, which lies at `to`, of the parts of an operand; they are `blocks` apart. */
static bool fold(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_move *move, int64_t k, char *to)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = ls_slice_blocks(&move->a) / blocks;
	const size_t n = elements(scene, lane, &move->dst, k), bytes = n * lane->combine.size;
	const struct span first = operand(scene, lane, &move->a, k, room(scene, 0));

	for (int64_t i = 0; i < parts && !lane->even; i++) {
		if (!fits(scene, lane, &move->a, i * blocks + k, n))
			return false;
	}
	if (parts == 1) {
		memcpy(to, first.at, bytes);
	} else if (blocks == 1 && first.blocks >= parts) {
		ls_fold(&lane->combine, to, first.at, (size_t)parts, bytes, n);
	} else {
		for (int64_t i = 1; i < parts; i++)
			ls_combine(&lane->combine, to, i == 1 ? first.at : to,
				operand(scene, lane, &move->a, i * blocks + k, room(scene, 1)).at, n);
	}
	return true;
}

/* Some blocks of a move from the k-th on: how many; 0: a violation. */
static int64_t some(const struct ls_sweep_scene *scene, const struct ls_lane *lane,
	const struct ls_move *move, int64_t k)
{
	const struct span dst = operand(scene, lane, &move->dst, k, NULL);
	const size_t n = elements(scene, lane, &move->dst, k);

	if (move->what == LS_FOLD)
		return fold(scene, lane, move, k, dst.at) ? 1 : 0;

	const struct span a = operand(
		scene, lane, &move->a, k, move->what == LS_COPY ? dst.at : room(scene, 0));
	int64_t blocks = a.blocks < dst.blocks ? a.blocks : dst.blocks;

	if (!fits(scene, lane, &move->a, k, n))
		return 0;
	if (move->what == LS_COMBINE) {
		const struct span b = operand(scene, lane, &move->b, k, room(scene, 1));

		if (!fits(scene, lane, &move->b, k, n))
			return 0;
		blocks = b.blocks < blocks ? b.blocks : blocks;
		ls_combine(&lane->combine, dst.at, a.at, b.at, (size_t)blocks * n);
	} else if (dst.at != a.at) {
		memmove(dst.at, a.at, (size_t)blocks * n * lane->combine.size);
	}
	return blocks;
}

static bool is_there(const struct ls_sweep_scene *scene, const struct ls_slice *slice)
{
	return !is_arrival(slice) || scene->sent[slice->buffer - LS_ARRIVAL];
}

/* Not what is made of a message that does not come: the message is left, or the result tells. */
static bool can_move(const struct ls_sweep_scene *scene, const struct ls_move *move)
{
	return is_there(scene, &move->a) && (move->what != LS_COMBINE || is_there(scene, &move->b));
}

/* One move in one lane; false: a violation. */
static bool make_all(
	const struct ls_sweep_scene *scene, const struct ls_lane *lane, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = 0, n; k < blocks; k += n) {
		n = some(scene, lane, move, k);
		if (n == 0)
			return false;
	}
	return true;
}

bool ls_sweep_moves(const struct ls_sweep_scene *scene)
{
	const struct ls_sweeping *s = scene->worker->sweep;

	for (int i = 0; i < LS_LANES; i++) {
		const struct ls_lane *lane = &s->lane[i];
		const int moves = lane->even && lane->bytes == 0 ? 0 : scene->does.n_moves;

		for (int m = 0; m < moves; m++) {
			const struct ls_move *move = &scene->does.move[m];

			if (can_move(scene, move) && !make_all(scene, lane, move))
				return false;
		}
	}
	return true;
}
