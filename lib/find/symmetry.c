/*
 * Subgroups are the whole group, and those that one or two elements generate.  Of each size at most
 * two are kept.
 */
#include "find/symmetry.h"

#include <string.h>

#include "base/alloc.h"
#include "topology/topology_internal.h"

enum { OF_ONE_SIZE = 2 };

/* The products of all pairs of nodes: product[h * nodes + r]. */
struct group {
	int nodes;
	int16_t *product;
};

static int times(const struct group *g, int h, int r)
{
	return g->product[h * g->nodes + r];
}

/* The subgroup that a and b generate, as the images of node 0, the identity. */
static struct lsi_node_set generate(const struct group *g, int a, int b)
{
	struct lsi_node_set members = { 0 };
	int queue[LSI_FIND_NODES], last = 0;

	lsi_nodes_add(&members, 0);
	queue[last++] = 0;
	for (int first = 0; first < last; first++) {
		const int next[] = { times(g, queue[first], a), times(g, queue[first], b) };

		for (int i = 0; i < 2; i++)
			if (!lsi_nodes_has(&members, next[i])) {
				lsi_nodes_add(&members, next[i]);
				queue[last++] = next[i];
			}
	}
	return members;
}

static int size_of(const struct lsi_node_set *set)
{
	return __builtin_popcountll(set->word[0]) + __builtin_popcountll(set->word[1]);
}

/* Whether x is wanted by v if and only if h(x) is wanted by h(v). */
static bool keeps_goal(
	const struct group *g, const struct lsi_node_set *members, const struct lsi_goal *goal)
{
	for (int h = lsi_nodes_next(members, 0); h < g->nodes; h = lsi_nodes_next(members, h + 1))
		for (int v = 0; v < g->nodes; v++)
			for (int x = 0; x < g->nodes; x++)
				if (lsi_goal_has(goal, v, x) != lsi_goal_has(goal, times(g, h, v), times(g, h, x)))
					return false;
	return true;
}

/* Insert a subgroup by its size, unless it is there or there is no room for its size. */
static void insert(struct lsi_symmetries *s, const struct group *g, struct lsi_node_set members,
	const struct lsi_goal *goal)
{
	const int size = size_of(&members);
	int at = s->count, equal = 0;

	for (int i = 0; i < s->count; i++) {
		if (memcmp(&s->at[i].members, &members, sizeof members) == 0)
			return;
		equal += s->at[i].order == size;
	}
	while (at > 0 && s->at[at - 1].order < size)
		at--;
	if (size == 1 || equal >= OF_ONE_SIZE || at == LSI_SYMMETRIES || !keeps_goal(g, &members, goal))
		return;
	if (s->count < LSI_SYMMETRIES)
		s->count++;
	memmove(&s->at[at + 1], &s->at[at], (size_t)(s->count - 1 - at) * sizeof *s->at);
	s->at[at] = (struct lsi_symmetry){ .order = size, .members = members };
}

/* The arc with this sender and link; arcs are sorted by both. */
static int arc_at(const struct lsi_arcs *arcs, int from, int link)
{
	int a = 0;

	while (arcs->arc[a].from != from || arcs->arc[a].link != link)
		a++;
	return a;
}

/* The least image of each arc and pair. */
static void fill_orbits(struct lsi_symmetry *s, const struct group *g, const struct lsi_arcs *arcs)
{
	for (int a = 0; a < arcs->count; a++)
		s->arc[a] = a;
	for (int i = 0; i < g->nodes * g->nodes; i++)
		s->pair[i] = i;
	for (int h = lsi_nodes_next(&s->members, 0); h < g->nodes;
		 h = lsi_nodes_next(&s->members, h + 1)) {
		for (int a = 0; a < arcs->count; a++) {
			const int image = arc_at(arcs, times(g, h, arcs->arc[a].from), arcs->arc[a].link);

			s->arc[a] = image < s->arc[a] ? image : s->arc[a];
		}
		for (int v = 0; v < g->nodes; v++)
			for (int x = 0; x < g->nodes; x++) {
				const int image = times(g, h, v) * g->nodes + times(g, h, x);

				if (image < s->pair[v * g->nodes + x])
					s->pair[v * g->nodes + x] = image;
			}
	}
}

static int make_orbits(struct lsi_symmetries *s, const struct group *g, const struct lsi_arcs *arcs)
{
	for (int i = 0; i < s->count; i++) {
		s->at[i].arc = lsi_alloc((size_t)arcs->count * sizeof *s->at[i].arc);
		s->at[i].pair = lsi_alloc((size_t)(g->nodes * g->nodes) * sizeof *s->at[i].pair);
		if (!s->at[i].arc || !s->at[i].pair)
			return LS_ERR_MEMORY;
		fill_orbits(&s->at[i], g, arcs);
	}
	return LS_OK;
}

int lsi_symmetries_init(struct lsi_symmetries *s, const ls_topology *t, const struct lsi_arcs *arcs,
	const struct lsi_goal *goal)
{
	const int nodes = arcs->nodes;
	struct group g = { .nodes = nodes };
	struct lsi_node_set all = { 0 };
	int status;

	*s = (struct lsi_symmetries){ 0 };
	if (!t->network->product || !lsi_topology_is_group(t))
		return LS_OK;
	g.product = lsi_alloc((size_t)(nodes * nodes) * sizeof *g.product);
	if (!g.product)
		return LS_ERR_MEMORY;
	for (int h = 0; h < nodes; h++)
		for (int r = 0; r < nodes; r++)
			g.product[h * nodes + r] = (int16_t)t->network->product(t, h, r);
	for (int h = 0; h < nodes; h++)
		lsi_nodes_add(&all, h);
	insert(s, &g, all, goal);
	for (int a = 0; a < nodes; a++)
		for (int b = a; b < nodes; b++)
			insert(s, &g, generate(&g, a, b), goal);
	status = make_orbits(s, &g, arcs);
	lsi_free(g.product);
	return status;
}

void lsi_symmetries_fini(struct lsi_symmetries *s)
{
	for (int i = 0; i < s->count; i++) {
		lsi_free(s->at[i].arc);
		lsi_free(s->at[i].pair);
	}
}
