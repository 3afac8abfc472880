/*
 * Every network obeys the laws of topology.h, and its degree, diameter, links and distances are
 * those that counting and a breadth-first search over its neighbors find.
 */
/* variants: release checked asan chaos */
#include "topology/topology_internal.h"

#include "support/guard.h"
#include "topology_specs.h"

enum { NODES_MAX = 5041, EXAMPLE_MAX = 1024, FAST_MAX = 128 };

static int64_t queue[NODES_MAX], hops[NODES_MAX];

/* Symmetric, no loop, no two wires to one neighbor; the wires counted are those stated. */
static void check_links(const ls_topology *t)
{
	const char *spec = ls_topology_spec(t);
	int64_t ends = 0, degree = 0;

	for (int64_t r = 0; r < ls_topology_vertices(t); r++) {
		const int64_t links = ls_degree(t, r);

		ends += links;
		degree = links > degree ? links : degree;
		for (int64_t l = 0; l < links; l++) {
			const int64_t s = ls_neighbor(t, r, l);
			const int64_t back = ls_reverse(t, r, l);

			CHECK(s >= 0 && s < ls_topology_vertices(t) && s != r,
				"%s: %lld link %lld leads to %lld", spec, (long long)r, (long long)l, (long long)s);
			CHECK(ls_neighbor(t, s, back) == r && ls_reverse(t, s, back) == l,
				"%s: %lld link %lld is not symmetric", spec, (long long)r, (long long)l);
			CHECK(ls_link_to(t, r, s) == l, "%s: two wires between %lld and %lld", spec,
				(long long)r, (long long)s);
		}
		CHECK(ls_neighbor(t, r, links) == LS_NO_RANK, "%s: %lld has one link more", spec,
			(long long)r);
	}
	CHECK(degree == ls_topology_degree(t), "%s: greatest degree %lld", spec, (long long)degree);
	CHECK(ends == 2 * ls_topology_links(t), "%s: %lld ends of links", spec, (long long)ends);
}

/* hops[r] from the source to every vertex; the greatest of those to processors. */
static int64_t search(const ls_topology *t, int64_t source)
{
	const int64_t p = ls_topology_vertices(t);
	int64_t head = 0, tail = 0, farthest = 0;

	for (int64_t r = 0; r < p; r++)
		hops[r] = -1;
	hops[source] = 0;
	queue[tail++] = source;
	while (head < tail) {
		const int64_t r = queue[head++], links = ls_degree(t, r);

		for (int64_t l = 0; l < links; l++) {
			const int64_t s = ls_neighbor(t, r, l);

			if (hops[s] < 0) {
				hops[s] = hops[r] + 1;
				queue[tail++] = s;
			}
		}
	}
	CHECK(tail == p, "%s: %lld of %lld vertices reached", ls_topology_spec(t), (long long)tail,
		(long long)p);
	for (int64_t r = 0; r < ls_topology_nodes(t); r++)
		farthest = hops[r] > farthest ? hops[r] : farthest;
	return farthest;
}

/* Metric and progress between every vertex and s, whose hops are known. */
static void check_pairs(const ls_topology *t, int64_t s)
{
	const char *spec = ls_topology_spec(t);

	for (int64_t r = 0; r < ls_topology_vertices(t); r++) {
		CHECK(ls_distance(t, r, s) == hops[r] && ls_distance(t, s, r) == hops[r],
			"%s: distance %lld to %lld is %lld, not %lld", spec, (long long)r, (long long)s,
			(long long)ls_distance(t, r, s), (long long)hops[r]);
		CHECK((ls_link_to(t, r, s) >= 0) == (hops[r] == 1), "%s: wire %lld to %lld", spec,
			(long long)r, (long long)s);
		if (r != s)
			CHECK(hops[ls_neighbor(t, r, ls_first_hop(t, r, s))] == hops[r] - 1,
				"%s: no progress from %lld to %lld", spec, (long long)r, (long long)s);
	}
	CHECK(ls_first_hop(t, s, s) == -1, "%s: a hop from %lld to itself", spec, (long long)s);
}

static void check_eccentricity(const ls_topology *t, int64_t s, int64_t farthest)
{
	const int64_t bound = lsi_topology_eccentricity(t, s);
	const bool exact = t->network->eccentricity || lsi_topology_is_group(t);

	CHECK(exact ? bound == farthest : bound <= farthest, "%s: eccentricity %lld of %lld, not %lld",
		ls_topology_spec(t), (long long)bound, (long long)s, (long long)farthest);
}

/* From every interval-th source, among which an end of a longest route must be. */
static void check_sources(const ls_topology *t, int64_t interval)
{
	const int64_t p = ls_topology_vertices(t);
	int64_t diameter = 0;

	check_links(t);
	for (int64_t s = 0; s < p; s += interval) {
		const int64_t farthest = search(t, s);

		if (s < ls_topology_nodes(t) && farthest > diameter)
			diameter = farthest;
		check_eccentricity(t, s, farthest);
		check_pairs(t, s);
	}
	CHECK(diameter == ls_topology_diameter(t), "%s: diameter %lld, not %lld", ls_topology_spec(t),
		(long long)ls_topology_diameter(t), (long long)diameter);
}

static void check_all_sources(const ls_topology *t)
{
	CHECK(ls_topology_vertices(t) <= EXAMPLE_MAX, "%s: an example too large for its test",
		ls_topology_spec(t));
	check_sources(t, 1);
}

/*
 * All sources where that is cheap, else some at equal intervals; in every network here an end of a
 * longest route is among them.
 */
static void check_some_sources(const ls_topology *t)
{
	const int64_t p = ls_topology_vertices(t);
	const int64_t sources = 4000000 / (p * (ls_topology_degree(t) + 10));

	if (is_fast() && p > FAST_MAX)
		return;
	check_sources(t, sources < p ? p / (sources + 1) + 1 : 1);
}

static void check_bounds(const ls_topology *t)
{
	const int64_t p = ls_topology_vertices(t);
	const int64_t outside[] = { -1, INT64_MIN, p, INT64_MAX };
	char label[8] = "?";

	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		const int64_t r = outside[i];

		CHECK(ls_degree(t, r) == -1 && ls_neighbor(t, r, 0) == LS_NO_RANK
				&& ls_reverse(t, r, 0) == -1 && ls_distance(t, r, 0) == -1
				&& ls_distance(t, 0, r) == -1 && ls_first_hop(t, 0, r) == -1
				&& ls_first_hop(t, r, 0) == -1 && ls_link_to(t, 0, r) == -1
				&& ls_neighbor(t, 0, r < 0 ? r : ls_topology_degree(t)) == LS_NO_RANK,
			"%s: rank %lld is answered", ls_topology_spec(t), (long long)r);
		CHECK(ls_label(t, r, label, sizeof label) == 0 && !*label, "%s: rank %lld has a label",
			ls_topology_spec(t), (long long)r);
	}
}

int main(void)
{
	visit_examples(check_all_sources);
	visit_small(check_some_sources);
	visit_large(check_some_sources);
	visit_small(check_bounds);
	return test_result();
}
