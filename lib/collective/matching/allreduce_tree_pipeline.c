/*
 * All-reduce of long vectors on networks that are trees: every block moves up to the center and
 * back, and the blocks follow each other.
 *
 * The hop from each node to its parent, and the hop back, recur after L rounds (periodic.h), where
 * L is the largest degree: no algorithm has a smaller volume than L m (words_bound.h).  Sums grow
 * in OUTPUT; the order of the operands follows the tree.
 *
 *   rounds     at most T + L (B - 1); T rounds for the first block
 *   traffic    2 (p - 1) B messages of m / B elements
 *   cost       rounds (t_s + t_w m / B)
 *   memory     8 L p bytes with the topology; 8 (T + L B) with the plan, where L B is at most 2^22
 *   requires   hop mode; a tree of at most 1024 nodes; a commutative operation
 *   source     this project
 */
#include <string.h>

#include "base/alloc.h"
#include "collective/matching/periodic.h"
#include "collective/round_bound.h"
#include "collective/tree/spanning_tree.h"
#include "collective/tree_bound.h"

enum { NODES = 1 << 10 };

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && problem->nodes <= NODES && lsi_is_tree(problem->topology);
}

/* ---- The schedule */

/* What is known of each node while hops are placed. */
struct placing {
	int64_t phase; /* of the two hops over the link to the parent: their start mod L */
	int64_t ready; /* from this time on it has the sum of its subtree, later the result */
};

/*
 * Both hops of a link have the same phase, and the links of a node have different ones, so L is the
 * largest degree.  Child i of a node of phase c gets c - 1, c + 1, c - 2, c + 2, ..: the first one
 * has the shortest way up, the second one the shortest way down.
 */
static void choose_phases(const struct lsi_tree *tree, struct placing *at, int64_t p, int64_t L)
{
	for (int64_t i = 0; i < p; i++) {
		const int64_t u = tree->order[i];
		const struct lsi_tree_node *const node = &tree->node[u];

		for (int64_t k = 0; k < node->children; k++) {
			const int64_t apart = k % 2 ? k / 2 + 1 : -(k / 2 + 1);

			at[tree->child[node->first + k]].phase = i == 0 ? k : lsi_wrap(at[u].phase + apart, L);
		}
	}
}

static int64_t start_of(const struct placing *sender, int64_t phase, int64_t L)
{
	return sender->ready + lsi_wrap(phase - sender->ready, L);
}

/* First the hops up, those of the last nodes of the preorder first. */
static void place(struct lsi_periodic *s, const struct lsi_tree *tree, struct placing *at)
{
	const int64_t p = s->nodes;

	for (int64_t i = p - 1; i > 0; i--) {
		const int64_t v = tree->order[i], u = tree->node[v].parent;
		const int64_t start = start_of(&at[v], at[v].phase, s->period);

		lsi_periodic_add(s, v, u, start);
		at[u].ready = at[u].ready <= start ? start + 1 : at[u].ready;
	}
	for (int64_t i = 1; i < p; i++) {
		const int64_t v = tree->order[i], u = tree->node[v].parent;
		const int64_t start = start_of(&at[u], at[v].phase, s->period);

		lsi_periodic_add(s, u, v, start);
		at[v].ready = start + 1;
	}
}

/* NULL: no memory. */
static struct lsi_periodic *schedule(const struct ls_topology *t, const struct lsi_tree *tree)
{
	struct lsi_periodic *const s = lsi_periodic_make(t->nodes, t->degree, 2 * (t->nodes - 1));
	struct placing *const at = lsi_alloc_zero((size_t)t->nodes, sizeof *at);

	if (!s || !at) {
		lsi_free(s);
		lsi_free(at);
		return NULL;
	}
	choose_phases(tree, at, t->nodes, t->degree);
	place(s, tree, at);
	lsi_periodic_finish(s);
	lsi_free(at);
	return s;
}

static struct lsi_kept *make(const struct ls_topology *t, int64_t key)
{
	const int64_t center = lsi_tree_center(t);
	struct lsi_tree *const tree = center >= 0 ? lsi_tree_make(t, center, NULL) : NULL;
	struct lsi_periodic *const s = tree ? schedule(t, tree) : NULL;

	(void)key;
	lsi_free(tree);
	return s ? &s->kept : NULL;
}

static const struct lsi_periodic *schedule_of(const struct ls_topology *t)
{
	return (const struct lsi_periodic *)lsi_topology_keep(t, make, 0);
}

/* ---- The plan */

static int64_t blocks_of(const struct lsi_problem *problem)
{
	return lsi_periodic_blocks(schedule_of(problem->topology), problem->segments);
}

/* prepare() adds the rounds. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t blocks = blocks_of(problem);

	return (struct lsi_frame){ .blocks = blocks, .out_of_memory = blocks == 0 };
}

struct table {
	struct lsi_periodic_table common;
	int32_t first[]; /* per node: the first hop up that it receives; -1: a leaf */
};

static int prepare(struct ls_plan *plan)
{
	const struct lsi_periodic *const s = schedule_of(plan->problem.topology);
	const size_t p = (size_t)plan->problem.nodes;
	struct table *const table = lsi_alloc_zero(1, sizeof *table + p * sizeof *table->first);

	plan->table = table;
	if (!table || lsi_periodic_prepare(plan, s) != LS_OK)
		return LS_ERR_MEMORY;
	memset(table->first, -1, p * sizeof *table->first);
	for (int32_t h = 0; h < plan->problem.nodes - 1; h++) {
		int32_t *const first = &table->first[s->hop[h].to];

		if (*first < 0 || s->hop[h].start < s->hop[*first].start)
			*first = h;
	}
	return LS_OK;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct table *const table = plan->table;
	const int64_t ups = plan->problem.nodes - 1;
	int64_t block, hop = lsi_periodic_at(plan, LSI_HOP_SENT, rank, round, &block);

	if (hop >= 0) {
		const bool is_leaf = hop < ups && table->first[rank] < 0;

		lsi_step_send(step, lsi_block(is_leaf ? LS_INPUT : LS_OUTPUT, block));
	}
	hop = lsi_periodic_at(plan, LSI_HOP_RECEIVED, rank, round, &block);
	if (hop < 0)
		return;

	const struct ls_slice result = lsi_block(LS_OUTPUT, block);

	lsi_step_receive(step, 1);
	if (hop >= ups)
		lsi_step_copy(step, result, lsi_arrival(step));
	else if (hop == table->first[rank])
		lsi_step_combine(step, result, lsi_block(LS_INPUT, block), lsi_arrival(step));
	else
		lsi_step_combine(step, result, result, lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct lsi_periodic *const s = schedule_of(problem->topology);

	return lsi_periodic_counts(s, lsi_periodic_blocks(s, problem->segments), n);
}

static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	return (struct ls_counts){ lsi_round_lower_bound(problem), 0, 0,
		lsi_mul_sat(problem->topology->degree, (int64_t)n) };
}

const struct lsi_algorithm lsi_allreduce_tree_pipeline = {
	.operations = LSI_FOR(LS_ALLREDUCE),
	.name = "tree-pipeline",
	.networks = "any tree, in hop mode",
	.rounds = "at most T + L (B - 1); T rounds for a block, L the degree",
	.bound = LSI_ROUND_BOUND,
	.source = "this project",
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = frame,
	.prepare = prepare,
	.release = lsi_periodic_release,
	.peers = lsi_periodic_peers,
	.body = body,
	.predict = predict,
	.predict_least = predict_least,
	.lower_bound = lsi_round_lower_bound,
};
