#include "collective/tree/spanning_tree.h"

#include "base/alloc.h"

/* The node at the end of a link if it is a child of u, else LS_NO_RANK. */
static int64_t child_across(const struct ls_topology *t, int64_t root, int64_t u, int64_t link)
{
	const int64_t v = ls_neighbor(t, u, link);

	return v != root && ls_first_hop(t, v, root) == ls_reverse(t, u, link) ? v : LS_NO_RANK;
}

/* The same in the tree of these parents. */
static int64_t child_by_parent(
	const struct ls_topology *t, const int32_t *parent, int64_t u, int64_t link)
{
	const int64_t v = ls_neighbor(t, u, link);

	return parent[v] == u ? v : LS_NO_RANK;
}

static struct lsi_tree *allocate(int64_t p)
{
	const size_t nodes = (size_t)p, each = sizeof(struct lsi_tree_node) + 3 * sizeof(int64_t);
	struct lsi_tree *tree = NULL;

	if (nodes < SIZE_MAX / each)
		tree = lsi_alloc(sizeof *tree + nodes * each);
	if (!tree)
		return NULL;
	tree->node = (struct lsi_tree_node *)(tree + 1);
	tree->preorder = (int64_t *)(tree->node + nodes);
	tree->order = tree->preorder + nodes;
	tree->child = tree->order + nodes;
	return tree;
}

/* In breadth-first order, so a node is in child[] before its own children. */
static void find_children(
	struct lsi_tree *tree, const struct ls_topology *t, int64_t root, const int32_t *parent)
{
	int64_t found = 0;

	tree->node[root].parent = LS_NO_RANK;
	for (int64_t i = -1; i < found; i++) {
		const int64_t u = i < 0 ? root : tree->child[i];

		tree->node[u].first = found;
		for (int64_t link = 0; link < ls_degree(t, u); link++) {
			const int64_t v =
				parent ? child_by_parent(t, parent, u, link) : child_across(t, root, u, link);

			if (v == LS_NO_RANK)
				continue;
			tree->child[found++] = v;
			tree->node[v].parent = u;
		}
		tree->node[u].children = found - tree->node[u].first;
	}
}

/*
 * Sort the children of u, and set its `received` to the rounds that its descendants need after it
 * has received.  The children of u must be done already.
 */
static void measure(struct lsi_tree *tree, int64_t u)
{
	struct lsi_tree_node *const node = tree->node;
	int64_t *const child = tree->child + node[u].first;

	node[u].size = 1;
	node[u].received = 0;
	for (int64_t i = 0; i < node[u].children; i++) {
		const int64_t v = child[i];
		int64_t k = i;

		for (; k > 0 && node[child[k - 1]].received < node[v].received; k--)
			child[k] = child[k - 1];
		child[k] = v;
		node[u].size += node[v].size;
	}
	for (int64_t i = 0; i < node[u].children; i++)
		if (node[u].received < node[child[i]].received + i + 1)
			node[u].received = node[child[i]].received + i + 1;
}

/* Set the rounds and preorder numbers of the children of u; those of u are known. */
static void number_children(struct lsi_tree *tree, int64_t u)
{
	const struct lsi_tree_node node = tree->node[u];
	int64_t preorder = tree->preorder[u] + 1;

	for (int64_t i = 0; i < node.children; i++) {
		const int64_t v = tree->child[node.first + i];

		tree->node[v].received = node.received + 1 + i;
		tree->preorder[v] = preorder;
		preorder += tree->node[v].size;
	}
}

struct lsi_tree *lsi_tree_make(
	const struct ls_topology *t, int64_t root, const int32_t *parent_or_null)
{
	struct lsi_tree *const tree = allocate(t->nodes);

	if (!tree)
		return NULL;
	find_children(tree, t, root, parent_or_null);
	for (int64_t i = t->nodes - 2; i >= 0; i--)
		measure(tree, tree->child[i]);
	measure(tree, root);
	tree->rounds = tree->node[root].received;
	tree->node[root].received = -1;
	tree->preorder[root] = 0;
	number_children(tree, root);
	for (int64_t i = 0; i < t->nodes - 1; i++)
		number_children(tree, tree->child[i]);
	for (int64_t u = 0; u < t->nodes; u++)
		tree->order[tree->preorder[u]] = u;
	return tree;
}

int lsi_tree_prepare_with(struct ls_plan *plan, struct lsi_tree *tree)
{
	if (!tree)
		return LS_ERR_MEMORY;
	plan->table = tree;
	plan->frame.rounds = lsi_reversal_meeting_frame(&plan->problem, tree->rounds).rounds;
	return LS_OK;
}

