/*
 * Symmetries of a search: the orbits are those of automorphisms that keep the goal.
 *
 * Distances agree in an orbit of pairs.  In an orbit of links no two leave, or enter, the same
 * node; all orbits have the size of the group.  A goal with a root has no symmetry.  The largest
 * group of each network is known.  First rounds that are fixed use one link, and no other.
 */
#include <string.h>

#include "find/first_rounds.h"
#include "find/symmetry.h"
#include "test.h"

/*
 * Of Cayley graphs all translations.  f26a, heawood and the 5-prism have a group as large as they
 * are; 25 nodes are moved by a group of the Hoffman-Singleton graph, and 5 by that of Petersen's.
 */
static const struct {
	const char *spec;
	int order; /* 0: no group */
} rows[] = { { "ring:9", 9 }, { "ring:8", 8 }, { "hypercube:4", 16 }, { "torus:3x5", 15 },
	{ "complete:6", 6 }, { "star:4", 24 }, { "pancake:4", 24 }, { "bubblesort:4", 24 },
	{ "ring:4*star:3", 24 }, { "linear:128", 2 }, { "mesh:4x4", 4 }, { "mesh:2x3x4", 4 },
	{ "mesh:3x3", 0 }, { "mesh:5x5", 0 }, { "debruijn:7", 2 }, { "debruijn:3*ring:3", 6 },
	{ "bintree:4", 0 }, { "graph:test/data/graphs/petersen.txt", 5 },
	{ "graph:test/data/graphs/heawood.txt", 14 }, { "graph:test/data/graphs/f26a.txt", 26 },
	{ "graph:test/data/graphs/prism5.txt", 10 }, { "graph:test/data/graphs/nauru.txt", 24 },
	{ "graph:test/data/graphs/hoffman-singleton.txt", 25 },
	{ "graph:test/data/graphs/wheel8.txt", 0 }, { "graph:test/data/graphs/rr3-64.txt", 0 } };

static void test_links(const struct lsi_symmetry *s, const struct lsi_arcs *arcs, const char *spec)
{
	int orbits = 0;

	for (int a = 0; a < arcs->count; a++) {
		struct lsi_node_set from = { 0 }, to = { 0 };
		int size = 0;

		if (s->arc[a] != a)
			continue;
		orbits++;
		for (int b = 0; b < arcs->count; b++)
			if (s->arc[b] == a) {
				CHECK(!lsi_nodes_has(&from, arcs->arc[b].from)
						&& !lsi_nodes_has(&to, arcs->arc[b].to),
					"%s, order %d: two links of orbit %d meet", spec, s->order, a);
				lsi_nodes_add(&from, arcs->arc[b].from);
				lsi_nodes_add(&to, arcs->arc[b].to);
				size++;
			}
		CHECK(size == s->order, "%s, order %d: orbit %d has %d links", spec, s->order, a, size);
	}
	CHECK(orbits * s->order == arcs->count, "%s, order %d: %d orbits", spec, s->order, orbits);
}

static void test_pairs(const struct lsi_symmetry *s, const struct lsi_arcs *arcs, const char *spec)
{
	int orbits = 0;

	for (int i = 0; i < arcs->nodes * arcs->nodes; i++) {
		orbits += s->pair[i] == i;
		CHECK(s->pair[i] <= i && s->pair[s->pair[i]] == s->pair[i]
				&& arcs->distance[s->pair[i]] == arcs->distance[i],
			"%s, order %d: pair %d", spec, s->order, i);
	}
	CHECK(orbits * s->order == arcs->nodes * arcs->nodes, "%s, order %d: %d orbits of pairs", spec,
		s->order, orbits);
}

/* The order of the largest group of an operation; 0: there is none. */
static int test_operation(const char *spec, enum ls_operation operation)
{
	struct ls_request request = { .size = sizeof request, .operation = operation };
	ls_topology *topology = NULL;
	struct lsi_symmetries s;
	struct lsi_arcs arcs;
	struct lsi_goal goal;

	CHECK(ls_topology_make(spec, &topology, NULL) == LS_OK, "%s", spec);
	CHECK(lsi_arcs_init(&arcs, topology, NULL) == LS_OK, "%s", spec);
	goal = lsi_goal_of(&request, arcs.nodes);
	CHECK(lsi_symmetries_init(&s, topology, &arcs, &goal) == LS_OK, "%s", spec);
	for (int i = 0; i < s.count; i++) {
		CHECK(s.at[i].order > 1 && arcs.nodes % s.at[i].order == 0
				&& (i == 0 || s.at[i].order <= s.at[i - 1].order),
			"%s: order %d", spec, s.at[i].order);
		test_links(&s.at[i], &arcs, spec);
		test_pairs(&s.at[i], &arcs, spec);
	}

	const int order = s.count ? s.at[0].order : 0;

	lsi_symmetries_fini(&s);
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
	return order;
}

/* A schedule of one round has a fixed first round if all nodes use its link, and no other link. */
static void test_first_rounds(void)
{
	const struct lsi_goal goal = { .backward = false };
	ls_topology *topology = NULL;
	struct lsi_arcs arcs;

	CHECK(ls_topology_make("star:4", &topology, NULL) == LS_OK, "star:4");
	CHECK(lsi_arcs_init(&arcs, topology, NULL) == LS_OK, "links");
	for (int fixed = 0; fixed < 3; fixed++)
		for (int used = 0; used < 4; used++) {
			const int64_t label = ls_link_label(topology, fixed);
			bool carries[24 * 3];
			const struct lsi_link_schedule s = {
				.arcs = &arcs, .rounds = 1, .ports = 1, .used = carries
			};
			struct lsi_first_rounds f;

			CHECK(arcs.count == 24 * 3
					&& lsi_first_rounds_init(&f, topology, &label, 1, &goal, NULL) == LS_OK,
				"link %d", fixed);
			for (int a = 0; a < arcs.count; a++)
				carries[a] = arcs.arc[a].link == used;
			CHECK(
				lsi_first_rounds_hold(&f, &s) == (used == fixed), "link %d, used %d", fixed, used);
		}
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
}

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const int order = test_operation(rows[i].spec, LS_ALLGATHER);

		CHECK(order == rows[i].order, "%s: order %d", rows[i].spec, order);
		CHECK(test_operation(rows[i].spec, LS_BROADCAST) == 0, "%s: a root is not moved",
			rows[i].spec);
		CHECK(test_operation(rows[i].spec, LS_SCAN) == 0, "%s: ranks are in order", rows[i].spec);
	}
	test_first_rounds();
	return test_result();
}
