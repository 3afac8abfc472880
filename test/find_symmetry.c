/*
 * Symmetries of a search: the orbits are those of automorphisms that keep the goal.
 *
 * Distances agree in an orbit of pairs.  In an orbit of links no two leave, or enter, the same
 * node; all orbits have the size of the group.  A goal with a root has no symmetry, nor has a
 * network that is no Cayley graph.
 */
#include <string.h>

#include "find/symmetry.h"
#include "test.h"

static const char *const specs[] = { "ring:9", "ring:8", "hypercube:4", "torus:3x5", "complete:6",
	"star:4", "pancake:4", "bubblesort:4", "ring:4*star:3" };

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

/* The number of groups of an operation. */
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

	const int count = s.count;

	CHECK(count == 0 || operation != LS_ALLGATHER || s.at[0].order == arcs.nodes,
		"%s: not all translations", spec);
	lsi_symmetries_fini(&s);
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
	return count;
}

int main(void)
{
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		CHECK(test_operation(specs[i], LS_ALLGATHER) > 0, "%s: no symmetry", specs[i]);
		CHECK(test_operation(specs[i], LS_BROADCAST) == 0, "%s: a root is not moved", specs[i]);
	}
	CHECK(test_operation("mesh:3x3", LS_ALLGATHER) == 0, "mesh:3x3 is no Cayley graph");
	return test_result();
}
