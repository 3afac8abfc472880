/*
 * Routes equal those of the definitions, which this file restates on labels.
 */
#include "topology_specs.h"

enum { TEXT = 256 };

static void check_star_routes(const ls_topology *t)
{
	const int64_t p = ls_topology_nodes(t);
	char at[TEXT], to[TEXT], label[TEXT];

	for (int64_t r = 0; r < p; r++)
		for (int64_t s = 0; s < p; s++) {
			ls_label(t, r, at, sizeof at);
			ls_label(t, s, to, sizeof to);
			for (int64_t u = r; u != s;) {
				const char symbol = at[0];
				size_t k = (size_t)(strchr(to, symbol) - to);

				while (k == 0 || (at[0] == to[0] && at[k] == to[k]))
					k++;
				at[0] = at[k];
				at[k] = symbol;
				u = ls_neighbor(t, u, ls_first_hop(t, u, s));
				ls_label(t, u, label, sizeof label);
				CHECK(!strcmp(at, label), "%s to %s: %s, by the rule %s", ls_topology_spec(t), to,
					label, at);
			}
		}
}

static void check_known_routes(void)
{
	static const struct {
		const char *spec, *from, *to, *route;
	} known[] = {
		{ "linear:6", "5", "2", " 4 3 2" },
		{ "linear:6", "1", "3", " 2 3" },
		{ "ring:8", "1", "5", " 2 3 4 5" },
		{ "ring:8", "5", "1", " 6 7 0 1" },
		{ "ring:8", "0", "5", " 7 6 5" },
		{ "ring:2", "1", "0", " 0" },
		{ "mesh:3x4", "(2,0)", "(0,2)", " (2,1) (2,2) (1,2) (0,2)" },
		{ "torus:4x4", "(0,0)", "(2,2)", " (0,1) (0,2) (1,2) (2,2)" },
		{ "torus:5x5", "(0,0)", "(4,3)", " (0,4) (0,3) (4,3)" },
		{ "torus:2x3", "(1,2)", "(0,0)", " (1,0) (0,0)" },
		{ "hypercube:4", "0000", "1011", " 0001 0011 1011" },
		{ "hypercube:4", "1111", "0101", " 1101 0101" },
		{ "complete:5", "4", "1", " 1" },
		{ "star:4", "2143", "1234", " 1243 4213 3214 1234" },
		{ "star:4", "1234", "2143", " 2134 3124 4123 2143" },
		{ "star:4", "1234", "1324", " 2134 3124 1324" },
		{ "tree:8", "0", "3", " 0-1 0-3 2-3 3" },
		{ "tree:8", "5", "4", " 4-5 4" },
		{ "tree:8", "0-3", "6", " 0-7 4-7 6-7 6" },
		{ "bintree:4", "7", "5", " 3 1 0 2 5" },
		{ "bintree:4", "0", "14", " 2 6 14" },
		{ "debruijn:3", "000", "110", " 100 110" },
		{ "debruijn:4", "0011", "1100", " 0110 1100" },
		{ "debruijn:4", "0000", "1111", " 0001 0011 0111 1111" },
		{ "bubblesort:4", "4321", "1234", " 3421 3241 2341 2314 2134 1234" },
		{ "linear:3*linear:4", "(2,0)", "(0,2)", " (1,0) (0,0) (0,1) (0,2)" },
		{ "ring:3*star:3*hypercube:2", "(0,123,00)", "(2,132,11)",
			" (2,123,00) (2,213,00) (2,312,00) (2,132,00) (2,132,01) (2,132,11)" },
		{ "mct:2,2", "(1,1)", "(2,2)", " (0,1) (2,1) (2,0) (2,2)" },
		{ "graph:test/data/petersen", "0", "2", " 1 2" },
		{ "graph:test/data/petersen", "7", "4", " 9 4" },
		{ "pancake:4", "4321", "1234", " 1234" },
		{ "pancake:4", "2413", "1234", " 4213 3124 2134 1234" },
	};
	char route[TEXT], label[TEXT];

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);
		const int64_t to = ls_rank_of(t, known[i].to);

		*route = '\0';
		for (int64_t u = ls_rank_of(t, known[i].from); u != to && strlen(route) < TEXT / 2;) {
			u = ls_neighbor(t, u, ls_first_hop(t, u, to));
			ls_label(t, u, label, sizeof label);
			strcat(strcat(route, " "), label);
		}
		CHECK(!strcmp(route, known[i].route), "%s, %s to %s:%s", known[i].spec, known[i].from,
			known[i].to, route);
		ls_topology_destroy(t);
	}
}

