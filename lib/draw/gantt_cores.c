/*
 * The rows of the cores: the share of the nodes of a core that do not wait, as a curve with steps.
 *
 *           1        ----              --      of two nodes
 *          1/2   ----    --      ------
 *           0              ------              both wait
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "draw/gantt.h"

/* A node of the core begins (-1) or ends (+1) to wait. */
struct change {
	int64_t at;
	int working;
};

static int compare_changes(const void *one, const void *other)
{
	const struct change *a = one, *b = other;

	return (a->at > b->at) - (a->at < b->at);
}

static size_t collect_changes(
	const struct lsi_gantt *g, int core, int64_t *nodes, struct change *out)
{
	size_t n = 0;

	*nodes = 0;
	for (int64_t v = 0; v < g->s->nodes; v++) {
		if (lsi_gantt_core(g, v) != core)
			continue;
		++*nodes;
		for (size_t i = g->waits.first[v]; i < g->waits.first[v + 1]; i++) {
			out[n++] = (struct change){ g->waits.wait[i].begin, -1 };
			out[n++] = (struct change){ g->waits.wait[i].end, 1 };
		}
	}
	if (n > 0)
		qsort(out, n, sizeof *out, compare_changes);
	return n;
}

/* The rectangles below the curve; returns the number of their corners. */
static int put_corners(const struct lsi_gantt *g, const struct lsi_gantt_row *row,
	const struct change *change, size_t n, int64_t nodes, struct lsi_point *corner)
{
	const double bottom = row->top + row->height, full = row->height - 2;
	int64_t working = nodes, at = g->s->begin_ns;
	int corners = 0;

	for (size_t i = 0; i <= n; i++) {
		const int64_t end = i < n ? change[i].at : g->s->end_ns;

		if (end > at && working > 0) {
			corner[corners++] = (struct lsi_point){ lsi_time_axis_place(&g->axis, at),
				bottom - full * (double)working / (double)nodes };
			corner[corners++] = (struct lsi_point){ lsi_time_axis_place(&g->axis, end), bottom };
		}
		at = end;
		working += i < n ? change[i].working : 0;
	}
	return corners;
}

/* `change` has room for two of each wait. */
static void put_core(
	const struct lsi_gantt *g, const struct lsi_gantt_row *row, struct change *change)
{
	struct lsi_element area = lsi_element_at(LSI_SHAPE_AREA, (struct lsi_point){ 0, row->top });
	int64_t nodes;
	const size_t n = collect_changes(g, row->core, &nodes, change);
	struct lsi_point *corner = lsi_arena_take(&g->scene->arena, 2 * n + 2, sizeof *corner);

	g->scene->no_memory |= !corner;
	if (!corner)
		return;
	area.n_points = put_corners(g, row, change, n, nodes, corner);
	area.points = corner;
	area.variant = "work";
	area.core = row->core;
	area.begin_ns = g->s->begin_ns;
	area.end_ns = g->s->end_ns;
	lsi_scene_add(g->scene, &area);
}

int lsi_gantt_put_cores(const struct lsi_gantt *g)
{
	const size_t waits = g->waits.first[g->s->nodes];
	struct change *change = lsi_alloc((2 * waits + 1) * sizeof *change);

	if (!change)
		return LS_ERR_MEMORY;
	for (size_t i = 0; i < g->rows; i++) {
		if (g->row[i].node < 0)
			put_core(g, &g->row[i], change);
	}
	lsi_free(change);
	return LS_OK;
}
