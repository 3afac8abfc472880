/*
 * Stages: which steps execute together.
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
#include "engine/sweep/fast/stage_tables.h"

#include "base/math.h"
#include "plan/storage.h"
#include "topology/topology_internal.h"

enum {
	TILE_BYTES =
		768 * 1024, /* blocks of a tile; with their tables they fill a second-level cache */
	TILES_EACH = 4  /* minimum per worker */
};

int64_t lsi_stage_round(const struct lsi_sweep_state *s, int64_t step)
{
	return step - s->plan->frame.has_prologue;
}

static int64_t period_of(const struct lsi_sweep_state *s, int64_t step)
{
	const struct lsi_whole_machine *whole = lsi_whole_machine_of(s->plan->algorithm);
	const int64_t period =
		whole->period ? whole->period(s->plan, lsi_stage_round(s, step)) : s->nodes;

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

int64_t lsi_stage_tile(const struct lsi_sweep_state *s)
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

struct lsi_stage_steps lsi_stage_at(const struct lsi_sweep_state *s, int64_t tile, int64_t step)
{
	struct lsi_stage_steps stage = { step, 1, 0 };
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

static int shapes_of(struct lsi_stage_steps stage, int64_t period)
{
	return (int)lsi_min(period, stage.steps == 1 ? LSI_STEP_SHAPES : LSI_STAGE_SHAPES);
}

void lsi_stage_layout(const struct lsi_sweep_state *s, struct lsi_stage_steps stage,
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
				.round = lsi_stage_round(s, stage.first + i),
				.local = ls_plan_is_local(s->plan, stage.first + i),
				.from = from,
				.shape = shape,
				.shapes = shapes };
	}
}

size_t lsi_stage_bytes(const struct lsi_sweep_state *s, struct lsi_stage_steps stage)
{
	struct lsi_memory_layout layout = { NULL, 0 };

	lsi_stage_layout(s, stage, NULL, &layout);
	return layout.used;
}

/* After a refused step, a stage may begin at any step. */
size_t lsi_stage_bytes_most(const struct lsi_sweep_state *s)
{
	const int64_t tile = lsi_stage_tile(s);
	size_t most = lsi_stage_bytes(s, (struct lsi_stage_steps){ 0, 1, 0 });

	for (int64_t t = 0; lsi_whole_machine_of(s->plan->algorithm)->period && t < s->steps; t++) {
		const size_t bytes = lsi_stage_bytes(s, lsi_stage_at(s, tile, t));

		most = bytes > most ? bytes : most;
	}
	return most;
}
