/*
 * Ranks and labels are those of the definitions.
 */
/* variants: release checked asan chaos */
#include "topology_specs.h"

enum { TEXT = 256 };

/* ---- Labels */

static void check_labels(const ls_topology *t)
{
	char label[TEXT], wrong[TEXT + 1], cut[3] = "??";

	for (int64_t r = 0; r < ls_topology_vertices(t); r++) {
		const int length = ls_label(t, r, label, sizeof label);

		CHECK(length > 0 && (size_t)length == strlen(label), "%s: length %d", label, length);
		CHECK(ls_rank_of(t, label) == r, "%s: %s is %lld, not %lld", ls_topology_spec(t), label,
			(long long)ls_rank_of(t, label), (long long)r);
		CHECK(ls_label(t, r, cut, sizeof cut) == length && !strncmp(cut, label, 2) && !cut[2],
			"%s: cut to %s", label, cut);
		snprintf(wrong, sizeof wrong, "%s ", label);
		CHECK(ls_rank_of(t, wrong) == LS_NO_RANK, "'%s' taken", wrong);
		label[length - 1] = '\0';
		CHECK(ls_rank_of(t, label) != r, "%s: '%s' taken for %lld", ls_topology_spec(t), label,
			(long long)r);
	}
}

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
	{ "pancake:4", "4321", 23 },
	{ "bubblesort:5", "21345", 1 },
	{ "pancake:19", "123456789abcdefghij", 0 },
	{ "debruijn:4", "0110", 6 },
	{ "debruijn:0", "0", 0 },
	{ "bintree:3", "6", 6 },
	{ "tree:8", "7", 7 },
	{ "tree:8", "0-1", 8 },
	{ "tree:8", "6-7", 11 },
	{ "tree:8", "4-7", 13 },
	{ "tree:8", "0-7", 14 },
	{ "tree:4611686018427387904", "0-4611686018427387903", INT64_MAX - 1 },
	{ "star:3*ring:4", "(123,3)", 3 },
	{ "star:3*ring:4", "(213,0)", 4 },
	{ "mesh:2x3*hypercube:2", "((1,2),10)", 22 },
	{ "mct:3,2", "(2,1,0)", 21 },
	{ "ring:3*mct:2,2", "(1,2,0)", 15 },
	{ "graph:test/data/path", "4", 4 },
	{ "ring:8", "7", 7 },
	{ "mesh:2x5", "(1,3)", 8 },
	{ "torus:3x4x5", "(2,0,1)", 41 },
	{ "mesh:7", "(4)", 4 },
	{ "star:4", "1233", LS_NO_RANK },
	{ "star:4", "123", LS_NO_RANK },
	{ "star:4", "12345", LS_NO_RANK },
	{ "star:4", "0123", LS_NO_RANK },
	{ "star:4", "", LS_NO_RANK },
	{ "star:12", "2134CBA98765", LS_NO_RANK },
	{ "hypercube:4", "011", LS_NO_RANK },
	{ "hypercube:4", "0120", LS_NO_RANK },
	{ "hypercube:4", "01100", LS_NO_RANK },
	{ "hypercube:0", "", LS_NO_RANK },
	{ "ring:8", "8", LS_NO_RANK },
	{ "ring:8", "07", LS_NO_RANK },
	{ "ring:8", "-1", LS_NO_RANK },
	{ "ring:8", "", LS_NO_RANK },
	{ "ring:8", "99999999999999999999", LS_NO_RANK },
	{ "tree:8", "8", LS_NO_RANK },
	{ "tree:8", "3-4", LS_NO_RANK },
	{ "tree:8", "4-6", LS_NO_RANK },
	{ "tree:8", "7-4", LS_NO_RANK },
	{ "tree:8", "0-15", LS_NO_RANK },
	{ "tree:8", "4-", LS_NO_RANK },
	{ "tree:8", "4-4", LS_NO_RANK },
	{ "tree:8", "-4", LS_NO_RANK },
	{ "tree:8", "4-7-", LS_NO_RANK },
	{ "tree:8", "9223372036854775807-9223372036854775807", LS_NO_RANK },
	{ "bintree:3", "7", LS_NO_RANK },
	{ "debruijn:4", "011", LS_NO_RANK },
	{ "star:3*ring:4", "(123,4)", LS_NO_RANK },
	{ "star:3*ring:4", "(123)", LS_NO_RANK },
	{ "star:3*ring:4", "(123,3", LS_NO_RANK },
	{ "star:3*ring:4", "(123,3,0)", LS_NO_RANK },
	{ "star:3*ring:4", "123,3", LS_NO_RANK },
	{ "star:3*ring:4", "(,)", LS_NO_RANK },
	{ "star:3*ring:4", "(123,", LS_NO_RANK },
	{ "star:3*ring:4", "(", LS_NO_RANK },
	{ "star:3*ring:4", "", LS_NO_RANK },
	{ "mesh:2x3*hypercube:2", "(1,2,10)", LS_NO_RANK },
	{ "mesh:2x3*hypercube:2", "((1,2,10)", LS_NO_RANK },
	{ "graph:test/data/path", "5", LS_NO_RANK },
	{ "mesh:2x5", "(2,0)", LS_NO_RANK },
	{ "mesh:2x5", "(0,5)", LS_NO_RANK },
	{ "mesh:2x5", "(9223372036854775807,9223372036854775807)", LS_NO_RANK },
	{ "star:4", "    ", LS_NO_RANK },
	{ "star:4", "kkkk", LS_NO_RANK },
	{ "mesh:2x5", "(1,3", LS_NO_RANK },
	{ "mesh:2x5", "(1", LS_NO_RANK },
	{ "mesh:2x5", "", LS_NO_RANK },
	{ "mesh:2x5", "1,3", LS_NO_RANK },
	{ "mesh:2x5", "(1,3,0)", LS_NO_RANK },
	{ "mesh:2x5", "(1, 3)", LS_NO_RANK },
};

static void check_known_labels(void)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		ls_topology *t = topology(known[i].spec);
		const int64_t rank = ls_rank_of(t, known[i].label);

		CHECK(rank == known[i].rank, "%s: '%s' is %lld", known[i].spec, known[i].label,
			(long long)rank);
		ls_topology_destroy(t);
	}
}

/* ---- Star: the facts about its rank order */

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
			CHECK(!strcmp(label + k - 1, first + k - 1), "%s and %s: no sub-star of one range",
				label, first);

			const int64_t s = ls_neighbor(t, r, k - 2);

			ls_label(t, s, across, sizeof across);
			CHECK(ls_link_label(t, k - 2) == k, "star:%d: link %d", n, k);
			CHECK(s / block == r / block, "star:%d: link %d leaves the block of %s", n, k, label);
			CHECK(across[0] == label[k - 1] && across[k - 1] == label[0]
					&& !strncmp(across + 1, label + 1, (size_t)k - 2)
					&& !strcmp(across + k, label + k),
				"star:%d: link %d of %s leads to %s", n, k, label, across);
			factorial = block;
		}
		CHECK(rank == r, "%s: rank %lld by definition, not %lld", label, (long long)rank,
			(long long)r);
	}
}

int main(void)
{
	visit_small(check_labels);
	visit_large(check_labels);
	check_known_labels();
	visit_sizes("star", 1, 7, check_star);
	return test_result();
}
