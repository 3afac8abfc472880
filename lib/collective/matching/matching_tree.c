#include "collective/matching/matching_tree.h"

#include <string.h>

#include "base/alloc.h"
#include "collective/matching/link_search.h"
#include "collective/round_bound.h"
#include "collective/tree/spanning_tree.h"

enum { TRIES_MOST = 32, TRIES_LEAST = 2, LINK_VISITS = 1 << 14 };
enum { SCARCE = 8 }; /* informed neighbors from which on their number does not matter */

struct search {
	const struct ls_topology *topology;
	struct lsi_arena arena;
	struct lsi_link_table table;
	struct lsi_matching matching;
	bool *informed, *usable;
	int32_t *parent;                /* -1: the root, or uninformed */
	struct lsi_weighted *candidate; /* nodes that can receive now, heaviest first */
	/* Shortest paths from the informed nodes to the others: */
	int32_t *order;    /* uninformed nodes, near ones first */
	int32_t *distance; /* from the nearest informed node; -1: not reached yet */
	int32_t *via;      /* the node before it */
	int32_t *branches; /* nodes behind it */
	int32_t *demand;   /* rounds that a broadcast to the nodes behind it needs */
	int32_t *demands;  /* for one node: those of the nodes behind it */
	uint64_t random;
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	s->topology = t;
	if (!lsi_link_table_make(&s->table, t, &s->arena)
		|| !lsi_matching_make(&s->matching, &s->table, &s->arena))
		return false;
	s->informed = lsi_arena_take(&s->arena, p, sizeof *s->informed);
	s->usable = lsi_arena_take(&s->arena, (size_t)s->table.links + 1, sizeof *s->usable);
	s->candidate = lsi_arena_take(&s->arena, p, sizeof *s->candidate);
	s->parent = lsi_arena_take(&s->arena, 7 * p, sizeof *s->parent);
	if (!s->informed || !s->usable || !s->candidate || !s->parent)
		return false;
	s->order = s->parent + p;
	s->distance = s->order + p;
	s->via = s->distance + p;
	s->branches = s->via + p;
	s->demand = s->branches + p;
	s->demands = s->demand + p;
	return true;
}

/* ---- Demand */

/* The neighbor one step nearer to the informed nodes with the fewest branches so far. */
static int32_t nearer_neighbor(const struct search *s, int32_t v)
{
	int32_t best = -1;

	for (int32_t l = s->table.first[v]; l < s->table.first[v + 1]; l++) {
		const int32_t u = s->table.neighbor[l];

		if (s->distance[u] == s->distance[v] - 1
			&& (best < 0 || s->branches[u] < s->branches[best]))
			best = u;
	}
	return best;
}

/* Fill in order, distance, via and branches; returns the number of uninformed nodes. */
static int32_t find_paths(struct search *s)
{
	const int32_t p = s->table.nodes;
	int32_t reached = 0;

	for (int32_t u = 0; u < p; u++) {
		s->distance[u] = s->informed[u] ? 0 : -1;
		s->branches[u] = s->demand[u] = 0;
	}
	for (int32_t i = 0; i < p + reached; i++) {
		const int32_t u = i < p ? i : s->order[i - p];

		if (i < p && !s->informed[u])
			continue;
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
			const int32_t v = s->table.neighbor[l];

			if (s->distance[v] < 0) {
				s->distance[v] = s->distance[u] + 1;
				s->order[reached++] = v;
			}
		}
	}
	for (int32_t i = 0; i < reached; i++) {
		const int32_t v = s->order[i];

		s->via[v] = nearer_neighbor(s, v);
		s->branches[s->via[v]]++;
	}
	return reached;
}

/* The rounds that u needs for its branches, those of the highest demand first. */
static int32_t demand_of(const struct search *s, int32_t u)
{
	int32_t count = 0, most = 0;

	for (int32_t l = s->table.first[u]; l < s->table.first[u + 1] && s->branches[u] > 0; l++) {
		const int32_t v = s->table.neighbor[l];
		int32_t k = count;

		if (s->distance[v] != s->distance[u] + 1 || s->via[v] != u)
			continue;
		for (; k > 0 && s->demands[k - 1] < s->demand[v]; k--)
			s->demands[k] = s->demands[k - 1];
		s->demands[k] = s->demand[v];
		count++;
	}
	for (int32_t i = 0; i < count; i++)
		most = most < s->demands[i] + i + 1 ? s->demands[i] + i + 1 : most;
	return most;
}

/* ---- Rounds */

static int32_t informed_neighbors(const struct search *s, int32_t v)
{
	int32_t count = 0;

	for (int32_t l = s->table.first[v]; l < s->table.first[v + 1]; l++)
		count += s->informed[s->table.neighbor[l]];
	return count < SCARCE ? count : SCARCE - 1;
}

