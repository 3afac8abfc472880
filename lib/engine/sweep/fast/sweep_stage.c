/*
 * Stages: which steps execute together, and their execution.
 *
 * A stage of several steps cuts the ranks into tiles that fit into a cache.  All its messages stay
 * inside tiles, so a worker takes one tile through all steps before it turns to the next.
 *
 *     ranks     0 .. 7    8 .. 15   16 .. 23  24 .. 31
 *     step 0    |         |         |         |            messages cross 1 rank
 *     step 1    |  tile 0 |  tile 1 |  tile 2 |  tile 3    messages cross 2 ranks
 *     step 2    |         |         |         |            messages cross 4 ranks
 *     step 3    messages cross 8 ranks: the next stage
 */
#include "base/math.h"
#include "engine/sweep/fast/sweep_tree.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/fast/sweep_fast.h"
#include "plan/storage.h"

enum {
	TILE_BYTES =
		768 * 1024,      /* blocks of a tile; with their tables they fill a second-level cache */
	TILES_EACH = 4,      /* minimum per worker */
	STEPS_MOST = 1 << 20 /* longer plans have no stages of several steps */
};

/* ---- Stages */

static int64_t round_of(const struct lsi_sweep_state *s, int64_t step)
{
	return step - s->plan->frame.has_prologue;
}

static int64_t period_of(const struct lsi_sweep_state *s, int64_t step)
{
	const struct lsi_whole_machine *whole = lsi_whole_machine_of(s->plan->algorithm);
	const int64_t period = whole->period ? whole->period(s->plan, round_of(s, step)) : s->nodes;

	return period >= 1 && s->nodes % period == 0 ? period : s->nodes;
}

/* Whether all messages of blocks of `ranks` ranks have both ends in one process. */
static bool is_inside_processes(const struct lsi_sweep_state *s, int64_t ranks)
{
	return s->unit % ranks == 0;
}

static int64_t local_nodes(const struct lsi_sweep_state *s)
{
	return s->last - s->first;
}

/* The number of ranks in a table. */
static int64_t entries_of(const struct lsi_sweep_state *s, int64_t period)
{
	return period > 0 && period < LSI_BATCH ? lsi_min(period * (LSI_BATCH / period), local_nodes(s))
											: period;
}

/* Consecutive steps. All their messages stay in aligned blocks of `tile` ranks; 0: no limit. */
struct stage {
	int64_t first, steps, tile;
};

/* The maximum of ranks in a tile; 0: no tiles. */
static int64_t tile_of(const struct lsi_sweep_state *s)
{
	const struct ls_plan *plan = s->plan;
	const int64_t blocks = lsi_storage_cells(plan);
	size_t bytes = 1;

	for (int l = 0; l < LSI_PAYLOADS; l++) {
		if (s->payload[l].bytes > TILE_BYTES)
			return 0; /* or an overflow */
		bytes += s->payload[l].bytes * (size_t)blocks;
	}
	return lsi_whole_machine_of(plan->algorithm)->period ? TILE_BYTES / (int64_t)bytes : 0;
}

/* The minimum of tiles in an average process. */
static int64_t least_tiles(const struct lsi_sweep_state *s)
{
	return s->most_workers > 1 ? (int64_t)TILES_EACH * s->most_workers : 1;
}

/* All processes have the same stages. */
static struct stage stage_at(const struct lsi_sweep_state *s, int64_t tile, int64_t step)
{
	struct stage stage = { step, 1, 0 };
	int64_t ranks = period_of(s, step);

	if (!is_inside_processes(s, ranks))
		return stage;
	for (int64_t t = step + 1; ranks <= tile && t < s->steps && stage.steps < LSI_STAGE_STEPS;
		 t++) {
		const int64_t period = period_of(s, t);

		if (period > tile)
			break;
		ranks = ranks / lsi_gcd(ranks, period) * period;
		if (ranks > tile || !is_inside_processes(s, ranks)
			|| s->nodes / ls_world_processes(s->world) / ranks < least_tiles(s))
			break;
		stage.steps++;
		stage.tile = ranks;
	}
	return stage;
}

static int shapes_of(struct stage stage, int64_t period)
{
	return (int)lsi_min(period, stage.steps == 1 ? LSI_STEP_SHAPES : LSI_STAGE_SHAPES);
}

