/*
 * Automorphisms of a graph are found by backtracking: the nodes in the order of their distance from
 * node 0 get images of their color, so that all distances, and the goal, are kept.  Candidates are
 * tried from a random one on, and a search of too many steps is given up.
 *
 * Colors are refined from one for all: nodes have the same color if, at each distance, they see
 * equally many nodes of each color.  Colors are hashes; a collision costs time only.
 */
#include "find/automorphism.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "collective/matching/link_search.h"
#include "topology/topology_internal.h"

enum { SAMPLES = 256, SELECTED = 64, STEPS = 4096 };

/* Renaming of a search: image[v] of the first `placed` nodes in `order`. */
struct renamer {
	const struct lsi_arcs *arcs;
	const struct lsi_goal *goal;
	uint64_t color[LSI_FIND_NODES], state;
	uint8_t order[LSI_FIND_NODES], image[LSI_FIND_NODES];
	struct lsi_node_set taken;
	int steps;
};

static int distance(const struct lsi_arcs *arcs, int v, int x)
{
	return arcs->distance[v * arcs->nodes + x];
}

/* ---- Colors */

static int count_colors(const uint64_t *color, int nodes)
{
	int count = 0;

	for (int v = 0; v < nodes; v++) {
		bool is_new = true;

		for (int x = 0; x < v; x++)
			is_new &= color[x] != color[v];
		count += is_new;
	}
	return count;
}

static void refine_colors(const struct lsi_arcs *arcs, uint64_t *color)
{
	uint64_t next[LSI_FIND_NODES];
	int before, after = 1;

	memset(color, 0, (size_t)arcs->nodes * sizeof *color);
	do {
		before = after;
		for (int v = 0; v < arcs->nodes; v++) {
			next[v] = lsi_mix(color[v]);
			for (int x = 0; x < arcs->nodes; x++)
				next[v] += lsi_mix(color[x] + lsi_mix((uint64_t)distance(arcs, v, x) + 1));
		}
		memcpy(color, next, (size_t)arcs->nodes * sizeof *color);
		after = count_colors(color, arcs->nodes);
	} while (after > before);
}

/* ---- Backtracking */

/* Whether the image w of order[placed] keeps what relates it to the nodes before. */
static bool fits(const struct renamer *r, int placed, int w)
{
	const int v = r->order[placed];
	bool kept = r->color[v] == r->color[w] && !lsi_nodes_has(&r->taken, w)
		&& lsi_goal_has(r->goal, v, v) == lsi_goal_has(r->goal, w, w);

	for (int i = 0; i < placed && kept; i++) {
		const int x = r->order[i], y = r->image[x];

		kept = distance(r->arcs, v, x) == distance(r->arcs, w, y)
			&& lsi_goal_has(r->goal, v, x) == lsi_goal_has(r->goal, w, y)
			&& lsi_goal_has(r->goal, x, v) == lsi_goal_has(r->goal, y, w);
	}
	return kept;
}

static bool place(struct renamer *r, int placed)
{
	const int nodes = r->arcs->nodes;
	int first;

	if (placed == nodes)
		return true;
	first = (int)(lsi_search_random(&r->state) & 127);
	for (int i = 0; i < nodes && r->steps > 0; i++) {
		const int w = (first + i) % nodes;

		if (!fits(r, placed, w))
			continue;
		r->steps--;
		r->image[r->order[placed]] = (uint8_t)w;
		lsi_nodes_add(&r->taken, w);
		if (place(r, placed + 1))
			return true;
		lsi_nodes_remove(&r->taken, w);
	}
	return false;
}

/* An automorphism under which node 0 becomes w; false: none was found. */
static bool rename_to(struct renamer *r, int w)
{
	r->taken = (struct lsi_node_set){ 0 };
	r->steps = STEPS;
	if (!fits(r, 0, w))
		return false;
	r->image[0] = (uint8_t)w;
	lsi_nodes_add(&r->taken, w);
	return place(r, 1);
}

static void sort_nodes(struct renamer *r)
{
	int n = 0;

	for (int d = 0; n < r->arcs->nodes; d++)
		for (int v = 0; v < r->arcs->nodes; v++)
			if (distance(r->arcs, 0, v) == d)
				r->order[n++] = (uint8_t)v;
}

/* ---- Selection */

/* All cycles have the same length, above 1: then no power but the identity keeps a node. */
static bool moves_all(const uint8_t *image, int nodes)
{
	int length = 0;

	for (int v = 0; v < nodes; v++) {
		int size = 1;

		for (int x = image[v]; x != v; x = image[x])
			size++;
		if (size == 1 || (length && size != length))
			return false;
		length = size;
	}
	return true;
}

/* The first power of a renaming that moves all nodes. */
static bool take_power(const uint8_t *image, int nodes, uint8_t *power)
{
	memcpy(power, image, (size_t)nodes);
	for (int k = 1; k < nodes; k++) {
		if (moves_all(power, nodes))
			return true;
		for (int v = 0; v < nodes; v++)
			power[v] = image[power[v]];
	}
	return false;
}

static bool is_listed(const struct lsi_renamings *r, const uint8_t *image)
{
	for (int i = 0; i < r->count; i++)
		if (memcmp(lsi_renaming(r, i), image, (size_t)r->nodes) == 0)
			return true;
	return false;
}

static void list_automorphisms(
	struct lsi_renamings *out, const struct lsi_arcs *arcs, const struct lsi_goal *goal)
{
	struct renamer r = { .arcs = arcs, .goal = goal };

	refine_colors(arcs, r.color);
	sort_nodes(&r);
	for (int i = 0; i < SAMPLES && out->count < SELECTED; i++) {
		uint8_t *next = &out->image[out->count * out->nodes];

		if (rename_to(&r, i % arcs->nodes) && take_power(r.image, arcs->nodes, next)
			&& !is_listed(out, next))
			out->count++;
	}
}

static bool keeps_goal(const uint8_t *image, const struct lsi_goal *goal, int nodes)
{
	for (int v = 0; v < nodes; v++)
		for (int x = 0; x < nodes; x++)
			if (lsi_goal_has(goal, v, x) != lsi_goal_has(goal, image[v], image[x]))
				return false;
	return true;
}

static void list_translations(
	struct lsi_renamings *out, const ls_topology *t, const struct lsi_goal *goal)
{
	for (int h = 1; h < out->nodes; h++) {
		uint8_t *next = &out->image[out->count * out->nodes];

		for (int v = 0; v < out->nodes; v++)
			next[v] = (uint8_t)t->network->product(t, h, v);
		out->count += keeps_goal(next, goal, out->nodes);
	}
}

int lsi_renamings_init(struct lsi_renamings *out, const ls_topology *t, const struct lsi_arcs *arcs,
	const struct lsi_goal *goal)
{
	*out = (struct lsi_renamings){ .nodes = arcs->nodes,
		.image = lsi_alloc((size_t)(LSI_RENAMINGS + 1) * (size_t)arcs->nodes) };
	if (!out->image)
		return LS_ERR_MEMORY;
	if (t->network->product && lsi_topology_is_group(t))
		list_translations(out, t, goal);
	else
		list_automorphisms(out, arcs, goal);
	return LS_OK;
}

void lsi_renamings_fini(struct lsi_renamings *r)
{
	lsi_free(r->image);
}
