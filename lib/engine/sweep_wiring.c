#include "engine/sweep_wiring.h"

#include "engine/sweep_tree.h"
#include "plan/storage.h"
#include "topology/topology.h"

enum {
	CHUNK = 4096,                 /* nodes between two looks at progress */
	SAMPLE = 1009,                /* ranks between two at which a period is looked at    */
	TILE_BYTES = 768 * 1024,      /* of the blocks of a tile's nodes, beside tables in the second-level cache */
	TILES_EACH = 4                /* of every worker, at least                                                 */
};

static size_t round_up(size_t bytes)
{
	return (bytes + LS_CACHE_LINE - 1) / LS_CACHE_LINE * LS_CACHE_LINE;
}

static int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* ---- Which steps make a stage */

static int64_t round_of(const struct ls_sweeping *s, int64_t step)
{
	return step - s->plan->frame.lead;
}

static int64_t period_of(const struct ls_sweeping *s, int64_t step)
{
	const struct ls_algorithm *algorithm = s->plan->algorithm;
	const int64_t period =
		algorithm->period ? algorithm->period(s->plan, round_of(s, step)) : s->nodes;

	return period >= 1 && s->nodes % period == 0 ? period : s->nodes;
}

/* Ranks that a table holds. */
static int64_t entries_of(const struct ls_sweeping *s, int64_t period)
{
	return period < LS_BATCH ? smaller(period * (LS_BATCH / period), s->nodes) : period;
}

static int64_t common_multiple(int64_t x, int64_t y)
{
	int64_t a = x, b = y;

	for (int64_t rest; b > 0; a = b, b = rest)
		rest = a % b;
	return x / a * y;
}

/* Steps from one on, and the ranks of a block in which all their messages stay; 0: any. */
struct stage { int64_t first, steps, tile; };

/* Ranks of a tile; 0: there are no tiles. */
static int64_t tile_of(const struct ls_sweeping *s)
{
	const struct ls_plan *plan = s->plan;
	const int64_t blocks = ls_storage_cells(plan);
	size_t bytes = 1;

	for (int l = 0; l < LS_LANES; l++)
		bytes += s->lane[l].bytes * (size_t)blocks;
	return plan->algorithm->period && !s->asked.trace ? TILE_BYTES / (int64_t)bytes : 0;
}

static struct stage stage_at(const struct ls_sweeping *s, int64_t tile, int64_t step)
{
	struct stage stage = { step, 1, 0 };
	int64_t ranks = period_of(s, step);

	for (int64_t t = step + 1; ranks <= tile && t < s->steps && stage.steps < LS_STAGE_STEPS; t++) {
		const int64_t period = period_of(s, t);

		if (period > tile)
			break;
		ranks = common_multiple(ranks, period);
		if (ranks > tile || s->nodes / ranks < (s->workers > 1 ? TILES_EACH * s->workers : 1))
			break;
		stage.steps++;
		stage.tile = ranks;
	}
	return stage;
}

static int shapes_of(struct stage stage, int64_t period)
{
	return (int)smaller(period, stage.steps == 1 ? LS_STEP_SHAPES : LS_STAGE_SHAPES);
}

/* The tables of a stage one after another, their bytes; `memory` NULL: only those. */
static size_t lay(const struct ls_sweeping *s, struct stage stage, struct ls_wired_step *steps,
	char *memory)
{
	size_t used = 0;

	for (int64_t i = 0; i < stage.steps; i++) {
		const int64_t period = period_of(s, stage.first + i), entries = entries_of(s, period);
		const int room = shapes_of(stage, period);
		struct ls_wired_step *t = memory ? &steps[i] : NULL;

		if (t) {
			*t = (struct ls_wired_step){ .step = stage.first + i, .period = period,
				.entries = entries, .round = round_of(s, stage.first + i),
				.local = ls_plan_is_local(s->plan, stage.first + i) };
			t->from = (uint32_t *)(memory + used);
			t->shape = (uint16_t *)(memory + used + round_up((size_t)entries * sizeof *t->from));
		}
		used += round_up((size_t)entries * sizeof(uint32_t))
			+ round_up((size_t)entries * sizeof(uint16_t));
		used += ls_sweep_shapes_lay(t ? &t->shapes : NULL, room, t ? memory + used : NULL);
	}
	return used;
}

/* ---- The life of the wiring */

