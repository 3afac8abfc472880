/*
 * The n-1 trees on the star graph: each spans it, and no directed link is in two of them.
 */
/* variants: release checked asan chaos */
#include <string.h>

#include <lockstep/check.h>

#include "base/alloc.h"
#include "collective/cayley/tseng_trees.h"
#include "support/guard.h"
#include "test.h"
#include "topology/permutation.h"

/*
 * A node receives from tree i before it must send on, over a link in its turn that no other tree
 * uses. There are as many links as trees.  So the parents of a tree lead to the root.
 */
static void test_trees(int n)
{
	struct lsi_tseng *const trees = lsi_tseng_make(n);
	const int64_t links = n - 1;

	CHECK(trees != NULL, "no memory");
	for (int64_t u = 1; trees && u < lsi_factorial(n); u++) {
		unsigned used = 0;

		for (int64_t i = 0; i < links; i++) {
			const int round = trees->round[u * links + i], link = 2 + round % (n - 1);
			const int64_t parent = lsi_star_neighbor(u, link);

			used |= 1u << link;
			CHECK(lsi_tseng_tree(trees, u, link) == i, "S_%d, node %lld, tree %lld", n,
				(long long)u, (long long)i);
			CHECK(parent ? trees->round[parent * links + i] < round : link == i + 2,
				"S_%d, node %lld receives from tree %lld too early", n, (long long)u, (long long)i);
			CHECK(round <= trees->last + i, "S_%d, node %lld is late", n, (long long)u);
		}
		CHECK(used == (1u << (n + 1)) - 4, "S_%d, node %lld: two trees on a link", n, (long long)u);
	}
	lsi_free(trees);
}

/* Every law holds for long vectors, with several blocks per tree. */
static void test_plan(const char *spec, enum ls_operation operation, size_t count, int64_t root)
{
	struct ls_request request = { .size = sizeof request,
		.operation = operation,
		.count = count,
		.root = root,
		.algorithm = "tseng" };
	struct ls_certificate c = { .size = sizeof c };
	ls_topology *t;
	ls_plan *plan;

	if (ls_topology_make(spec, &t, NULL) != LS_OK)
		exit(1);
	request.topology = t;
	plan = plan_for(&request);
	CHECK(!strcmp(ls_plan_algorithm(plan), "tseng"), "%s: %s", spec, ls_plan_algorithm(plan));
	CHECK(ls_plan_blocks(plan) > ls_topology_degree(t), "%s: one block a tree", spec);
	CHECK(ls_check(plan, 7 * (size_t)ls_plan_blocks(plan) + 3, NULL, &c) == LS_OK, "%s: %s", spec,
		c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	for (int n = 3; n <= LSI_TSENG_SYMBOLS_MAX; n++)
		test_trees(n);
	test_plan("star:5", LS_BROADCAST, 20000, 77);
	test_plan("star:5", LS_REDUCE, 20000, 77);
	test_plan("star:6", LS_BROADCAST, 50000, 0);
	return test_result();
}
