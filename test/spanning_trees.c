/*
 * Spanning trees of routes: the rounds by formula, by recursion over the topology and of the tree
 * itself agree for every root; subtrees are ranges of the preorder; children receive in order.
 */
#include "test.h"

#include "base/alloc.h"
#include "collective/tree/spanning_tree.h"

static const char *const specs[] = {
	"linear:1",
	"linear:2",
	"linear:9",
	"ring:2",
	"ring:3",
	"ring:8",
	"ring:9",
	"mesh:1x4",
	"mesh:3x3",
	"mesh:4x5",
	"mesh:2x3x4",
	"torus:2x2",
	"torus:4x5",
	"torus:3x1x4",
	"hypercube:0",
	"hypercube:1",
	"hypercube:6",
	"complete:2",
	"complete:17",
	"star:1",
	"star:2",
	"star:3",
	"star:4",
	"star:5",
	"star:6",
};

static void check_node(const struct lsi_tree *tree, const char *spec, int64_t root, int64_t u)
{
	const struct lsi_tree_node *const node = &tree->node[u];
	int64_t next = tree->preorder[u] + 1;

	for (int64_t i = 0; i < node->children; i++) {
		const int64_t v = tree->child[node->first + i];

		CHECK(tree->node[v].parent == u, "%s root %lld: %lld", spec, (long long)root, (long long)v);
		CHECK(tree->node[v].received == node->received + 1 + i,
			"%s root %lld: %lld receives in %lld", spec, (long long)root, (long long)v,
			(long long)tree->node[v].received);
		CHECK(tree->preorder[v] == next, "%s root %lld: %lld has the preorder number %lld", spec,
			(long long)root, (long long)v, (long long)tree->preorder[v]);
		next += tree->node[v].size;
	}
	CHECK(next == tree->preorder[u] + node->size, "%s root %lld: size of %lld", spec,
		(long long)root, (long long)u);
}

static void check_tree(const ls_topology *t, const char *spec, int64_t root)
{
	const int64_t nodes = ls_topology_nodes(t), closed = lsi_tree_rounds(t, root);
	struct lsi_tree *const tree = lsi_tree_make(t, root, NULL);

	CHECK(tree, "%s: no memory", spec);
	if (!tree)
		return;
	CHECK(closed == lsi_tree_rounds_by_recursion(t, root), "%s root %lld: %lld rounds", spec,
		(long long)root, (long long)closed);
	CHECK(closed == tree->rounds, "%s root %lld: %lld rounds, the tree %lld", spec, (long long)root,
		(long long)closed, (long long)tree->rounds);
	CHECK(tree->node[root].size == nodes, "%s root %lld", spec, (long long)root);
	for (int64_t u = 0; u < nodes; u++)
		check_node(tree, spec, root, u);
	lsi_free(tree);
}

int main(void)
{
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t;

		CHECK(ls_topology_make(specs[i], &t, NULL) == LS_OK, "%s", specs[i]);
		for (int64_t root = 0; root < ls_topology_nodes(t); root += 1 + ls_topology_nodes(t) / 40)
			check_tree(t, specs[i], root);
		ls_topology_destroy(t);
	}
	return test_result();
}
