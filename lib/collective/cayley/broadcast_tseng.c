/*
 * Broadcast and reduce of long vectors on the star graph along n-1 spanning trees at once.
 *
 * The vector is cut into S blocks per tree.  No directed link is in two trees.  The links take
 * turns: in a round all nodes use the same link in both directions (tseng_trees.h).  After the
 * first rounds every node sends and receives one block in each round.  The trees are stored for the
 * root 12..n; for another root, every node is renumbered relative to the root.
 * Reduce is the broadcast in reverse time order.
 *
 *   rounds     S(n-1) + L, L = 4 10 19 39 71 for n = 3..7
 *   traffic    n! - 1 messages for each block; each node receives a block once
 *   cost       t_s (S(n-1) + L) + t_w m (1 + L / (S(n-1))): half the words of scatter and
 *              all-gather; a pipeline along a Hamiltonian path has L = n! - 2
 *   memory     n! n bytes
 *   requires   star:3 .. star:7; reduce: a commutative operation
 *   source     n-1 trees: Y.-C. Tseng, J.-P. Sheu, "Toward Optimal Broadcast in a Star Graph Using
 *              Multiple Spanning Trees", IEEE Trans. Computers 46(5), 1997, with up to two trees
 *              on an edge; these trees were found by search (scripts/star_tree_search.c)
 */
#include "collective/cayley/tseng_trees.h"
#include "collective/round_bound.h"
#include "collective/tree/reversal.h"

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_topology_is(t, &lsi_network_star) && t->number[0] >= 3
		&& t->number[0] <= LSI_TSENG_SYMBOLS_MAX;
}

static int64_t blocks_of(const struct lsi_problem *problem)
{
	return problem->segments * (problem->topology->number[0] - 1);
}

/* prepare() adds the rounds. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame frame = { .blocks = blocks_of(problem) };

	if (problem->operation == LS_REDUCE)
		frame.scratch[0] = (struct lsi_scratch){ frame.blocks, 1 };
	return frame;
}

static int prepare(struct ls_plan *plan)
{
	const struct lsi_tseng *const trees = lsi_tseng_make((int)plan->problem.topology->number[0]);

	if (!trees)
		return LS_ERR_MEMORY;
	plan->table = (void *)trees;
	plan->frame.rounds = plan->frame.blocks + trees->last;
	return LS_OK;
}

/* A node relative to the root in a round of the broadcast, and the blocks that it moves. */
struct node_round {
	const struct lsi_tseng *trees;
	int64_t seen, across, from_parent, to_child; /* a block; -1: none */
	int link;
};

/*
 * Tree i carries the blocks i + (n-1) k, k = 0, 1, ..  Each one follows n-1 rounds after the one
 * before.
 */
static int64_t block_received(
	const struct ls_plan *plan, int64_t seen, int link, int64_t broadcast_round)
{
	const struct lsi_tseng *const trees = plan->table;
	const int64_t links = trees->symbols - 1;

	if (seen == 0)
		return -1;

	const int64_t tree = lsi_tseng_tree(trees, seen, link);
	const int64_t block = broadcast_round - trees->round[seen * links + tree] + tree;

	return block >= tree && block < plan->frame.blocks ? block : -1;
}

static struct node_round node_round_of(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_topology *const t = plan->problem.topology;
	const struct lsi_network *const network = t->network;
	const int64_t broadcast_round = lsi_reversal_round(plan, round);
	struct node_round s = { .trees = plan->table };

	s.link = (int)(2 + broadcast_round % (s.trees->symbols - 1));
	s.seen = network->product(t, network->inverse(t, plan->problem.root), rank);
	s.across = lsi_star_neighbor(s.seen, s.link);
	s.from_parent = block_received(plan, s.seen, s.link, broadcast_round);
	s.to_child = block_received(plan, s.across, s.link, broadcast_round);
	return s;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct node_round s = node_round_of(plan, rank, round);
	const bool up = lsi_reversal_moves_up(plan, round);

	if ((up ? s.to_child : s.from_parent) >= 0)
		out->from[0] = lsi_star_neighbor(rank, s.link);
	if ((up ? s.from_parent : s.to_child) >= 0)
		out->to[0] = lsi_star_neighbor(rank, s.link);
}

static void broadcast_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct node_round s = node_round_of(plan, rank, round);

	if (s.to_child >= 0)
		lsi_step_send(step, lsi_block(s.seen == 0 ? LS_INPUT : LS_OUTPUT, s.to_child));
	if (s.from_parent >= 0) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, s.from_parent), lsi_arrival(step));
	}
	if (s.seen == 0 && round == 0)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, plan->frame.blocks),
			lsi_blocks(LS_INPUT, 0, plan->frame.blocks));
}

/* Whether a node sends the first block of a tree to a child after `round`. */
static bool sends_after(const struct lsi_tseng *trees, int64_t seen, int64_t tree, int64_t round)
{
	const int64_t links = trees->symbols - 1;

	for (int link = 2; link <= trees->symbols; link++) {
		const int64_t child = lsi_star_neighbor(seen, link);

		if (child != 0 && lsi_tseng_tree(trees, child, link) == tree
			&& trees->round[child * links + tree] > round)
			return true;
	}
	return false;
}

/* A node adds the sum of its last child first.  Before that its block is still in INPUT alone. */
static void reduce_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct node_round s = node_round_of(plan, rank, round);
	const int64_t links = s.trees->symbols - 1;
	const int sum = s.seen == 0 ? LS_OUTPUT : LS_SCRATCH;

	if (s.from_parent >= 0) {
		const bool held = sends_after(s.trees, s.seen, s.from_parent % links, -1);

		lsi_step_send(step, lsi_block(held ? sum : LS_INPUT, s.from_parent));
	}
	if (s.to_child >= 0) {
		const int64_t tree = s.to_child % links;
		const int64_t received = s.trees->round[s.across * links + tree];
		const bool held = sends_after(s.trees, s.seen, tree, received);

		lsi_step_receive(step, 1);
		lsi_step_combine(step, lsi_block(sum, s.to_child),
			lsi_block(held ? sum : LS_INPUT, s.to_child), lsi_arrival(step));
	}
}

/*
 * Block b of B = S(n-1) moves in each of the rounds b .. b + L.  Of m elements, the first m mod B
 * blocks have one more than the others.
 */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	static const uint8_t L[] = { 4, 10, 19, 39, 71 };
	const int64_t last = L[problem->topology->number[0] - 3], B = blocks_of(problem);
	const int64_t rounds = B + last, longer = (int64_t)n % B, others = problem->nodes - 1;

	return (struct ls_counts){ rounds, lsi_mul_sat(others, B), lsi_mul_sat(others, (int64_t)n),
		lsi_add_sat(lsi_mul_sat(rounds, (int64_t)n / B), longer ? longer + last : 0) };
}

#define COMMON \
	.name = "tseng", .networks = "star:3 .. star:7", \
	.rounds = "S (n - 1) + L, S segments per tree, L = 4 10 19 39 71 for n = 3..7", \
	.bound = "hop mode, one port: 3 5 8 10 13 for n = 3..7", \
	.source = "n-1 spanning trees after Tseng, Sheu 1997; trees found by search", \
	.identical = true, .nodup = true, .supports = supports, .frame = frame, .prepare = prepare, \
	.peers = peers, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_broadcast_tseng = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.body = broadcast_body,
};

const struct lsi_algorithm lsi_reduce_tseng = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_COMMUTATIVE,
	.body = reduce_body,
	.whole = &lsi_reduce_whole,
};
