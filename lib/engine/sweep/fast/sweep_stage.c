/*
 * The memory of the fast path, and the execution of a stage: build and check its tables, agree with
 * the other processes, move; or only move, if the plan has kept its tables.
 */
#include "base/math.h"
#include "engine/sweep/fast/kept_tables.h"
#include "engine/sweep/fast/stage_tables.h"
#include "engine/sweep/fast/sweep_tree.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"

/* ---- Memory */

/* Whether the first, middle and last nodes have steps of single blocks. */
static bool has_cell_steps(const struct lsi_sweep_state *s, int64_t step)
{
	const struct lsi_algorithm *algorithm = s->plan->algorithm;
	const int64_t round = lsi_stage_round(s, step);
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
		&& (!whole->period || s->steps <= LSI_TABLE_STEPS)
		&& (whole->tree
			|| (has_cell_steps(s, lsi_min(s->plan->frame.has_prologue, s->steps - 1))
				&& has_cell_steps(s, s->steps - 1)));
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
	tables = lsi_memory_layout_take(layout, 1, lsi_stage_bytes_most(s));
	if (s->fast)
		s->fast->memory = tables;
	for (int i = 0; i < s->workers; i++) {
		tables = lsi_memory_layout_take(layout, 1,
			sizeof(struct lsi_sweep_worker_tables) + LSI_STAGING_BUFFERS * staging_bytes_of(s));
		if (!tables)
			continue;
		s->worker[i].tables = tables;
		lsi_sweep_worker_tables_of(&s->worker[i])->link = 0;
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
	fast->tile = lsi_stage_tile(s);
	fast->built_for = -1;
	pthread_mutex_init(&fast->mutex, NULL);
	if (!lsi_whole_machine_of(s->plan->algorithm)->tree && !s->request.memory && !s->request.trace)
		fast->kept = lsi_kept_tables_take(s, fast->tile);
	s->fast = fast;
	return LS_OK;
}

int64_t lsi_sweep_fast_kept(const struct lsi_sweep_state *s)
{
	return s->fast && s->fast->kept ? s->fast->kept->id : 0;
}

/* A traced sweep has other stages. */
void lsi_sweep_fast_begin(struct lsi_sweep_state *s, bool kept)
{
	struct lsi_sweep_fast *fast = s->fast;

	if (!fast || !fast->kept)
		return;
	if (s->exchange) {
		s->exchange->memory = fast->kept->chunks;
		s->exchange->bytes = fast->kept->chunk_bytes;
		fast->kept->chunks = NULL;
		fast->kept->chunk_bytes = 0;
	}
	fast->uses_kept =
		kept && fast->kept->id != 0 && fast->kept->most_workers == s->most_workers && !s->traced;
	if (!fast->uses_kept)
		lsi_kept_tables_begin(fast->kept, (int64_t)(s->seed >> 1 | 1), s->most_workers);
	fast->kept->incomplete |= s->traced;
}

static void return_kept(struct lsi_sweep_state *s)
{
	struct lsi_kept_tables *kept = s->fast->kept;

	if (!kept)
		return;
	if (s->exchange && s->exchange->memory) {
		kept->chunks = s->exchange->memory;
		kept->chunk_bytes = s->exchange->bytes;
		s->exchange->memory = NULL;
	}
	lsi_kept_tables_return(s, kept);
}

void lsi_sweep_fast_release(struct lsi_sweep_state *s)
{
	if (!s->fast)
		return;
	lsi_crossing_lists_release(s->fast->crossings);
	lsi_sweep_tree_release(s->fast->tree);
	return_kept(s);
	pthread_mutex_destroy(&s->fast->mutex);
	lsi_free(s->fast);
	s->fast = NULL;
}

/* ---- Execution */

/* The first worker to get here lays out the tables; all workers have left the previous stage. */
static void prepare_tables(struct lsi_sweep_worker *w, struct lsi_stage_steps stage)
{
	struct lsi_sweep_fast *fast = w->sweep->fast;

	pthread_mutex_lock(&fast->mutex);
	if (fast->built_for != w->barriers) {
		char *kept = fast->kept
			? lsi_kept_tables_reserve(fast->kept, stage.first, lsi_stage_bytes(w->sweep, stage))
			: NULL;

		lsi_stage_layout(w->sweep, stage, fast->step,
			&(struct lsi_memory_layout){ kept ? kept : fast->memory, 0 });
	}
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

static void execute_stage(
	struct lsi_sweep_worker *w, struct lsi_stage_steps stage, const struct lsi_peer_table *step)
{
	const struct lsi_chunk_step chunk_step = { &step->shapes, step->shape, step->origin, move_local,
		step };
	const struct lsi_sweep_part tiles =
		lsi_sweep_part_of(w, stage.tile ? (w->sweep->last - w->sweep->first) / stage.tile : 0);

	if (step->crosses) {
		lsi_sweep_chunks_run(w, &chunk_step);
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
static bool agree(struct lsi_sweep_worker *w, struct lsi_stage_steps *stage)
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

/* Execute a stage whose tables are kept. */
static int64_t execute_kept(struct lsi_sweep_worker *w, int64_t first)
{
	const struct lsi_kept_stage *kept = &w->sweep->fast->kept->stage[first];

	if (kept->lists) {
		if (w->number == 0)
			w->sweep->fast->crossings = kept->lists;
		if (!lsi_sweep_barrier(w))
			return -1;
	}
	execute_stage(w, (struct lsi_stage_steps){ first, kept->steps, kept->tile }, kept->table);
	return lsi_sweep_barrier(w) ? first + kept->steps : -1;
}

/* Worker 0: keep a stage that is over; without all its steps the plan does not suit. */
static void keep_stage(const struct lsi_sweep_state *s, struct lsi_stage_steps stage, int64_t steps)
{
	struct lsi_sweep_fast *fast = s->fast;

	if (!fast->kept)
		return;
	if (stage.steps < steps)
		fast->kept->incomplete = true;
	else
		lsi_kept_tables_add(s, fast->kept, stage.first,
			(struct lsi_kept_stage){ .steps = steps, .tile = stage.tile, .table = fast->step });
}

/* Build the tables of a stage, and check its messages; false: the sweep ends. */
static bool build_stage(struct lsi_sweep_worker *w, struct lsi_stage_steps *stage)
{
	struct lsi_peer_table *step = w->sweep->fast->step;
	const int64_t steps = stage->steps;

	prepare_tables(w, *stage);
	for (int64_t i = 0; i < steps; i++)
		lsi_peer_table_build(w, &step[i]);
	if (!meet(w))
		return false;
	for (int64_t i = 0; i < steps; i++)
		lsi_peer_table_check(w, &step[i]);
	return meet(w) && agree(w, stage);
}

int64_t lsi_sweep_stage(struct lsi_sweep_worker *w, int64_t first)
{
	struct lsi_sweep_state *s = w->sweep;
	struct lsi_sweep_fast *fast = s->fast;
	struct lsi_stage_steps stage;
	int64_t steps;

	if (!fast)
		return first;
	if (fast->uses_kept)
		return execute_kept(w, first);
	if (fast->tree && !ls_plan_is_local(s->plan, first))
		return lsi_sweep_tree_round(w, first);
	/* The messages of a step are traced before the next one. */
	stage = lsi_stage_at(s, s->traced ? 0 : fast->tile, first);
	steps = stage.steps;
	if (!has_cell_steps(s, first)) {
		if (w->number == 0)
			keep_stage(s, (struct lsi_stage_steps){ first, 0, 0 }, steps);
		return first;
	}
	if (!build_stage(w, &stage))
		return -1;
	if (stage.steps > 0 && fast->step->crosses && lsi_crossing_lists_have_any(s)
		&& !lsi_crossing_lists_make(w, fast->step))
		return -1;
	if (stage.steps > 0)
		execute_stage(w, stage, fast->step);
	if (w->number == 0)
		keep_stage(s, stage, steps);
	return lsi_sweep_barrier(w) ? first + stage.steps : -1;
}
