/*
 * Binary de Bruijn network, undirected: the nodes are the words of D bits, and neighbors arise by
 * shifting a word one place and filling in either bit.  Loops and parallel links are dropped.
 * Links are in the order of the neighbors' ranks.
 *
 *   distance    2 (D - r) - |s|, least over all displacements s of the words, r being the longest
 *               run of places in which they then agree.  A word is a window of D on a tape of bits,
 *               which a walk moves: what it covers throughout must agree, the rest is filled in.  A
 *               walk that strays by a to one side, b to the other, and ends at s, covers D - a - b
 *               places throughout and takes 2 (a + b) - |s| steps.
 *   route       the neighbor of lowest rank on a shortest path
 *   diameter    D, between 0..0 and 1..1
 *   source      D. K. Pradhan, S. M. Reddy, "A fault-tolerant communication architecture for
 *               distributed systems", IEEE Trans. Computers 31(9), 1982
 */
#include "topology/bits.h"
#include "topology/layout.h"

#include "base/math.h"

/* In rising order. */
struct neighbors {
	int count;
	int64_t rank[4];
};

static struct neighbors neighbors(const struct ls_topology *t, int64_t word)
{
	const int64_t mask = t->nodes - 1, top = t->nodes / 2;
	const int64_t shifted[] = { word >> 1, word >> 1 | top, word << 1 & mask,
		(word << 1 | 1) & mask };
	struct neighbors n = { 0 };

	for (int i = 0; i < 4; i++) {
		int at = n.count;

		while (at > 0 && n.rank[at - 1] > shifted[i])
			at--;
		if (shifted[i] == word || (at > 0 && n.rank[at - 1] == shifted[i]))
			continue;
		for (int j = n.count++; j > at; j--)
			n.rank[j] = n.rank[j - 1];
		n.rank[at] = shifted[i];
	}
	return n;
}

static int init(struct ls_topology *t, struct ls_error *why)
{
	static const int64_t degrees[] = { 0, 1, 3, 4 };
	const int64_t dims = t->number[0];

	(void)why;
	t->nodes = (int64_t)1 << dims;
	t->degree = degrees[dims < 3 ? dims : 3];
	t->links = dims ? t->nodes - 3 + t->nodes : 0; /* 0..0 and 1..1 loop; 0101.. has a parallel */
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	return neighbors(t, rank).count;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return neighbors(t, rank).rank[link];
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct neighbors n = neighbors(t, from);

	for (int link = 0; link < n.count; link++)
		if (n.rank[link] == to)
			return link;
	return -1;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return link_to(t, neighbor(t, rank, link), rank);
}

static int longest_run(int64_t bits)
{
	int run = 0;

	for (; bits; bits &= bits >> 1)
		run++;
	return run;
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const int dims = (int)t->number[0];
	int64_t least = dims;

	for (int s = 0; s < dims; s++) {
		const int64_t mask = (t->nodes >> s) - 1;
		const int right = longest_run(~(from ^ to >> s) & mask);
		const int left = longest_run(~(to ^ from >> s) & mask);
		const int64_t hops = 2 * (dims - (left > right ? left : right)) - s;

		if (hops < least)
			least = hops;
	}
	return least;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct neighbors n = neighbors(t, from);
	const int64_t hops = distance(t, from, to);
	int64_t link = 0;

	while (distance(t, n.rank[link], to) >= hops) /* ends, as from != to */
		link++;
	return link;
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->number[0];
}

/* ---- Layers: 0 1, 10 11, 100 .. 111, a word above its two shifts to the left */

static int layer(int64_t word)
{
	return word > 0 ? lsi_log2_floor(word) : 0;
}

/* 0 is on the left of all words that it is linked to. */
static int place_layers(const struct ls_topology *t, struct lsi_point *place)
{
	place[0] = (struct lsi_point){ -0.7, 0 };
	for (int64_t w = 1; w < t->nodes; w++) {
		const int64_t width = (int64_t)1 << layer(w);
		const double spacing = (double)(t->nodes / 2) / (double)width;

		place[w] = (struct lsi_point){ spacing * ((double)(w - width) + 0.5), 1.6 * layer(w) };
	}
	return LS_OK;
}

/* A link within the last layer passes below it. */
static double bend_layers(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	(void)t;
	if (layer(from) != layer(to) || layer(from) == 0 || line == LSI_LINE_MESSAGE)
		return line == LSI_LINE_LINK ? 0 : lsi_arc_height(1);
	return from < to ? -lsi_arc_height(to - from) : lsi_arc_height(from - to);
}

const struct lsi_network lsi_network_debruijn = {
	.name = "debruijn",
	.form = "D",
	.text = "binary de Bruijn network, 2^D nodes",
	.examples = LSI_EXAMPLES(
		"debruijn:3", "debruijn:0", "debruijn:1", "debruijn:2", "debruijn:4", "debruijn:9"),
	.least = 0,
	.most = 62,
	.init = init,
	.degree = degree,
	.neighbor = neighbor,
	.reverse = reverse,
	.distance = distance,
	.first_hop = first_hop,
	.link_to = link_to,
	.diameter = diameter,
	.label = lsi_bits_label,
	.rank_of = lsi_bits_rank_of,
	.layouts = LSI_LAYOUTS({ .name = "circle", .place = lsi_place_circle, .bend = lsi_bend_circle },
		{ .name = "layers", .place = place_layers, .bend = bend_layers }),
};