/*
 * If the definition names no route: the lowest link of all that lead nearer.  Where neighbors are
 * sorted, links lead to neighbors in rising order.
 */
static void check_lowest(const ls_topology *t)
{
	const bool by_number =
		!strcmp(ls_topology_kind(t), "debruijn") || !strcmp(ls_topology_kind(t), "graph");

	for (int64_t r = 0; r < ls_topology_nodes(t); r++) {
		for (int64_t l = 1; by_number && l < ls_degree(t, r); l++)
			CHECK(ls_neighbor(t, r, l - 1) < ls_neighbor(t, r, l), "%s: %lld link %lld",
				ls_topology_spec(t), (long long)r, (long long)l);
		for (int64_t s = 0; s < ls_topology_nodes(t); s++) {
			const int64_t hops = ls_distance(t, r, s);
			int64_t l = 0;

			while (s != r && ls_distance(t, ls_neighbor(t, r, l), s) >= hops)
				l++;
			CHECK(s == r || ls_first_hop(t, r, s) == l, "%s: %lld to %lld over %lld",
				ls_topology_spec(t), (long long)r, (long long)s, (long long)ls_first_hop(t, r, s));
		}
	}
}

/* mesh:2x2x2, torus:2x2x2 and hypercube:3 are one network, link by link and route by route. */
static void check_cubes(void)
{
	ls_topology *cube[] = { topology("hypercube:3"), topology("mesh:2x2x2"),
		topology("torus:2x2x2") };

	for (int i = 1; i < 3; i++)
		for (int64_t r = 0; r < 8; r++) {
			for (int64_t l = 0; l < 3; l++)
				CHECK(ls_neighbor(cube[i], r, l) == ls_neighbor(cube[0], r, l), "%lld link %lld",
					(long long)r, (long long)l);
			for (int64_t s = 0; s < 8; s++)
				CHECK(ls_first_hop(cube[i], r, s) == ls_first_hop(cube[0], r, s), "%lld to %lld",
					(long long)r, (long long)s);
		}
	for (int i = 0; i < 3; i++)
		ls_topology_destroy(cube[i]);
}

/* So are a product of grids and the grid with all their sides, but for the routes. */
static void check_products(void)
{
	static const char *const same[][2] = { { "hypercube:1*hypercube:2", "hypercube:3" },
		{ "linear:2*linear:3", "mesh:2x3" }, { "ring:3*ring:4*ring:2", "torus:3x4x2" },
		{ "mesh:3x2*linear:3", "mesh:3x2x3" }, { "linear:4*hypercube:2", "mesh:4x2x2" } };

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		ls_topology *product = topology(same[i][0]), *grid = topology(same[i][1]);

		for (int64_t r = 0; r < ls_topology_nodes(grid); r++) {
			CHECK(ls_degree(product, r) == ls_degree(grid, r), "%s: degree of %lld", same[i][0],
				(long long)r);
			for (int64_t l = 0; l < ls_degree(grid, r); l++)
				CHECK(ls_neighbor(product, r, l) == ls_neighbor(grid, r, l), "%s: %lld link %lld",
					same[i][0], (long long)r, (long long)l);
		}
		CHECK(ls_topology_nodes(product) == ls_topology_nodes(grid), "%s", same[i][0]);
		ls_topology_destroy(product);
		ls_topology_destroy(grid);
	}
}

/* Every route arrives, after as many hops as the distance says. */
static void check_lengths(const ls_topology *t)
{
	const int64_t p = ls_topology_vertices(t), interval = p / 40 + 1;

	for (int64_t r = 0; r < p; r++) {
		for (int64_t s = r % interval; s < p; s += interval) {
			struct lsi_route route = lsi_route_begin(r, s);
			int64_t hops = 0;

			while (hops <= p && lsi_route_hop(t, &route))
				hops++;
			CHECK(route.at == s && hops == ls_distance(t, r, s), "%s: %lld hops from %lld to %lld",
				ls_topology_spec(t), (long long)hops, (long long)r, (long long)s);
		}
	}
}

int main(void)
{
	visit_examples(check_lengths);
	check_products();
	visit_spec("graph:test/data/petersen", check_lowest);
	visit_spec("graph:test/data/random12", check_lowest);
	visit_sizes("star", 1, 5, check_star_routes);
	check_known_routes();
	visit_sizes("pancake", 1, 5, check_lowest);
	visit_sizes("bubblesort", 1, 5, check_lowest);
	visit_sizes("debruijn", 0, 7, check_lowest);
	check_cubes();
	return test_result();
}
