/*
 * What an observer of ls_check sees: before and after each step the blocks of all nodes equal those
 * of an independent replay (test/bit_replay.h), in contents and in values; messages hold what the
 * sender held before the step; OUTPUT ends with what the operation defines; and the needed blocks
 * are those that, followed forward through the moves, reach a message or a result.
 *
 * Small networks of every kind, with all operations and algorithms.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>

#include <lockstep/check.h>

#include "bit_replay.h"
#include "support/cells.h"

struct watched {
	const struct cell *cell;
	struct bit_replay bits;
	int64_t seen, combined; /* calls of the observer, and of the operator */
};

static void put_operand(void *context, int64_t rank, int64_t block, void *out)
{
	(void)context;
	*(double *)out = operand_number(rank, block);
}

static void combine(void *context, const void *a, const void *b, void *out)
{
	struct watched *w = context;

	w->combined++;
	*(double *)out = combine_numbers(*(const double *)a, *(const double *)b);
}

/* ---- One block */

struct position {
	int64_t node;
	int buffer;
	int64_t block;
};

/* The ranks of the contents by ls_replay_next; 0 where first and count disagree with them. */
static uint64_t ranks_of(
	const ls_replay *replay, struct position at, const struct ls_contents *contents)
{
	const int64_t nodes = ls_plan_nodes(ls_replay_plan(replay));
	uint64_t held = 0, range = 0;

	for (int64_t r = ls_replay_next(replay, at.node, at.buffer, at.block, 0); r != LS_NO_RANK;
		 r = ls_replay_next(replay, at.node, at.buffer, at.block, r + 1))
		held |= (uint64_t)1 << r;
	for (int64_t i = 0; i < contents->count; i++)
		range |= (uint64_t)1 << (contents->first + i) % nodes;
	if (contents->holding == LS_HOLDS_RANGE)
		return held == range ? held : 0;
	return contents->first == __builtin_ctzll(held) && contents->count == __builtin_popcountll(held)
		? held
		: 0;
}

/* Whether a block holds what the independent replay found. */
static bool is_equal(const ls_replay *replay, struct position at, const struct bits *want)
{
	struct ls_contents got = { .size = sizeof got };
	double number = 0;

	if (ls_replay_contents(replay, at.node, at.buffer, at.block, &got) != LS_OK)
		return false;
	if (want->ranks == 0)
		return got.holding == LS_HOLDS_NOTHING && got.block == -1 && got.first == -1
			&& got.count == -1
			&& ls_replay_next(replay, at.node, at.buffer, at.block, 0) == LS_NO_RANK
			&& ls_replay_value(replay, at.node, at.buffer, at.block, &number) == LS_ERR_ARGUMENT;
	return ranks_of(replay, at, &got) == want->ranks && got.block == want->block
		&& got.ordered == want->ordered && got.repeated == want->repeated
		&& ls_replay_value(replay, at.node, at.buffer, at.block, &number) == LS_OK
		&& memcmp(&number, &want->number, sizeof number) == 0;
}

/* ---- All blocks of a step */

static void check_nodes(const struct watched *w, const ls_replay *replay)
{
	for (int buffer = 0; buffer < LS_BUFFERS; buffer++) {
		const int64_t blocks = ls_replay_blocks(replay, buffer);
		int64_t wrong = -1;

		CHECK(blocks == blocks_of(w->bits.plan, buffer), "%s: %" PRId64 " blocks in buffer %d",
			cell_name(w->cell).text, blocks, buffer);
		for (int64_t i = 0; i < w->bits.nodes * blocks; i++) {
			const struct position at = { i / blocks, buffer, i % blocks };

			if (!is_equal(replay, at, bits_at(&w->bits, w->bits.now, at.node, at.buffer, at.block)))
				wrong = i;
		}
		CHECK(wrong < 0, "%s: after step %" PRId64 ": node %" PRId64 ", buffer %d, block %" PRId64,
			cell_name(w->cell).text, w->bits.steps, wrong / blocks, buffer, wrong % blocks);
	}
}

/* After its step a message still shows the contents that were sent. */
static void check_messages(const struct watched *w, const ls_replay *replay)
{
	struct ls_step step;

	for (int64_t u = 0; u < w->bits.nodes; u++) {
		ls_plan_step(w->bits.plan, u, w->bits.steps - 1, &step);
		for (int q = 0; q < step.ports; q++) {
			const struct ls_slice *sent = &step.send[q];
			const int64_t blocks = step.to[q] == LS_NO_RANK ? 0 : ls_slice_blocks(sent);
			bool equal = true;

			for (int64_t k = 0; k < blocks; k++) {
				const struct position at = { u, sent->buffer, ls_slice_at(sent, k) };

				equal = equal
					&& is_equal(replay, at,
						bits_at(&w->bits, w->bits.before, at.node, at.buffer, at.block));
			}
			CHECK(equal, "%s: step %" PRId64 ": message from %" PRId64 " to %" PRId64,
				cell_name(w->cell).text, w->bits.steps, u, step.to[q]);
		}
	}
}