/* Is the step of some nodes, the last among them, one of single blocks? */
static bool promises(const struct ls_sweeping *s, int64_t step)
{
	const struct ls_algorithm *algorithm = s->plan->algorithm;
	const int64_t round = round_of(s, step);
	const bool local = ls_plan_is_local(s->plan, step);

	for (int64_t i = 0; i < 3; i++) {
		const int64_t rank = (s->nodes - 1) * i / 2;
		struct ls_cell_step does;

		if (!ls_cell_step(s->plan, rank, round,
				local || !algorithm->shape ? rank : algorithm->shape(s->plan, rank, round), &does))
			return false;
	}
	return true;
}

static bool suits(const struct ls_sweeping *s)
{
	const struct ls_problem *problem = &s->plan->problem;

	return s->nodes > 1 && s->nodes < LS_IDLE && s->mode == LS_HOP && !s->asked.embedding
		&& !s->asked.order && problem->ports == 1 && s->lane[LS_LANE_DATA].even
		&& s->plan->algorithm->shape && s->steps > 0
		&& (s->plan->algorithm->tree
			|| (promises(s, s->plan->frame.lead) && promises(s, s->steps - 1)));
}

/* Of the tables of whatever stage takes the most. */
static size_t tables(const struct ls_sweeping *s)
{
	const int64_t tile = tile_of(s);
	size_t most = lay(s, (struct stage){ 0, 1, 0 }, NULL, NULL);

	for (int64_t t = 0; s->plan->algorithm->period && t < s->steps;) {
		const struct stage stage = stage_at(s, tile, t);
		const size_t bytes = lay(s, stage, NULL, NULL);

		most = bytes > most ? bytes : most;
		t += stage.steps;
	}
	return most;
}

size_t ls_sweep_wiring_bytes(const struct ls_sweeping *s)
{
	if (!suits(s))
		return 0;
	return tables(s) + ls_sweep_tree_bytes(s);
}

static size_t room_bytes(const struct ls_sweeping *s)
{
	size_t bytes = LS_ROOM_BYTES;

	/* At least of two nodes, who talk to each other. */
	for (int l = 0; l < LS_LANES; l++)
		bytes = 2 * s->lane[l].bytes > bytes ? 2 * s->lane[l].bytes : bytes;
	return round_up(bytes);
}

size_t ls_sweep_wired_bytes(const struct ls_sweeping *s)
{
	return suits(s) ? sizeof(struct ls_sweep_desk) + LS_ROOMS * room_bytes(s) : 0;
}

int ls_sweep_wiring_make(struct ls_sweeping *s, char *memory)
{
	struct ls_sweep_wiring *wiring;

	if (!suits(s))
		return LS_OK;
	wiring = ls_alloc_zero(1, sizeof *wiring);
	if (!wiring)
		return LS_ERR_MEMORY;
	wiring->room = room_bytes(s);
	wiring->batch = LS_BATCH;
	for (int l = 0; l < LS_LANES; l++)
		if (s->lane[l].bytes > 0)
			wiring->batch = smaller(wiring->batch, (int64_t)(wiring->room / s->lane[l].bytes));
	wiring->tile = tile_of(s);
	wiring->memory = memory;
	wiring->laid = -1;
	pthread_mutex_init(&wiring->mutex, NULL);
	s->wiring = wiring;
	ls_sweep_tree_make(s, memory + tables(s));
	return LS_OK;
}

void ls_sweep_wiring_release(struct ls_sweeping *s)
{
	if (!s->wiring)
		return;
	pthread_mutex_destroy(&s->wiring->mutex);
	ls_free(s->wiring);
	s->wiring = NULL;
}

/* ---- Tables and laws */

struct part { int64_t begin, end; };

static struct part part_of(const struct ls_sweep_worker *w, int64_t n)
{
	const int64_t workers = w->sweep->workers, i = w->number;

	return (struct part){ n / workers * i + n % workers * i / workers,
		n / workers * (i + 1) + n % workers * (i + 1) / workers };
}

static void refuse(struct ls_wired_step *t)
{
	ls_store(&t->refused, true, relaxed);     /* the meeting orders it */
}

bool ls_sweep_linked(const struct ls_sweeping *s, int64_t from, int64_t to, int64_t *guess)
{
	const struct ls_topology *t = s->topology;

	if (*guess < t->network->degree(t, from) && t->network->neighbor(t, from, *guess) == to)
		return true;

	const int64_t link = ls_link_to(t, from, to);

	if (link >= 0)
		*guess = link;
	return link >= 0;
}

