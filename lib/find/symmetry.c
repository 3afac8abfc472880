/*
 * Groups are those that one, two or all automorphisms generate.  Of each size at most two are
 * kept, and of those with the same orbits of nodes one.
 */
#include "find/symmetry.h"

#include <string.h>

#include "base/alloc.h"
#include "find/automorphism.h"

enum { OF_ONE_SIZE = 2 };

struct group {
	const struct lsi_arcs *arcs;
	int generators;
	const uint8_t *generator[LSI_RENAMINGS]; /* the image of each node */
};

/* ---- Orbits: each member leads to a lesser one, the least to itself */

static int least_of(int *orbit, int i)
{
	while (orbit[i] != i)
		i = orbit[i] = orbit[orbit[i]];
	return i;
}

static void join(int *orbit, int i, int j)
{
	const int a = least_of(orbit, i), b = least_of(orbit, j);

	orbit[a > b ? a : b] = a < b ? a : b;
}

static void begin_orbits(int *orbit, int count)
{
	for (int i = 0; i < count; i++)
		orbit[i] = i;
}

/* Every member leads to the least one; returns the number of orbits. */
static int finish_orbits(int *orbit, int count)
{
	int orbits = 0;

	for (int i = 0; i < count; i++) {
		orbits += orbit[i] == i;
		orbit[i] = orbit[orbit[i]];
	}
	return orbits;
}

static void fill_nodes(const struct group *g, int *node)
{
	begin_orbits(node, g->arcs->nodes);
	for (int i = 0; i < g->generators; i++)
		for (int v = 0; v < g->arcs->nodes; v++)
			join(node, v, g->generator[i][v]);
	finish_orbits(node, g->arcs->nodes);
}

/* The number of orbits of pairs. */
static int fill_pairs(const struct group *g, int *pair)
{
	const int p = g->arcs->nodes;

	begin_orbits(pair, p * p);
	for (int i = 0; i < g->generators; i++)
		for (int v = 0; v < p; v++)
			for (int x = 0; x < p; x++)
				join(pair, v * p + x, g->generator[i][v] * p + g->generator[i][x]);
	return finish_orbits(pair, p * p);
}

/* Arcs are sorted by their sender; no two have the same ends. */
static int arc_between(const struct lsi_arcs *arcs, int from, int to)
{
	int a = 0;

	while (arcs->arc[a].from != from || arcs->arc[a].to != to)
		a++;
	return a;
}

static void fill_arcs(const struct group *g, int *orbit)
{
	begin_orbits(orbit, g->arcs->count);
	for (int i = 0; i < g->generators; i++)
		for (int a = 0; a < g->arcs->count; a++) {
			const struct lsi_arc *arc = &g->arcs->arc[a];

			join(orbit, a,
				arc_between(g->arcs, g->generator[i][arc->from], g->generator[i][arc->to]));
		}
	finish_orbits(orbit, g->arcs->count);
}

/* ---- Groups */

/* The size of the orbits of nodes if all are equal; else 0. */
static int order_of(const int *node, int nodes)
{
	int size[LSI_FIND_NODES] = { 0 };

	for (int v = 0; v < nodes; v++)
		size[node[v]]++;
	for (int v = 0; v < nodes; v++)
		if (size[node[v]] != size[0])
			return 0;
	return size[0];
}

/* Whether a group has these orbits of nodes: those of the pairs v, v. */
static bool has_orbits(const struct lsi_symmetry *s, const int *node, int nodes)
{
	for (int v = 0; v < nodes; v++)
		if (s->pair[v * nodes + v] != node[v] * nodes + node[v])
			return false;
	return true;
}

/* Whether there is room for a group of this size and with these orbits; *at: its position. */
static bool is_welcome(
	const struct lsi_symmetries *s, int order, const int *node, int nodes, int *at)
{
	int equal = 0;

	*at = s->count;
	for (int i = s->count - 1; i >= 0; i--) {
		if (has_orbits(&s->at[i], node, nodes))
			return false;
		equal += s->at[i].order == order;
		if (s->at[i].order < order)
			*at = i;
	}
	return order > 1 && equal < OF_ONE_SIZE && *at < LSI_SYMMETRIES;
}

static void release(struct lsi_symmetry *s)
{
	lsi_free(s->arc);
	lsi_free(s->pair);
}

/* If a pair has more images than a node, a member keeps a node. */
static int add_group(struct lsi_symmetries *s, const struct group *g)
{
	const int p = g->arcs->nodes;
	int node[LSI_FIND_NODES], at;
	struct lsi_symmetry next;

	fill_nodes(g, node);
	next.order = order_of(node, p);
	if (!is_welcome(s, next.order, node, p, &at))
		return LS_OK;
	next.arc = lsi_alloc((size_t)g->arcs->count * sizeof *next.arc);
	next.pair = lsi_alloc((size_t)(p * p) * sizeof *next.pair);
	if (!next.arc || !next.pair) {
		release(&next);
		return LS_ERR_MEMORY;
	}
	if (fill_pairs(g, next.pair) * next.order != p * p) {
		release(&next);
		return LS_OK;
	}
	fill_arcs(g, next.arc);
	if (s->count == LSI_SYMMETRIES)
		release(&s->at[--s->count]);
	memmove(&s->at[at + 1], &s->at[at], (size_t)(s->count - at) * sizeof *s->at);
	s->at[at] = next;
	s->count++;
	return LS_OK;
}

int lsi_symmetries_init(struct lsi_symmetries *s, const ls_topology *t, const struct lsi_arcs *arcs,
	const struct lsi_goal *goal)
{
	struct group g = { .arcs = arcs };
	struct lsi_renamings r;
	int status = lsi_renamings_init(&r, t, arcs, goal);

	*s = (struct lsi_symmetries){ 0 };
	for (int i = 0; i < r.count; i++)
		g.generator[g.generators++] = lsi_renaming(&r, i);
	if (status == LS_OK)
		status = add_group(s, &g);
	g.generators = 2;
	for (int i = 0; i < r.count && status == LS_OK; i++)
		for (int j = i; j < r.count && status == LS_OK; j++) {
			g.generator[0] = lsi_renaming(&r, i);
			g.generator[1] = lsi_renaming(&r, j);
			status = add_group(s, &g);
		}
	lsi_renamings_fini(&r);
	return status;
}

void lsi_symmetries_fini(struct lsi_symmetries *s)
{
	for (int i = 0; i < s->count; i++)
		release(&s->at[i]);
}