/* ---- Needs */

/*
 * Each block of a node is a mark.  The marks follow the moves from this state to the end of the
 * plan; those in messages and in the result are collected.
 */
enum { MARK_WORDS = 24 };
struct marks {
	uint64_t of[MARK_WORDS];
};

static int64_t place_of(const struct bit_replay *r, int64_t node, int buffer, int64_t block)
{
	return bits_at(r, r->now, node, buffer, block) - r->now - node * r->first[LS_BUFFERS];
}

/* One node, and the marks of its blocks. */
struct followed {
	const struct bit_replay *r;
	int64_t node;
	struct marks *held;
};

static void unite(struct marks *into, const struct marks *from)
{
	for (int i = 0; i < MARK_WORDS; i++)
		into->of[i] |= from->of[i];
}

/* The marks of one block; what arrives has none. */
static void unite_block(
	const struct followed *f, const struct ls_slice *slice, int64_t k, struct marks *into)
{
	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		unite(into, &f->held[place_of(f->r, f->node, slice->buffer, ls_slice_at(slice, k))]);
}

static void follow_move(const struct followed *f, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);

	for (int64_t k = 0; k < blocks; k++) {
		const int64_t end = move->action == LS_FOLD ? ls_slice_blocks(&move->a) : k + 1;
		struct marks made = { { 0 } };

		for (int64_t i = k; i < end; i += blocks)
			unite_block(f, &move->a, i, &made);
		if (move->action == LS_COMBINE)
			unite_block(f, &move->b, k, &made);
		f->held[place_of(f->r, f->node, move->dst.buffer, ls_slice_at(&move->dst, k))] = made;
	}
}

static void follow_step(const struct followed *f, int64_t t, struct marks *needed)
{
	struct ls_step step;

	ls_plan_step(f->r->plan, f->node, t, &step);
	for (int q = 0; q < step.ports; q++)
		for (int64_t k = 0; step.to[q] != LS_NO_RANK && k < ls_slice_blocks(&step.send[q]); k++)
			unite_block(f, &step.send[q], k, needed);
	for (int m = 0; m < step.n_moves; m++)
		follow_move(f, &step.move[m]);
}

static struct marks marks_needed(const struct bit_replay *r, int64_t node)
{
	const int64_t places = r->first[LS_BUFFERS];
	const struct followed f = { r, node, memory((size_t)places, sizeof *f.held) };
	struct marks needed = { { 0 } };

	for (int64_t i = 0; i < places; i++)
		f.held[i].of[i / 64] = (uint64_t)1 << i % 64;
	for (int64_t t = r->steps; t < ls_plan_steps(r->plan); t++)
		follow_step(&f, t, &needed);
	for (int64_t b = 0; b < blocks_of(r->plan, LS_OUTPUT) && has_buffer(r, node, LS_OUTPUT); b++)
		unite(&needed, &f.held[place_of(r, node, LS_OUTPUT, b)]);
	free(f.held);
	return needed;
}

static void check_needs(const struct watched *w, const ls_replay *replay, int64_t node)
{
	const struct bit_replay *r = &w->bits;
	const struct marks needed = marks_needed(r, node);

	for (int buffer = 0; buffer < LS_BUFFERS; buffer++) {
		for (int64_t b = 0; b < blocks_of(r->plan, buffer); b++) {
			const int64_t place = place_of(r, node, buffer, b);
			const bool want = has_buffer(r, node, buffer) && needed.of[place / 64] >> place % 64 & 1
				&& bits_at(r, r->now, node, buffer, b)->ranks;

			CHECK(ls_replay_needs(replay, node, buffer, b) == want,
				"%s: after step %" PRId64 ": node %" PRId64 " needs block %" PRId64
				" of buffer %d: %s",
				cell_name(w->cell).text, r->steps, node, b, buffer, want ? "yes" : "no");
		}
	}
}

/* Of four nodes, if the marks suffice. */
static void check_some_needs(const struct watched *w, const ls_replay *replay)
{
	const struct bit_replay *r = &w->bits;
	const int64_t node[] = { 0, r->nodes / 2, r->nodes - 1, w->cell->problem.root };

	for (size_t i = 0; i < 4 && r->first[LS_BUFFERS] <= 64 * MARK_WORDS; i++)
		check_needs(w, replay, node[i]);
}