/* Lay out the tables of a stage; `steps` NULL: only count their bytes. */
static void layout_tables(const struct lsi_sweep_state *s, struct stage stage,
	struct lsi_peer_table *steps, struct lsi_memory_layout *layout)
{
	for (int64_t i = 0; i < stage.steps; i++) {
		const int64_t repeats = period_of(s, stage.first + i);
		const bool crosses = !is_inside_processes(s, repeats);
		const int64_t period = crosses ? local_nodes(s) : lsi_min(repeats, local_nodes(s));
		const int64_t entries = entries_of(s, period);
		uint32_t *from = lsi_memory_layout_take(layout, (size_t)entries, sizeof *from);
		uint16_t *shape = lsi_memory_layout_take(layout, (size_t)entries, sizeof *shape);
		struct lsi_sweep_shapes shapes;

		lsi_sweep_shapes_layout(&shapes, shapes_of(stage, period), layout);
		if (steps)
			steps[i] = (struct lsi_peer_table){ .origin = s->first,
				.period = period,
				.entries = entries,
				.whole = period == local_nodes(s),
				.crosses = crosses,
				.round = round_of(s, stage.first + i),
				.local = ls_plan_is_local(s->plan, stage.first + i),
				.from = from,
				.shape = shape,
				.shapes = shapes };
	}
}

static size_t bytes_of(const struct lsi_sweep_state *s, struct stage stage)
{
	struct lsi_memory_layout layout = { NULL, 0 };

	layout_tables(s, stage, NULL, &layout);
	return layout.used;
}

/* ---- Memory */

/* Whether the first, middle and last nodes have steps of single blocks. */
static bool has_cell_steps(const struct lsi_sweep_state *s, int64_t step)
{
	const struct lsi_algorithm *algorithm = s->plan->algorithm;
	const int64_t round = round_of(s, step);
	const bool local = ls_plan_is_local(s->plan, step);

	for (int64_t i = 0; i < 3; i++) {
		const int64_t rank = (s->nodes - 1) * i / 2;
		struct lsi_cell_step actions;

		if (!lsi_cell_step_make(s->plan, rank, round,
				local || !algorithm->shape ? rank : algorithm->shape(s->plan, rank, round),
				&actions))
			return false;
	}
	return true;
}

static bool is_suitable(const struct lsi_sweep_state *s)
{
	const struct lsi_problem *problem = &s->plan->problem;
	const struct lsi_whole_machine *whole = lsi_whole_machine_of(s->plan->algorithm);

	return s->nodes > 1 && s->most_local < LSI_ELSEWHERE && s->mode == LS_HOP
		&& !s->request.embedding && !s->request.order && problem->ports == 1
		&& s->payload[LSI_PAYLOAD_DATA].uniform && s->plan->algorithm->shape && s->steps > 0
		&& (!whole->period || s->steps <= STEPS_MOST)
		&& (whole->tree
			|| (has_cell_steps(s, lsi_min(s->plan->frame.has_prologue, s->steps - 1))
				&& has_cell_steps(s, s->steps - 1)));
}

/* The bytes of the largest stage. After a refused step, a stage may begin at any step. */
static size_t table_bytes(const struct lsi_sweep_state *s)
{
	const int64_t tile = tile_of(s);
	size_t most = bytes_of(s, (struct stage){ 0, 1, 0 });

	for (int64_t t = 0; lsi_whole_machine_of(s->plan->algorithm)->period && t < s->steps; t++) {
		const size_t bytes = bytes_of(s, stage_at(s, tile, t));

		most = bytes > most ? bytes : most;
	}
	return most;
}

static size_t staging_bytes_of(const struct lsi_sweep_state *s)
{
	size_t bytes = LSI_STAGING_BYTES;

	/* A batch has two nodes at least: the two ends of a message. */
	for (int l = 0; l < LSI_PAYLOADS; l++)
		bytes = 2 * s->payload[l].bytes > bytes ? 2 * s->payload[l].bytes : bytes;
	return lsi_round_up(bytes, LSI_CACHE_LINE);
}

void lsi_sweep_fast_layout(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	if (!is_suitable(s))
		return;
	lsi_sweep_tree_layout(s, layout);
	lsi_crossing_lists_layout(s, layout);
}

void lsi_sweep_fast_layout_tables(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	char *tables;

	if (!is_suitable(s))
		return;
	tables = lsi_memory_layout_take(layout, 1, table_bytes(s));
	if (s->fast)
		s->fast->memory = tables;
	for (int i = 0; i < s->workers; i++) {
		tables = lsi_memory_layout_take(layout, 1,
			sizeof(struct lsi_sweep_worker_tables) + LSI_STAGING_BUFFERS * staging_bytes_of(s));
		if (!tables)
			continue;
		s->worker[i].tables = tables;
		lsi_sweep_worker_tables_of(&s->worker[i])->link = 0;
		lsi_sweep_worker_tables_of(&s->worker[i])->process = 0;
	}
}

int lsi_sweep_fast_make(struct lsi_sweep_state *s)
{
	struct lsi_sweep_fast *fast;

	if (!is_suitable(s))
		return LS_OK;
	fast = lsi_alloc_zero(1, sizeof *fast);
	if (!fast)
		return LS_ERR_MEMORY;
	fast->staging_bytes = staging_bytes_of(s);
	fast->batch = LSI_BATCH;
	for (int l = 0; l < LSI_PAYLOADS; l++)
		if (s->payload[l].bytes > 0)
			fast->batch =
				lsi_min(fast->batch, (int64_t)(fast->staging_bytes / s->payload[l].bytes));
	fast->tile = tile_of(s);
	fast->built_for = -1;
	pthread_mutex_init(&fast->mutex, NULL);
	s->fast = fast;
	return LS_OK;
}

