/*
 * A part of a subject: some of its nodes, and the messages that they send or receive.
 *
 *   vertices   0 .. n - 1    the nodes of the part, by rank
 *              ..            switches on the routes between them
 *              ..            stubs: one for each pair of a node and a partner outside
 *
 * A message that leaves or enters the part ends at a stub.  So each message of its nodes is drawn
 * once, and equal pairs have one stub.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/subject.h"
#include "topology/subgraph.h"

enum { STUBBED_LINKS = 4 /* most links of a node, on average, that get stubs */ };

struct part {
	struct lsi_subject *s;
	const struct lsi_subject *whole;
	int64_t inner;          /* vertices without stubs */
	struct ls_record *pair; /* src: number of a node; dst: rank of its partner */
	size_t pairs;
};

/* ---- Vertices */

static int compare_ranks(const void *one, const void *other)
{
	const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* The number of a vertex of the whole; -1: it is not in the part. */
static int64_t number_of(const struct part *p, int64_t rank)
{
	const int64_t *found = p->inner == 0
		? NULL
		: bsearch(&rank, p->s->rank, (size_t)p->inner, sizeof rank, compare_ranks);

	return found ? found - p->s->rank : -1;
}

/* The switches between each node and the next one, each once. */
static void add_switches(struct part *p, int64_t nodes)
{
	const ls_topology *t = p->whole->topology;
	int64_t *rank = p->s->rank, found = nodes, kept = nodes;

	for (int64_t i = 1; i < nodes && found < p->inner; i++) {
		struct lsi_route route = lsi_route_begin(rank[i - 1], rank[i]);

		while (lsi_route_hop(t, &route) && found < p->inner)
			if (route.at >= ls_topology_nodes(t))
				rank[found++] = route.at;
	}
	qsort(rank + nodes, (size_t)(found - nodes), sizeof *rank, compare_ranks);
	for (int64_t i = nodes; i < found; i++)
		if (kept == nodes || rank[kept - 1] != rank[i])
			rank[kept++] = rank[i];
	p->inner = kept;
}

static int make_network(struct part *p, const int64_t *node, int64_t n)
{
	const ls_topology *t = p->whole->topology;
	const bool has_switches = ls_topology_vertices(t) > ls_topology_nodes(t);
	const int64_t hops = has_switches ? ls_topology_diameter(t) : 0;
	int failed;

	p->inner = n + (n - 1) * hops;
	p->s->rank = lsi_alloc((size_t)p->inner * sizeof *p->s->rank);
	if (!p->s->rank)
		return LS_ERR_MEMORY;
	memcpy(p->s->rank, node, (size_t)n * sizeof *node);
	add_switches(p, n);
	failed = lsi_subgraph_make(t, p->s->rank, p->inner, &p->s->owned);
	p->s->topology = p->s->owned;
	p->s->nodes = n;
	p->s->vertices = p->inner;
	return failed;
}

/* ---- Stubs */

static void add_pair(struct part *p, int64_t number, int64_t partner)
{
	p->pair[p->pairs++] = (struct ls_record){ .src = number, .dst = partner };
}

static void collect_messages(struct part *p)
{
	for (size_t i = 0; i < p->whole->messages; i++) {
		const struct ls_record *m = &p->whole->message[i];
		const int64_t src = number_of(p, m->src), dst = number_of(p, m->dst);

		if (src >= 0 && dst < 0)
			add_pair(p, src, m->dst);
		if (dst >= 0 && src < 0)
			add_pair(p, dst, m->src);
	}
}

static void collect_links(struct part *p)
{
	const ls_topology *t = p->whole->topology;

	for (int64_t v = 0; v < p->inner; v++) {
		for (int64_t l = 0; l < ls_degree(t, p->s->rank[v]); l++) {
			const int64_t to = ls_neighbor(t, p->s->rank[v], l);

			if (number_of(p, to) < 0)
				add_pair(p, v, to);
		}
	}
}

/* Each pair once. */
static void sort_pairs(struct part *p)
{
	size_t kept = 0;

	qsort(p->pair, p->pairs, sizeof *p->pair, lsi_compare_pairs);
	for (size_t i = 0; i < p->pairs; i++)
		if (kept == 0 || lsi_compare_pairs(&p->pair[kept - 1], &p->pair[i]) != 0)
			p->pair[kept++] = p->pair[i];
	p->pairs = kept;
}

/* Without messages, the links that leave the part have stubs, unless they are too many. */
static void find_pairs(struct part *p, bool has_stubs)
{
	p->pairs = 0;
	if (p->whole->rounds == 0) {
		collect_links(p);
		p->s->outer_links = (int64_t)p->pairs;
		has_stubs &= p->s->outer_links <= STUBBED_LINKS * p->inner;
	} else if (has_stubs) {
		collect_messages(p);
	}
	if (!has_stubs)
		p->pairs = 0;
	sort_pairs(p);
}

/* The stubs are numbered after the vertices, in the order of the pairs. */
static int make_stubs(struct part *p, bool has_stubs)
{
	const size_t links = (size_t)(p->inner * ls_topology_degree(p->whole->topology));
	const size_t most = p->whole->rounds ? p->whole->messages : links;
	struct lsi_subject *s = p->s;
	int64_t *larger;

	p->pair = lsi_alloc((2 * most + 1) * sizeof *p->pair);
	if (!p->pair)
		return LS_ERR_MEMORY;
	find_pairs(p, has_stubs);
	larger = lsi_alloc_grow(s->rank, (size_t)p->inner * sizeof *s->rank,
		((size_t)p->inner + p->pairs) * sizeof *s->rank);
	if (!larger)
		return LS_ERR_MEMORY;
	s->rank = larger;
	s->stub_node = lsi_alloc((p->pairs + 1) * sizeof *s->stub_node);
	if (!s->stub_node)
		return LS_ERR_MEMORY;
	for (size_t i = 0; i < p->pairs; i++) {
		s->rank[p->inner + (int64_t)i] = p->pair[i].dst;
		s->stub_node[i] = p->pair[i].src;
	}
	s->vertices = p->inner + (int64_t)p->pairs;
	return LS_OK;
}

/* -1: it has none. */
static int64_t stub_of(const struct part *p, int64_t number, int64_t partner)
{
	const struct ls_record key = { .src = number, .dst = partner };
	const struct ls_record *found =
		number < 0 ? NULL : bsearch(&key, p->pair, p->pairs, sizeof key, lsi_compare_pairs);

	return found ? p->inner + (found - p->pair) : -1;
}

/* ---- Messages */

/* Append the messages of a round that have an end in the part. */
static void copy_round(struct part *p, const struct lsi_drawn_round *from)
{
	struct lsi_subject *s = p->s;
	struct lsi_drawn_round *round = &s->round[s->rounds++];

	*round = (struct lsi_drawn_round){
		.first = s->messages, .load = from->load, .number = from->number
	};
	for (size_t i = 0; i < from->n; i++) {
		struct ls_record m = p->whole->message[from->first + i];
		const int64_t src = number_of(p, m.src), dst = number_of(p, m.dst);

		m.src = src >= 0 ? src : stub_of(p, dst, m.src);
		m.dst = dst >= 0 ? dst : stub_of(p, src, m.dst);
		if (m.src < 0 || m.dst < 0)
			continue;
		s->message[s->messages++] = m;
		s->words += (int64_t)m.words;
		s->inside += src >= 0 && dst >= 0;
	}
	round->n = s->messages - round->first;
	qsort(s->message + round->first, round->n, sizeof *s->message, lsi_compare_pairs);
	s->most = round->n > s->most ? round->n : s->most;
}

/* The contents stay those of the whole. */
static int share_contents(struct lsi_subject *s, const struct lsi_subject *whole)
{
	const size_t nodes = (size_t)s->nodes, entries = (s->rounds + 1) * nodes;

	if (!whole->contents)
		return LS_OK;
	s->contents = lsi_alloc(entries * sizeof *s->contents);
	for (size_t i = 0; s->contents && i < entries; i++)
		s->contents[i] =
			whole->contents[i / nodes * (size_t)whole->nodes + (size_t)s->rank[i % nodes]];
	return s->contents ? LS_OK : LS_ERR_MEMORY;
}

static int copy_messages(struct part *p)
{
	struct lsi_subject *s = p->s;

	s->message = lsi_alloc((p->whole->messages + 1) * sizeof *s->message);
	s->round = lsi_alloc((p->whole->rounds + 1) * sizeof *s->round);
	if (!s->message || !s->round)
		return LS_ERR_MEMORY;
	for (size_t k = 0; k < p->whole->rounds; k++)
		copy_round(p, &p->whole->round[k]);
	if (share_contents(s, p->whole) != LS_OK)
		return LS_ERR_MEMORY;
	return lsi_subject_find_repeats(s);
}

int lsi_subject_make_part(const struct lsi_subject *whole, const struct ls_drawing *drawing,
	const struct lsi_part_nodes *nodes, struct lsi_subject *s)
{
	struct part p = { .s = s, .whole = whole };
	int failed;

	*s = (struct lsi_subject){ .drawing = drawing,
		.whole = whole,
		.all_rounds = whole->all_rounds,
		.load = whole->load,
		.volume = whole->volume,
		.title = whole->title,
		.caption = whole->caption };
	failed = make_network(&p, nodes->node, nodes->n);
	if (!failed)
		failed = make_stubs(&p, nodes->has_stubs);
	if (!failed)
		failed = copy_messages(&p);
	s->root = failed || whole->root == LS_NO_RANK ? LS_NO_RANK : number_of(&p, whole->root);
	lsi_free(p.pair);
	return failed;
}
