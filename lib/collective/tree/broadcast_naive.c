/*
 * Broadcast, reduce, scatter and gather one node after another: the root sends to, or receives
 * from, one node per round.
 *
 * The nodes below the root come first, the nearest rank first, then those above.  So a reduction
 * combines neighboring ranges of ranks.
 *
 *   rounds     p - 1
 *   messages   p - 1, of m words
 *   cost       (t_s + t_w m)(p - 1)
 *   requires   routed mode, or a complete network; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1, as what recursive doubling replaces
 */
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"
#include "collective/tree/scatter_tree.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = problem->nodes - 1,
		.blocks = lsi_operation_is_vector(problem->operation) ? 1 : problem->nodes };
}

/* The peer of the root in a round. */
static int64_t turn_of(const struct ls_plan *plan, int64_t round)
{
	const int64_t root = plan->problem.root;

	return round < root ? root - 1 - round : round + 1;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t root = plan->problem.root, turn = turn_of(plan, round);
	const bool sends = (rank == root) != lsi_operations[plan->problem.operation].at_root;

	if (rank == root || rank == turn)
		*(sends ? out->to : out->from) = rank == root ? turn : root;
}

static int64_t reduce_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const int64_t root = plan->problem.root;

	if (rank != root)
		return rank == turn_of(plan, round) ? LSI_REDUCE_SENDS : 0;
	return LSI_REDUCE_ROOT | LSI_REDUCE_RECEIVES | (round > 0 ? LSI_REDUCE_HELD : 0)
		| (round < root ? 0 : LSI_REDUCE_ABOVE);
}

static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const int64_t root = plan->problem.root;

	if (rank == root)
		return (struct lsi_receive_at){ -1, LS_NO_RANK };
	return (struct lsi_receive_at){ rank < root ? root - 1 - rank : rank - 1, root };
}

/* A reduction has the order of the broadcast, not the reverse one. */
static bool moves_up(const struct ls_plan *plan, int64_t round, int64_t *broadcast_round)
{
	*broadcast_round = round;
	return plan->problem.operation == LS_REDUCE;
}

static int64_t edge_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	(void)edge;
	return reduce_shape(plan, rank, round);
}

static const struct lsi_single_tree outward = { receives, moves_up, lsi_broadcast_edge_shape };
static const struct lsi_single_tree inward = { receives, moves_up, edge_shape };
static const struct lsi_whole_machine broadcast_whole = { .tree = &outward };
static const struct lsi_whole_machine reduce_whole = { .tree = &inward };

static void block_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t root = plan->problem.root, turn = turn_of(plan, round);
	const struct lsi_subtree_message message = {
		{ rank == root ? turn : root, rank != root, round == 0 }, lsi_block(LS_INPUT, turn), rank
	};

	if (rank == root || rank == turn)
		lsi_subtree_body(plan, rank, &message, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_broadcast_counts(problem, problem->nodes - 1, n);
}

#define COMMON \
	.name = "naive", .networks = "complete:P; any in routed mode", .rounds = "p - 1", \
	.bound = "ceil(log2 p) with one port", \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1", .nodup = true, .teaching = true, \
	.supports = lsi_reaches_all, .frame = frame, .peers = peers, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_broadcast_naive = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.identical = true,
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.whole = &broadcast_whole,
};

const struct lsi_algorithm lsi_reduce_naive = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_ORDERED,
	.identical = true,
	.shape = reduce_shape,
	.body = lsi_reduce_body,
	.whole = &reduce_whole,
};

const struct lsi_algorithm lsi_scatter_naive = {
	COMMON,
	.operations = LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER),
	.claim = LS_MOVE,
	.body = block_body,
};