/* Whom a node hears and tells in this step; false: not as it must be in a period of one port. */
static bool talk(const struct ls_sweeping *s, const struct ls_wired_step *t, int64_t rank,
	struct ls_peers *peers)
{
	bool idle = true;

	for (int q = 0; q < LS_PORTS; q++)
		peers->to[q] = peers->from[q] = LS_NOBODY;
	s->plan->algorithm->peers(s->plan, rank, t->round, peers);
	for (int q = 1; q < LS_PORTS; q++)
		idle &= peers->to[q] == LS_NOBODY && peers->from[q] == LS_NOBODY;
	return idle && peers->to[0] < t->period && peers->from[0] < t->period
		&& (peers->to[0] >= 0 || peers->to[0] == LS_NOBODY)
		&& (peers->from[0] >= 0 || peers->from[0] == LS_NOBODY);
}

/* Rank i of the period, and the same place of all periods that the table holds. */
static void write_entry(struct ls_wired_step *t, int64_t i, int64_t from, int shape)
{
	for (int64_t j = 0; j < t->entries; j += t->period) {
		t->from[i + j] = from == LS_NOBODY ? LS_IDLE : (uint32_t)(from + j);
		t->shape[i + j] = (uint16_t)shape;
	}
}

static void build_local(struct ls_sweep_worker *w, struct ls_wired_step *t, struct part part)
{
	for (int64_t i = part.begin; i < part.end; i++) {
		const struct ls_shape_known known = ls_sweep_shape_by_deed(w, &t->shapes, i, t->round);

		if (known.shape < 0 || (i % CHUNK == 0 && ls_sweep_pause(w))) {
			refuse(t);
			return;
		}
		write_entry(t, i, LS_NOBODY, known.shape);
	}
}

/* Does the node do what its peers and the laws ask of it? */
static bool is_sound(struct ls_sweep_worker *w, const struct ls_wired_step *t, int64_t rank,
	const struct ls_peers *peers, const struct ls_shape_known *known)
{
	const struct ls_sweeping *s = w->sweep;
	const int64_t from = peers->from[0], to = peers->to[0];

	if (known->shape < 0 || known->receives != (from != LS_NOBODY)
			|| (to != LS_NOBODY && !known->sends))
		return false;
	if (known->rooted && !(t->period == s->nodes && rank == s->plan->problem.root))
		return false;
	return from == LS_NOBODY || ls_sweep_linked(s, rank, from, &ls_sweep_desk(w)->link);
}

static void build(struct ls_sweep_worker *w, struct ls_wired_step *t)
{
	const struct ls_plan *plan = w->sweep->plan;
	const struct part part = part_of(w, t->period);
	bool one_way = false;

	ls_sweep_shapes_begin(w, &t->shapes);
	if (t->local) {
		build_local(w, t, part);
		return;
	}
	for (int64_t i = part.begin; i < part.end; i++) {
		struct ls_peers peers;

		if (!talk(w->sweep, t, i, &peers) || (i % CHUNK == 0 && ls_sweep_pause(w))) {
			refuse(t);
			return;
		}

		const struct ls_shape_known known = ls_sweep_shape_of(
			w, &t->shapes, i, t->round, plan->algorithm->shape(plan, i, t->round));

		if (!is_sound(w, t, i, &peers, &known)) {
			refuse(t);
			return;
		}
		one_way |= peers.from[0] != peers.to[0];
		write_entry(t, i, peers.from[0], known.shape);
	}
	if (one_way)
		ls_store(&t->one_way, true, relaxed);     /* the meeting orders it */
}

static bool is_moved(int64_t peer, int64_t by, int64_t moved)
{
	return moved == (peer == LS_NOBODY ? LS_NOBODY : peer + by);
}