int lsi_tree_prepare(struct ls_plan *plan)
{
	const struct lsi_problem *const problem = &plan->problem;

	return lsi_tree_prepare_with(
		plan, lsi_tree_make(problem->topology, lsi_reversal_root(problem), NULL));
}

struct lsi_edge lsi_tree_edge(const struct lsi_tree *tree, int64_t rank, int64_t round)
{
	const struct lsi_tree_node *const u = &tree->node[rank];
	const int64_t i = round - u->received - 1;

	if (i == -1)
		return (struct lsi_edge){ u->parent, true, u->children == 0 };
	if (i >= 0 && i < u->children)
		return (struct lsi_edge){ tree->child[u->first + i], false, i == u->children - 1 };
	return (struct lsi_edge){ .peer = LS_NO_RANK };
}

/*
 * The maximum over the children v of u of rounds[v] + the number of children that need as many or
 * more.
 */
static int64_t rounds_below(
	const struct ls_topology *t, int64_t root, int64_t u, const int64_t *rounds)
{
	int64_t longest = 0;

	for (int64_t link = 0; link < ls_degree(t, u); link++) {
		const int64_t v = child_across(t, root, u, link);
		int64_t sum = v == LS_NO_RANK ? 0 : rounds[v];

		for (int64_t other = 0; v != LS_NO_RANK && other < ls_degree(t, u); other++) {
			const int64_t w = child_across(t, root, u, other);

			sum += w != LS_NO_RANK && rounds[w] >= rounds[v];
		}
		if (longest < sum)
			longest = sum;
	}
	return longest;
}

/*
 * Depth first, with the topology as the stack: down over the next link to a child, up over the
 * first hop.
 */
int64_t lsi_tree_rounds_by_recursion(const struct ls_topology *t, int64_t root)
{
	int64_t *const rounds = lsi_alloc((size_t)t->nodes * sizeof *rounds);
	int64_t u = root, link = 0, result = -1;

	while (rounds && result < 0) {
		if (link < ls_degree(t, u)) {
			const int64_t v = child_across(t, root, u, link);

			link = v == LS_NO_RANK ? link + 1 : 0;
			u = v == LS_NO_RANK ? u : v;
			continue;
		}
		rounds[u] = rounds_below(t, root, u, rounds);
		if (u == root) {
			result = rounds[u];
			continue;
		}

		const int64_t up = ls_first_hop(t, u, root);

		link = ls_reverse(t, u, up) + 1;
		u = ls_neighbor(t, u, up);
	}
	lsi_free(rounds);
	return result;
}

/*
 * The root's line along dimension 0 is the trunk of a grid's tree; each of its nodes has the tree
 * of the other dimensions.
 */
static int64_t grid_rounds(const struct ls_topology *t, int64_t root)
{
	const bool wrapped = t->network->grid == LSI_GRID_WRAPPED;
	int64_t sum = 0;

	for (int d = 0; d < ls_topology_dims(t); d++) {
		const int64_t side = ls_topology_side(t, d), at = ls_topology_coordinate(t, root, d);
		const int64_t up = wrapped ? side / 2 : side - 1 - at, down = side - 1 - up;

		sum += (up > down ? up : down) + (up == down && up > 0);
	}
	return sum;
}

int64_t lsi_tree_rounds(const struct ls_topology *t, int64_t root)
{
	if (t->network->grid != LSI_GRID_NONE)
		return grid_rounds(t, root);
	if (lsi_topology_is(t, &lsi_network_hypercube) || lsi_topology_is(t, &lsi_network_complete))
		return t->degree;
	if (lsi_topology_is(t, &lsi_network_star))
		return t->number[0] * (t->number[0] - 1) / 2;
	return lsi_tree_rounds_by_recursion(t, root);
}

int64_t lsi_tree_measure_volume(const struct ls_topology *t, struct lsi_tree *tree)
{
	int64_t *const longest = tree->preorder, sum = 0;

	for (int64_t r = 0; r < tree->rounds; r++)
		longest[r] = 0;
	for (int64_t i = 0; i < t->nodes - 1; i++) {
		const struct lsi_tree_node *const node = &tree->node[tree->child[i]];

		if (longest[node->received] < node->size)
			longest[node->received] = node->size;
	}
	for (int64_t r = 0; r < tree->rounds; r++)
		sum += longest[r];
	return sum;
}

int64_t lsi_tree_volume(const struct ls_topology *t, int64_t root)
{
	struct lsi_tree *const tree = lsi_tree_make(t, root, NULL);
	const int64_t volume = tree ? lsi_tree_measure_volume(t, tree) : -1;

	lsi_free(tree);
	return volume;
}

int64_t lsi_tree_hops(const struct ls_topology *t, int64_t root)
{
	int64_t hops = 0;

	for (int64_t u = 0; u < t->nodes; u++)
		hops += ls_distance(t, u, root);
	return hops;
}
