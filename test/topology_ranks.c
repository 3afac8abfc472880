/*
 * Ranks, labels, wires and routes are those of the definitions, which this file states a second
 * time, on the labels alone.
 */
#include "topology_specs.h"

enum { PAIRS_MAX = 130, TEXT = 256 };

/* Wires by definition -------------------------------------------------------------------------- */

static int read_numbers(const char *text, long long number[8])
{
	int count = 0;

	for (char *at = strpbrk(text, "0123456789"); at; at = strpbrk(at, "0123456789"))
		number[count++] = strtoll(at, &at, 10);
	return count;
}

static bool are_wired_on_grid(const char *spec, const char *a, const char *b, bool wraps)
{
	long long side[8], x[8], y[8], steps = 0;
	const int dims = read_numbers(spec, side);

	read_numbers(a, x);
	read_numbers(b, y);
	for (int d = 0; d < dims; d++) {
		const long long way = llabs(x[d] - y[d]);

		steps += wraps && way == side[d] - 1 && way > 0 ? 1 : way;
	}
	return steps == 1;
}

static bool are_wired_on_star(const char *a, const char *b)
{
	const size_t n = strlen(a);

	for (size_t k = 1; k < n; k++)
		if (a[0] == b[k] && a[k] == b[0] && !memcmp(a + 1, b + 1, k - 1) &&
			!strcmp(a + k + 1, b + k + 1))
			return true;
	return false;
}

static bool are_wired(const ls_topology *t, const char *a, const char *b)
{
	const char *kind = ls_topology_kind(t), *spec = ls_topology_spec(t);
	int differ = 0;

	if (!strcmp(kind, "linear") || !strcmp(kind, "mesh"))
		return are_wired_on_grid(spec, a, b, false);
	if (!strcmp(kind, "ring") || !strcmp(kind, "torus"))
		return are_wired_on_grid(spec, a, b, true);
	if (!strcmp(kind, "complete"))
		return strcmp(a, b);
	if (!strcmp(kind, "star"))
		return are_wired_on_star(a, b);
	for (size_t i = 0; a[i]; i++)
		differ += a[i] != b[i];
	return !strcmp(kind, "hypercube") && differ == 1;
}

static void check_wires(const ls_topology *t)
{
	char a[TEXT], b[TEXT];

	for (int64_t r = 0; r < ls_topology_nodes(t) && r < PAIRS_MAX; r++)
		for (int64_t s = 0; s < ls_topology_nodes(t); s++) {
			ls_label(t, r, a, sizeof a);
			ls_label(t, s, b, sizeof b);
			CHECK((ls_link_to(t, r, s) >= 0) == are_wired(t, a, b), "%s: %s and %s",
				ls_topology_spec(t), a, b);
		}
}

/* Labels --------------------------------------------------------------------------------------- */

static void check_labels(const ls_topology *t)
{
	char label[TEXT], wrong[TEXT + 1], cut[3] = "??";

	for (int64_t r = 0; r < ls_topology_nodes(t); r++) {
		const int length = ls_label(t, r, label, sizeof label);

		CHECK(length > 0 && (size_t)length == strlen(label), "%s: length %d", label,
			length);
		CHECK(ls_rank_of(t, label) == r, "%s: %s is %lld, not %lld", ls_topology_spec(t),
			label, (long long)ls_rank_of(t, label), (long long)r);
		CHECK(ls_label(t, r, cut, sizeof cut) == length && !strncmp(cut, label, 2) &&
				!cut[2],
			"%s: cut to %s", label, cut);
		snprintf(wrong, sizeof wrong, "%s ", label);
		CHECK(ls_rank_of(t, wrong) == LS_NOBODY, "'%s' taken", wrong);
		label[length - 1] = '\0';
		CHECK(ls_rank_of(t, label) != r, "%s: '%s' taken for %lld", ls_topology_spec(t),
			label, (long long)r);
	}
}

