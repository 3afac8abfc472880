/*
 * The largest networks answer without overflow.  The internal functions of grids and permutations
 * agree with the public calls.
 */
/* variants: release checked asan chaos */
#include "topology/topology_internal.h"

#include "support/guard.h"
#include "topology_specs.h"

static void check_hop(const ls_topology *t, int64_t from, int64_t to)
{
	const int64_t link = ls_first_hop(t, from, to), next = ls_neighbor(t, from, link);

	CHECK(next >= 0 && next < ls_topology_vertices(t)
			&& ls_neighbor(t, next, ls_reverse(t, from, link)) == from,
		"%s: %lld link %lld", ls_topology_spec(t), (long long)from, (long long)link);
	CHECK(ls_link_to(t, from, next) == link && ls_distance(t, from, next) == 1, "%s: %lld to %lld",
		ls_topology_spec(t), (long long)from, (long long)next);
	CHECK(ls_distance(t, next, to) == ls_distance(t, from, to) - 1
			&& ls_distance(t, from, to) == ls_distance(t, to, from)
			&& ls_distance(t, from, to) <= ls_topology_diameter(t),
		"%s: distance %lld to %lld", ls_topology_spec(t), (long long)from, (long long)to);
}

static void check_route(const ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_route route = lsi_route_begin(from, to);
	int64_t hops = 0;

	while (lsi_route_hop(t, &route)) {
		CHECK(ls_neighbor(t, route.from, route.link) == route.at, "%s: a hop from %lld to %lld",
			ls_topology_spec(t), (long long)route.from, (long long)route.at);
		hops++;
	}
	CHECK(hops == ls_distance(t, from, to) && route.at == to, "%s: %lld hops from %lld to %lld",
		ls_topology_spec(t), (long long)hops, (long long)from, (long long)to);
}

static void check_huge(const ls_topology *t)
{
	const int64_t p = ls_topology_vertices(t);
	const bool walk = ls_topology_diameter(t) < 100;
	uint64_t random = 1;
	char label[LSI_LABEL_MAX];
	int64_t r = 0, s = p - 1;

	for (int i = 0; i < 2000; i++) {
		check_hop(t, r, s);
		check_hop(t, s, r);
		if (walk)
			check_route(t, r, s);
		ls_label(t, s, label, sizeof label);
		CHECK(ls_rank_of(t, label) == s, "%s: %s is not %lld", ls_topology_spec(t), label,
			(long long)s);
		r = s;
		while (s == r)
			s = random_below(&random, p);
	}
}

static void check_huge_networks(void)
{
	static const char *const spec[] = {
		"ring:4611686018427387904",
		"ring:4611686018427387903",
		"linear:4611686018427387904",
		"complete:4611686018427387904",
		"mesh:2147483648x2147483648",
		"torus:2147483648x2147483648",
		"torus:1x4611686018427387904x1",
		"mesh:1291x1093x1021x997x877",
		"torus:3x4x5x6x7x8x9x10x11x12x13x14x2",
		"hypercube:62",
		"hypercube:61",
		"star:20",
		"star:19",
		"star:12",
		"star:8",
		"bubblesort:20",
		"bubblesort:9",
		"pancake:12",
		"pancake:9",
		"debruijn:62",
		"debruijn:61",
		"debruijn:17",
		"bintree:62",
		"bintree:20",
		"tree:4611686018427387904",
		"tree:65536",
		"star:12*hypercube:20*linear:7",
		"ring:3000000000*linear:1500000000",
		"complete:2147483648*ring:2147483648",
		"mct:31,2",
		"mct:2,31",
		"mct:22,2*debruijn:20",
		"graph:test/data/petersen*ring:400000000000000000",
	};

	for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
		visit_spec(spec[i], check_huge);
	visit_spec(repeated("mesh:2", "x2", 61), check_huge);
	visit_spec(repeated("torus:1x3x1", "x3", 38), check_huge);
	visit_spec(repeated("ring:1", "*star:3", 23), check_huge);
}