/* Is some of the worker's nodes not as its place in the first period says? */
static bool strays(struct ls_sweep_worker *w, const struct ls_wired_step *t)
{
	const struct ls_plan *plan = w->sweep->plan;
	const struct ls_algorithm *algorithm = plan->algorithm;
	struct ls_peers here, there;

	for (int64_t rank = w->first + t->step % SAMPLE; rank < w->last; rank += SAMPLE) {
		const int64_t place = rank % t->period, by = rank - place;

		talk(w->sweep, t, place, &here);
		talk(w->sweep, t, rank, &there);
		for (int q = 0; q < LS_PORTS; q++) {
			if (!is_moved(here.to[q], by, there.to[q]) || !is_moved(here.from[q], by, there.from[q]))
				return true;
		}
		if (algorithm->shape(plan, place, t->round) != algorithm->shape(plan, rank, t->round)
				|| (there.from[0] != LS_NOBODY
					&& !ls_sweep_linked(w->sweep, rank, there.from[0], &ls_sweep_desk(w)->link)))
			return true;
	}
	return false;
}

/* All that is sent is taken by those to whom it goes, and nobody waits for more. */
static void match(struct ls_sweep_worker *w, struct ls_wired_step *t)
{
	const struct part part = part_of(w, t->period);
	const bool one_way = ls_load(&t->one_way, relaxed);     /* as is that of `refused` */
	int64_t open = 0;
	bool sound = true;

	if (t->local || ls_load(&t->refused, relaxed))
		return;
	for (int64_t i = part.begin; i < part.end && !one_way; i++)
		sound &= t->from[i] == LS_IDLE || t->from[t->from[i]] == (uint32_t)i;
	for (int64_t i = part.begin; i < part.end && one_way; i++) {
		struct ls_peers peers;

		talk(w->sweep, t, i, &peers);
		open += (peers.to[0] != LS_NOBODY) - (peers.from[0] != LS_NOBODY);
		sound &= peers.to[0] == LS_NOBODY || t->from[peers.to[0]] == (uint32_t)i;
	}
	if (!sound || (t->period < w->sweep->nodes && strays(w, t)))
		refuse(t);
	ls_fetch_add(&t->open, open, relaxed);
}

/* ---- A stage */

/* The first worker to come lays the tables; all have left the stage before. */
static void begin(struct ls_sweep_worker *w, struct stage stage)
{
	struct ls_sweep_wiring *wiring = w->sweep->wiring;

	pthread_mutex_lock(&wiring->mutex);
	if (wiring->laid != w->meetings)
		lay(w->sweep, stage, wiring->step, wiring->memory);
	wiring->laid = w->meetings;
	pthread_mutex_unlock(&wiring->mutex);
}

/* Steps of the stage before the first that is refused. */
static int64_t good(struct ls_sweep_wiring *wiring, int64_t steps)
{
	int64_t i = 0;

	/* The meeting orders what others stored. */
	while (i < steps && !ls_load(&wiring->step[i].refused, relaxed)
			&& ls_load(&wiring->step[i].open, relaxed) == 0)
		i++;
	return i;
}

static void execute(struct ls_sweep_worker *w, struct stage stage)
{
	struct ls_wired_step *step = w->sweep->wiring->step;
	const struct part tiles = part_of(w, stage.tile ? w->sweep->nodes / stage.tile : 0);

	if (stage.tile == 0) {
		ls_sweep_columns(w, step, 0, w->first, w->last);
		return;
	}
	for (int64_t i = tiles.begin; i < tiles.end; i++) {
		const int64_t lo = i * stage.tile, hi = lo + stage.tile;

		for (int64_t t = 0; t < stage.steps; t++)
			ls_sweep_columns(w, &step[t], lo, lo, hi);
		if (ls_sweep_pause(w))
			return;
	}
}

int64_t ls_sweep_stage(struct ls_sweep_worker *w, int64_t first)
{
	struct ls_sweeping *s = w->sweep;
	struct ls_sweep_wiring *wiring = s->wiring;

	if (!wiring)
		return first;
	if (wiring->tree && !ls_plan_is_local(s->plan, first))
		return ls_sweep_tree_round(w, first);

	struct stage stage = stage_at(s, wiring->tile, first);

	if (!promises(s, first))
		return first;
	begin(w, stage);
	for (int64_t i = 0; i < stage.steps; i++)
		build(w, &wiring->step[i]);
	if (!ls_sweep_meet(w))
		return -1;
	for (int64_t i = 0; i < stage.steps; i++)
		match(w, &wiring->step[i]);
	if (!ls_sweep_meet(w))
		return -1;
	stage.steps = good(wiring, stage.steps);
	if (stage.steps > 0)
		execute(w, stage);
	return ls_sweep_meet(w) ? first + stage.steps : -1;
}