/* How much the uninformed neighbors of u need it; distances are known. */
static int32_t help_of(const struct search *s, int32_t u)
{
	static const int32_t help[SCARCE] = { 374, 49, 19, 16, 16, 16, 16, 16 };
	int32_t sum = 0;

	for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
		const int32_t v = s->table.neighbor[l];

		if (!s->informed[v])
			sum += help[s->distance[v] > 1 ? 0 : informed_neighbors(s, v)];
	}
	return sum;
}

/*
 * Collect the nodes that can receive, heavy ones first.  Even tries look at demand first, odd ones
 * at help only; the first two tries have no random ties.
 */
static int32_t find_candidates(struct search *s, int attempt, int32_t uninformed)
{
	int32_t count = 0;

	for (int32_t i = uninformed - 1; i >= 0; i--)
		s->demand[s->order[i]] = demand_of(s, s->order[i]);
	for (int32_t i = 0; i < uninformed; i++) {
		const int32_t v = s->order[i];
		int64_t weight = help_of(s, v);

		if (s->distance[v] > 1)
			break;
		if (attempt % 2 == 0)
			weight += (int64_t)s->demand[v] << 16;
		if (attempt > 1)
			weight += lsi_search_random_below(&s->random, attempt % 4 < 2 ? 30 : 400);
		s->candidate[count++] = (struct lsi_weighted){ weight, v };
	}
	lsi_sort_heaviest(s->candidate, count);
	return count;
}

/* Inform as many nodes as one round can; returns the number of those that are still uninformed. */
static int32_t inform(struct search *s, int attempt)
{
	const int32_t uninformed = find_paths(s), count = find_candidates(s, attempt, uninformed);
	int32_t received = 0;

	for (int32_t l = 0; l < s->table.links; l++)
		s->usable[l] = s->informed[s->table.neighbor[l]];
	lsi_matching_begin(&s->matching, s->usable);
	for (int32_t i = 0; i < count; i++)
		lsi_matching_add(&s->matching, s->candidate[i].index);
	for (int32_t i = 0; i < count; i++) {
		const int32_t v = s->candidate[i].index;

		s->parent[v] = s->matching.sender[v];
		s->informed[v] = s->parent[v] >= 0;
		received += s->informed[v];
	}
	return uninformed - received;
}

static void attempt_tree(struct search *s, int attempt, int32_t root)
{
	memset(s->informed, 0, (size_t)s->table.nodes * sizeof *s->informed);
	s->informed[root] = true;
	s->parent[root] = -1;
	s->random = (uint64_t)attempt << 32;
	while (inform(s, attempt) > 0)
		continue;
}

/* ---- The best of several tries */

static int64_t least_rounds(const struct ls_topology *t, int64_t root)
{
	struct lsi_problem problem = lsi_search_problem(t, LS_BROADCAST);

	problem.root = root;
	return lsi_round_lower_bound(&problem);
}

static int tries(const struct search *s)
{
	return lsi_search_tries(LINK_VISITS / (s->table.links + 1), TRIES_LEAST, TRIES_MOST);
}

/* Keep the tree of the last try if it takes fewer rounds; false: no memory. */
static bool keep_better(const struct search *s, struct lsi_matching_tree *best, int64_t root)
{
	struct lsi_tree *const tree = lsi_tree_make(s->topology, root, s->parent);
	const int64_t p = s->table.nodes;

	if (tree && (best->rounds < 0 || tree->rounds < best->rounds)) {
		best->rounds = tree->rounds;
		memcpy(best->parent, s->parent, (size_t)p * sizeof *s->parent);
		best->hops = 0;
		for (int64_t u = 0; u < p; u++)
			best->hops += u == root ? 0 : tree->node[u].size;
		best->volume = lsi_tree_measure_volume(s->topology, tree);
	}
	lsi_free(tree);
	return tree;
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t root)
{
	const int64_t least = least_rounds(t, root);
	struct search s = { 0 };
	struct lsi_matching_tree *best =
		lsi_alloc(sizeof *best + (size_t)t->nodes * sizeof *best->parent);
	bool made = best && make_search(&s, t);

	if (best)
		best->rounds = -1;
	for (int i = 0; made && i < tries(&s) && (i == 0 || best->rounds > least); i++) {
		attempt_tree(&s, i, (int32_t)root);
		made = keep_better(&s, best, root);
	}
	lsi_arena_release(&s.arena);
	if (made)
		return &best->kept;
	lsi_free(best);
	return NULL;
}

const struct lsi_matching_tree *lsi_matching_tree_of(const struct ls_topology *t, int64_t root)
{
	return (const struct lsi_matching_tree *)lsi_topology_keep(t, make, root);
}