void lsi_sweep_fast_release(struct lsi_sweep_state *s)
{
	if (!s->fast)
		return;
	lsi_crossing_lists_release(s->fast->crossings);
	lsi_sweep_tree_release(s->fast->tree);
	pthread_mutex_destroy(&s->fast->mutex);
	lsi_free(s->fast);
	s->fast = NULL;
}

/* ---- Execution */

/* The first worker to get here lays out the tables; all workers have left the previous stage. */
static void prepare_tables(struct lsi_sweep_worker *w, struct stage stage)
{
	struct lsi_sweep_fast *fast = w->sweep->fast;

	pthread_mutex_lock(&fast->mutex);
	if (fast->built_for != w->barriers)
		layout_tables(w->sweep, stage, fast->step, &(struct lsi_memory_layout){ fast->memory, 0 });
	fast->built_for = w->barriers;
	pthread_mutex_unlock(&fast->mutex);
}

/* The number of steps before the first refused step. */
static int64_t count_accepted_steps(struct lsi_sweep_fast *fast, int64_t steps)
{
	int64_t i = 0;

	while (i < steps && !lsi_load(&fast->step[i].refused, relaxed) /* after a barrier */
		&& lsi_load(&fast->step[i].unmatched, relaxed) == 0)       /* after a barrier */
		i++;
	return i;
}

static void move_local(struct lsi_sweep_worker *w, const void *table)
{
	const struct lsi_peer_table *t = table;

	lsi_sweep_columns(w, t, t->origin, w->first, w->last);
}

static void execute_crossing(struct lsi_sweep_worker *w, const struct lsi_peer_table *t)
{
	const struct lsi_chunk_step step = { &t->shapes, t->shape, t->origin, move_local, t };

	if (!lsi_crossing_lists_have_any(w->sweep) || lsi_crossing_lists_make(w, t))
		lsi_sweep_chunks_run(w, &step);
}

static void execute_stage(struct lsi_sweep_worker *w, struct stage stage)
{
	struct lsi_peer_table *step = w->sweep->fast->step;
	const struct lsi_sweep_part tiles =
		lsi_sweep_part_of(w, stage.tile ? local_nodes(w->sweep) / stage.tile : 0);

	if (step->crosses) {
		execute_crossing(w, step);
		return;
	}
	if (stage.tile == 0) {
		move_local(w, step);
		return;
	}
	for (int64_t i = tiles.begin; i < tiles.end; i++) {
		const int64_t lo = step->origin + i * stage.tile, hi = lo + stage.tile;

		for (int64_t t = 0; t < stage.steps; t++)
			lsi_sweep_columns(w, &step[t], lo, lo, hi);
		if (lsi_sweep_poll(w))
			return;
	}
}

/* The steps that all processes accept.  False: the sweep ends. */
static bool agree(struct lsi_sweep_worker *w, struct stage *stage)
{
	const struct lsi_peer_table *step = w->sweep->fast->step;
	const int64_t steps = stage->steps;

	stage->steps = count_accepted_steps(w->sweep->fast, steps);
	if (!w->sweep->world)
		return true;
	if (!step->crosses)
		return lsi_sweep_agree_stage(w, steps, 0, &stage->steps);
	return lsi_sweep_chunks_agree(w, stage->first, steps,
		lsi_peer_table_is_exchange(step) ? LSI_EXCHANGE : LSI_ONE_WAY, &stage->steps);
}

/* A barrier of the workers.  Only an agreement ends the sweep of several processes. */
static bool meet(struct lsi_sweep_worker *w)
{
	return lsi_sweep_barrier(w) || w->sweep->world;
}

int64_t lsi_sweep_stage(struct lsi_sweep_worker *w, int64_t first)
{
	struct lsi_sweep_state *s = w->sweep;
	struct lsi_sweep_fast *fast = s->fast;

	if (!fast)
		return first;
	if (fast->tree && !ls_plan_is_local(s->plan, first))
		return lsi_sweep_tree_round(w, first);

	/* The messages of a step are traced before the next one. */
	struct stage stage = stage_at(s, s->traced ? 0 : fast->tile, first);

	if (!has_cell_steps(s, first))
		return first;
	prepare_tables(w, stage);
	for (int64_t i = 0; i < stage.steps; i++)
		lsi_peer_table_build(w, &fast->step[i]);
	if (!meet(w))
		return -1;
	for (int64_t i = 0; i < stage.steps; i++)
		lsi_peer_table_check(w, &fast->step[i]);
	if (!meet(w) || !agree(w, &stage))
		return -1;
	if (stage.steps > 0)
		execute_stage(w, stage);
	return lsi_sweep_barrier(w) ? first + stage.steps : -1;
}