static void check_known_labels(void)
{
	static const struct {
		const char *spec, *label;
		int64_t rank;
	} known[] = {
		{ "star:4", "1234", 0 },
		{ "star:4", "2134", 1 },
		{ "star:4", "1324", 2 },
		{ "star:4", "4321", 23 },
		{ "star:4", "3421", 22 },
		{ "star:1", "1", 0 },
		{ "star:10", "123456789a", 0 },
		{ "star:12", "2134cba98765", 303182761 },
		{ "star:20", "kjihgfedcba987654321", 2432902008176639999 },
		{ "hypercube:4", "0110", 6 },
		{ "hypercube:0", "0", 0 },
		{ "ring:8", "7", 7 },
		{ "mesh:2x5", "(1,3)", 8 },
		{ "torus:3x4x5", "(2,0,1)", 41 },
		{ "mesh:7", "(4)", 4 },
		{ "star:4", "1233", LS_NOBODY },
		{ "star:4", "123", LS_NOBODY },
		{ "star:4", "12345", LS_NOBODY },
		{ "star:4", "0123", LS_NOBODY },
		{ "star:4", "", LS_NOBODY },
		{ "star:12", "2134CBA98765", LS_NOBODY },
		{ "hypercube:4", "011", LS_NOBODY },
		{ "hypercube:4", "0120", LS_NOBODY },
		{ "hypercube:4", "01100", LS_NOBODY },
		{ "hypercube:0", "", LS_NOBODY },
		{ "ring:8", "8", LS_NOBODY },
		{ "ring:8", "07", LS_NOBODY },
		{ "ring:8", "-1", LS_NOBODY },
		{ "ring:8", "", LS_NOBODY },
		{ "ring:8", "99999999999999999999", LS_NOBODY },
		{ "mesh:2x5", "(2,0)", LS_NOBODY },
		{ "mesh:2x5", "(0,5)", LS_NOBODY },
		{ "mesh:2x5", "(9223372036854775807,9223372036854775807)", LS_NOBODY },
		{ "star:4", "    ", LS_NOBODY },
		{ "star:4", "kkkk", LS_NOBODY },
		{ "mesh:2x5", "(1,3", LS_NOBODY },
		{ "mesh:2x5", "(1", LS_NOBODY },
		{ "mesh:2x5", "", LS_NOBODY },
		{ "mesh:2x5", "1,3", LS_NOBODY },
		{ "mesh:2x5", "(1,3,0)", LS_NOBODY },
		{ "mesh:2x5", "(1, 3)", LS_NOBODY },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);
		const int64_t rank = ls_rank_of(t, known[i].label);

		CHECK(rank == known[i].rank, "%s: '%s' is %lld", known[i].spec, known[i].label,
			(long long)rank);
		ls_topology_destroy(t);
	}
}

/* Star: the facts about its rank order --------------------------------------------------------- */

static void check_star(const ls_topology *t)
{
	char label[TEXT], across[TEXT], first[TEXT];
	const int n = (int)ls_topology_degree(t) + 1;

	for (int64_t r = 0; r < ls_topology_nodes(t); r++) {
		int64_t rank = 0, factorial = 1;

		ls_label(t, r, label, sizeof label);
		for (int k = 2; k <= n; k++) {
			const int64_t block = factorial * k; /* k! */
			int larger = 0;

			for (int i = 0; i < k - 1; i++)
				larger += label[i] > label[k - 1];
			rank += larger * factorial;
			ls_label(t, r / factorial * factorial, first, sizeof first);
			CHECK(!strcmp(label + k - 1, first + k - 1),
				"%s and %s: no sub-star of one range", label, first);

			const int64_t s = ls_neighbor(t, r, k - 2);

			ls_label(t, s, across, sizeof across);
			CHECK(ls_link_label(t, k - 2) == k, "star:%d: link %d", n, k);
			CHECK(s / block == r / block, "star:%d: link %d leaves the block of %s", n,
				k, label);
			CHECK(across[0] == label[k - 1] && across[k - 1] == label[0] &&
					are_wired_on_star(label, across),
				"star:%d: link %d of %s leads to %s", n, k, label, across);
			factorial = block;
		}
		CHECK(rank == r, "%s: rank %lld by definition, not %lld", label, (long long)rank,
			(long long)r);
	}
}

/* Routes --------------------------------------------------------------------------------------- */

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
				CHECK(!strcmp(at, label), "%s to %s: %s, by the rule %s",
					ls_topology_spec(t), to, label, at);
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
	};
	char route[TEXT], label[TEXT];

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);
		const int64_t to = ls_rank_of(t, known[i].to);

		*route = '\0';
		for (int64_t u = ls_rank_of(t, known[i].from);
			u != to && strlen(route) < TEXT / 2;) {
			u = ls_neighbor(t, u, ls_first_hop(t, u, to));
			ls_label(t, u, label, sizeof label);
			strcat(strcat(route, " "), label);
		}
		CHECK(!strcmp(route, known[i].route), "%s, %s to %s:%s", known[i].spec,
			known[i].from, known[i].to, route);
		ls_topology_destroy(t);
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
				CHECK(ls_neighbor(cube[i], r, l) == ls_neighbor(cube[0], r, l),
					"%lld link %lld", (long long)r, (long long)l);
			for (int64_t s = 0; s < 8; s++)
				CHECK(ls_first_hop(cube[i], r, s) == ls_first_hop(cube[0], r, s),
					"%lld to %lld", (long long)r, (long long)s);
		}
	for (int i = 0; i < 3; i++)
		ls_topology_destroy(cube[i]);
}

int main(void)
{
	visit_small(check_wires);
	visit_small(check_labels);
	visit_large(check_labels);
	check_known_labels();
	visit_sizes("star", 1, 7, check_star);
	visit_sizes("star", 1, 5, check_star_routes);
	check_known_routes();
	check_cubes();
	return test_result();
}
