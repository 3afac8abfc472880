/*
 * Balanced binary trees: tree, whose processors are the P = 2^k leaves and all else switches, and
 * bintree, whose L levels are processors throughout.
 *
 * Inside, a vertex is its heap number: the root is 1, h lies above 2h and 2h + 1.  A bintree counts
 * ranks in this order, breadth first from left to right.  A tree counts them backward from the
 * last leaf, so leaves come first, from left to right, then the switches above them level by level:
 * P + i is above 2i and 2i + 1, for switches too.  Links in order: to the parent (not at the root),
 * to the left child, to the right child.  A switch of a tree is labeled with the leaves below it,
 * "4-7".
 *
 *   distance    up to the common ancestor and down
 *   route       the only one
 *   diameter    2 k, 2 (L - 1)
 */
#include "topology/layout.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/math.h"

static bool has_switches(const struct ls_topology *t)
{
	return lsi_topology_is(t, &lsi_network_tree);
}

/* Either way: the heap number of a rank, the rank of a heap number. */
static int64_t heap_of(const struct ls_topology *t, int64_t rank)
{
	return has_switches(t) ? t->vertices - rank : rank + 1;
}

static int64_t rank_at(const struct ls_topology *t, int64_t heap)
{
	return has_switches(t) ? t->vertices - heap : heap - 1;
}

/* 0: the left child of its parent, 1: the right one. */
static int side(const struct ls_topology *t, int64_t heap)
{
	return (int)(heap & 1) ^ has_switches(t);
}

static int finish(struct ls_topology *t, int64_t nodes, int64_t vertices)
{
	t->nodes = nodes;
	t->vertices = vertices;
	t->links = vertices - 1;
	t->degree = vertices < 3 ? 0 : vertices == 3 ? 2 : 3;
	return LS_OK;
}

static int init_tree(struct ls_topology *t, struct ls_error *why)
{
	const int64_t p = t->number[0], above = (int64_t)1 << lsi_log2_ceil(p);

	if (p != above)
		return lsi_error_set(why, LS_ERR_SPEC,
			"'%lld' is not a power of 2 in topology '%s'; "
			"the nearest are 'tree:%lld' and 'tree:%lld'",
			(long long)p, lsi_quote_make(t->spec, strlen(t->spec)).text, (long long)above / 2,
			(long long)above);
	return finish(t, p, p - 1 + p);
}

static int init_bintree(struct ls_topology *t, struct ls_error *why)
{
	const int64_t nodes = ((int64_t)1 << t->number[0]) - 1;

	(void)why;
	return finish(t, nodes, nodes);
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	const int64_t heap = heap_of(t, rank);

	return (heap > 1) + (heap <= t->vertices / 2 ? 2 : 0);
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const int64_t heap = heap_of(t, rank), child = link - (heap > 1);

	return rank_at(t, child < 0 ? heap / 2 : 2 * heap + (child ^ has_switches(t)));
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const int64_t heap = heap_of(t, rank);

	return heap > 1 && link == 0 ? (heap / 2 > 1) + side(t, heap) : 0;
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const int64_t a = heap_of(t, from), b = heap_of(t, to);
	const int deep = lsi_log2_floor(a), deeper = lsi_log2_floor(b) - deep;
	const int64_t split = deeper > 0 ? a ^ b >> deeper : a >> -deeper ^ b;
	const int64_t climb = split ? 2 * (lsi_log2_floor(split) + 1) : 0;

	return climb + (deeper > 0 ? deeper : -deeper);
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const int64_t a = heap_of(t, from), b = heap_of(t, to);
	const int deeper = lsi_log2_floor(b) - lsi_log2_floor(a);

	if (deeper <= 0 || b >> deeper != a)
		return 0;
	return (a > 1) + side(t, b >> (deeper - 1));
}

/* Up to the root, and down to a leaf on the other side. */
static int64_t eccentricity(const struct ls_topology *t, int64_t rank)
{
	return lsi_log2_floor(heap_of(t, rank)) + lsi_log2_floor(t->vertices);
}

static int64_t diameter(const struct ls_topology *t)
{
	return 2 * lsi_log2_floor(t->vertices);
}

static void label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	const int64_t heap = heap_of(t, rank);
	const int height = lsi_log2_floor(t->vertices) - lsi_log2_floor(heap);
	const int64_t leaves = (int64_t)1 << height;
	const int64_t first = rank_at(t, (heap << height) + (leaves - 1));

	if (height == 0)
		snprintf(text, LSI_LABEL_MAX, "%lld", (long long)rank);
	else
		snprintf(
			text, LSI_LABEL_MAX, "%lld-%lld", (long long)first, (long long)(first + leaves - 1));
}

static int64_t rank_of(const struct ls_topology *t, const char *text)
{
	int64_t first, last;
	const char *rest = lsi_read_number(text, &first);

	if (!rest || *rest != '-')
		return rest ? first : LS_NO_RANK;
	if (!lsi_read_number(rest + 1, &last) || last >= t->nodes || first > last)
		return LS_NO_RANK;
	return rank_at(t, heap_of(t, first) >> lsi_log2_floor(last - first + 1));
}

/* The leaves below each of two switches. */
static int64_t part(const struct ls_topology *t, int64_t nodes)
{
	(void)t;
	return nodes / 2;
}

/* ---- Layout: levels, with the leaves 1 apart and the root on top */

/* From a parent down to its children, which lie `aside` of it: not too flat. */
static double level_height(double aside)
{
	return aside > 2 ? aside / 2 : 1;
}

static int place_levels(const struct ls_topology *t, struct lsi_point *place)
{
	const int levels = lsi_log2_floor(t->vertices);
	double down = 0;

	for (int level = 0; level <= levels; level++) {
		const double apart = (double)((int64_t)1 << (levels - level));

		for (int64_t i = 0; i < (int64_t)1 << level; i++) {
			const int64_t heap =
				((int64_t)1 << level) + (has_switches(t) ? ((int64_t)1 << level) - 1 - i : i);

			place[rank_at(t, heap)] = (struct lsi_point){ apart * ((double)i + 0.5), down };
		}
		down += level_height(apart / 4);
	}
	return LS_OK;
}

#define TREE_FUNCTIONS \
	.degree = degree, .neighbor = neighbor, .reverse = reverse, .distance = distance, \
	.first_hop = first_hop, .eccentricity = eccentricity, .diameter = diameter, \
	.layouts = LSI_LAYOUTS({ .name = "levels", .place = place_levels })

const struct lsi_network lsi_network_tree = {
	.name = "tree",
	.form = "P",
	.text = "P = 2^k leaves, switches inside",
	.examples = LSI_EXAMPLES("tree:8", "tree:1", "tree:2", "tree:4", "tree:256"),
	.least = 1,
	.most = LS_NODES_MAX,
	.init = init_tree,
	TREE_FUNCTIONS,
	.part = part,
	.label = label,
	.rank_of = rank_of,
};

const struct lsi_network lsi_network_bintree = {
	.name = "bintree",
	.form = "L",
	.text = "complete binary tree, 2^L - 1 nodes",
	.examples = LSI_EXAMPLES("bintree:3", "bintree:1", "bintree:2", "bintree:4", "bintree:8"),
	.least = 1,
	.most = 62,
	.init = init_bintree,
	TREE_FUNCTIONS,
};