static int observe(void *context, const ls_replay *replay)
{
	struct watched *w = context;

	CHECK(ls_replay_steps(replay) == w->seen++, "step %" PRId64, ls_replay_steps(replay));
	if (w->seen > 1) {
		bit_replay_step(&w->bits);
		check_messages(w, replay);
	}
	check_nodes(w, replay);
	check_some_needs(w, replay);
	return 0;
}

/* ---- The result, as each operation defines it */

static struct bits defined_at(const struct lsi_problem *p, int64_t node, int64_t b)
{
	const uint64_t all = UINT64_MAX >> (64 - p->nodes), me = (uint64_t)1 << node;

	switch (p->operation) {
	case LS_BROADCAST:
		return (struct bits){ .ranks = (uint64_t)1 << p->root, .block = b };
	case LS_SCAN:
		return (struct bits){ .ranks = me | (me - 1), .block = b };
	case LS_EXSCAN:
		return (struct bits){ .ranks = me - 1, .block = b };
	case LS_ALLGATHER:
	case LS_GATHER:
		return (struct bits){ .ranks = (uint64_t)1 << b, .block = 0 };
	case LS_REDUCE_SCATTER:
		return (struct bits){ .ranks = all, .block = node };
	case LS_SCATTER:
		return (struct bits){ .ranks = (uint64_t)1 << p->root, .block = node };
	case LS_ALLTOALL:
		return (struct bits){ .ranks = (uint64_t)1 << b, .block = node };
	case LS_SHIFT:
		return (struct bits){
			.ranks = (uint64_t)1 << (node - p->shift % p->nodes + p->nodes) % p->nodes, .block = 0
		};
	default:
		return (struct bits){ .ranks = all, .block = b };
	}
}

static void check_results(const struct watched *w)
{
	const struct lsi_problem *p = &w->cell->problem;

	for (int64_t u = 0; u < p->nodes; u++)
		for (int64_t b = 0; b < blocks_of(w->bits.plan, LS_OUTPUT); b++) {
			const struct bits want = defined_at(p, u, b),
							  *got = bits_at(&w->bits, w->bits.now, u, LS_OUTPUT, b);

			if (has_buffer(&w->bits, u, LS_OUTPUT) && want.ranks)
				CHECK(got->ranks == want.ranks && got->block == want.block,
					"%s: result %" PRId64 " of node %" PRId64, cell_name(w->cell).text, b, u);
		}
}

/* How many plans were watched, and whose turn it is. */
struct progress {
	int64_t cells, turns;
};

static void watch(const struct cell *cell)
{
	struct ls_plan *plan = plan_of(cell);
	struct watched w = { .cell = cell, .bits = bit_replay_make(plan) };
	const struct ls_observer observer = { .size = sizeof observer,
		.observe = observe,
		.context = &w,
		.bytes = sizeof(double),
		.operand = put_operand,
		.combine = combine,
		.needs = true };
	const struct ls_check_options options = { .size = sizeof options, .observer = &observer };
	struct ls_certificate c = { .size = sizeof c };

	CHECK(ls_check(plan, 5, &options, &c) == LS_OK, "%s: %s", cell_name(cell).text, c.text);
	CHECK(w.seen == ls_plan_steps(plan) + 1, "%s: seen %" PRId64, cell_name(cell).text, w.seen);
	CHECK(w.combined <= w.bits.combinations, "%s: %" PRId64 " combinations evaluated of %" PRId64,
		cell_name(cell).text, w.combined, w.bits.combinations);
	check_results(&w);
	bit_replay_end(&w.bits);
	ls_plan_destroy(plan);
}

static void test_cell(const struct cell *cell, void *context)
{
	struct progress *progress = context;

	if (!is_turn(cell, &progress->turns))
		return;
	watch(cell);
	progress->cells++;
}

int main(void)
{
	const int networks = is_fast() ? SMALL_KINDS : is_thin() ? SMALL_THIN : SMALL;
	struct progress progress = { 0, 0 };

	for (int i = 0; i < networks; i++) {
		ls_topology *t = topology_of(small_networks[i]);

		each_cell(t, 2, test_cell, &progress);
		ls_topology_destroy(t);
	}
	CHECK(progress.cells > 900, "only %" PRId64 " plans", progress.cells);
	printf("%" PRId64 " plans\n", progress.cells);
	return test_result();
}