static void check_coordinates(const ls_topology *t)
{
	const int dims = ls_topology_dims(t);

	for (int64_t r = 0; r < ls_topology_nodes(t); r++) {
		int64_t rank = 0;

		for (int d = 0; d < dims; d++) {
			const int64_t at = ls_topology_coordinate(t, r, d);

			CHECK(at >= 0 && at < ls_topology_side(t, d), "%s: coordinate %d of %lld",
				ls_topology_spec(t), d, (long long)r);
			rank += at * lsi_topology_stride(t, d);
		}
		CHECK(dims == 0 || rank == r, "%s: %lld has the coordinates of %lld", ls_topology_spec(t),
			(long long)r, (long long)rank);
	}
}

/* By the definition, symbol by symbol. */
static int larger_before(const struct lsi_permutation *p, int k)
{
	int larger = 0;

	for (int i = 1; i < k; i++)
		larger += p->symbol[i] > p->symbol[k];
	return larger;
}

static void check_permutation(int64_t r, int n)
{
	struct lsi_permutation p = lsi_permutation_of(r, n);
	const struct lsi_permutation same = lsi_permutation_relative(&p, &p);
	int digit[LSI_SYMBOLS_MAX + 1];
	int64_t rank = 0;
	uint32_t symbols = 0;

	CHECK(lsi_permutation_rank(&p) == r && lsi_permutation_rank(&same) == 0, "%lld of S_%d",
		(long long)r, n);
	lsi_permutation_digits(r, n, digit);
	for (int k = 1; k <= n; k++) {
		symbols |= 1u << p.symbol[k];
		rank += larger_before(&p, k) * lsi_factorial(k - 1);
		CHECK(digit[k] == larger_before(&p, k) && digit[k] == lsi_permutation_digit(r, k),
			"S_%d: digit %d of %lld", n, k, (long long)r);
	}
	CHECK(rank == r && symbols == (1u << (n + 1)) - 2, "S_%d: symbols of %lld", n, (long long)r);
	for (int k = 2; k <= n; k++) {
		lsi_star_swap(&p, k);
		CHECK(lsi_permutation_rank(&p) == lsi_star_neighbor(r, k), "S_%d: %lld across %d", n,
			(long long)r, k);
		lsi_star_swap(&p, k);
	}
}

static void check_neighbors(const ls_topology *t)
{
	enum { MOST = 3000 };
	const int64_t all = ls_topology_nodes(t), count = all < MOST ? all : MOST;
	const int64_t first = (all - count) / 3;
	static int64_t neighbor[MOST];

	for (int64_t link = -1; link <= t->degree && link < 30; link++) {
		lsi_neighbors(t, first, count, link, neighbor);
		for (int64_t i = 0; i < count; i++)
			CHECK(neighbor[i] == ls_neighbor(t, first + i, link), "%s: link %lld of %lld",
				ls_topology_spec(t), (long long)link, (long long)(first + i));
	}
}

/* All of up to 6 symbols; of more the first, the last and some at random. */
static void check_permutations(void)
{
	uint64_t random = 1;

	for (int n = 1; n <= LSI_SYMBOLS_MAX; n++) {
		const int64_t all = lsi_factorial(n), some = n <= 6 ? all : is_fast() ? 200 : 2000;

		check_permutation(all - 1, n);
		for (int64_t i = 0; i < some; i++)
			check_permutation(i < 720 ? i : random_below(&random, all), n);
	}
}

int main(void)
{
	check_huge_networks();
	visit_small(check_coordinates);
	visit_small(check_neighbors);
	visit_sizes("star", is_fast() ? 18 : 1, 20, check_neighbors);
	visit_sizes("hypercube", is_fast() ? 56 : 0, 62, check_neighbors);
	check_permutations();
	return test_result();
}
