/*
 * All-gather by recursive doubling; in reverse time order, reduce-scatter by recursive halving.
 *
 * In round i the nodes whose ranks differ in bit i exchange all their 2^i blocks (doubling.h).  In
 * reverse (`halving`), both nodes have sums of the same blocks.  Each keeps half of the blocks,
 * sends its sums of the other half, and adds what it receives.
 *
 * An operator that does not commute needs sums of contiguous ranges of ranks, so the lowest bit
 * must be added first (`ordered-halving`).  Nodes then keep the blocks that agree with their rank
 * in the bits done, and these blocks are not contiguous.
 *
 *   rounds     log2 p
 *   traffic    log2 p messages per node, m (p - 1) words
 *   cost       t_s log2 p + t_w m (p - 1)
 *   memory     halving: p blocks
 *   requires   hop mode: hypercube, complete network; routed mode: any topology; p = 2^d; halving:
 *              a commutative operation
 *   source     Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.7 and 4.8
 */
#include "collective/exchange/block_exchange.h"
#include "collective/exchange/doubling.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_has_power_of_two_nodes(problem) && lsi_reaches_across_bits(problem);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_block_exchange_frame(problem, lsi_log2_floor(problem->nodes), problem->nodes);
}

static struct lsi_block_exchange with(const struct ls_plan *plan, int64_t peer,
	struct ls_slice sends, struct ls_slice receives, int64_t round)
{
	const bool passed = round + 1 < plan->frame.rounds;

	return (struct lsi_block_exchange){ peer, peer, sends, receives, passed, passed };
}

/* The blocks that a node has before round i. */
static struct ls_slice range(int64_t rank, int64_t round)
{
	const int64_t size = (int64_t)1 << round;

	return lsi_blocks(LS_OUTPUT, rank & -size, size);
}

static struct lsi_block_exchange nearest_first(
	const struct ls_plan *plan, int64_t rank, int64_t round, int port)
{
	const int64_t peer = lsi_doubling_partner(rank, round);

	if (port > 0)
		return (struct lsi_block_exchange){ .to = LS_NO_RANK, .from = LS_NO_RANK };
	return with(plan, peer, range(rank, round), range(peer, round), round);
}

/* The blocks that agree with a rank in the bits below the one that was exchanged first. */
static struct ls_slice comb(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const int64_t stride = plan->problem.nodes >> round;

	return lsi_strided(LS_OUTPUT, rank & (stride - 1), 1, stride, (int64_t)1 << round);
}

static struct lsi_block_exchange farthest_first(
	const struct ls_plan *plan, int64_t rank, int64_t round, int port)
{
	const int64_t peer = lsi_doubling_partner(rank, plan->frame.rounds - 1 - round);

	if (port > 0)
		return (struct lsi_block_exchange){ .to = LS_NO_RANK, .from = LS_NO_RANK };
	return with(plan, peer, comb(plan, rank, round), comb(plan, peer, round), round);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_block_exchange_peers(plan, nearest_first, rank, round, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	lsi_block_exchange_body(plan, nearest_first, rank, round, step);
}

static void ordered_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_block_exchange_peers(plan, farthest_first, rank, round, out);
}

static void ordered_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	lsi_block_exchange_body(plan, farthest_first, rank, round, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0;

	for (int64_t reached = 1; reached < problem->nodes; reached *= 2)
		rounds++;
	return lsi_block_exchange_counts(problem, rounds, n);
}

#define DOUBLING \
	.networks = "hypercube:D complete:P; any in routed mode; P = 2^D", .rounds = "log2 p", \
	.bound = "ceil(log2 p) with one port", .nodup = true, .supports = supports, .frame = frame, \
	.predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_doubling = { .operations = LSI_FOR(LS_ALLGATHER),
	.name = "doubling",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.7",
	.claim = LS_MOVE,
	.identical = true,
	.peers = peers,
	.body = body,
	DOUBLING };

const struct lsi_algorithm lsi_reduce_scatter_halving = { .operations = LSI_FOR(LS_REDUCE_SCATTER),
	.name = "halving",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.8",
	.claim = LS_COMMUTATIVE,
	.peers = peers,
	.body = body,
	DOUBLING };

const struct lsi_algorithm lsi_reduce_scatter_ordered_halving = { .operations =
																	  LSI_FOR(LS_REDUCE_SCATTER),
	.name = "ordered-halving",
	.source = "after Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.8",
	.claim = LS_ORDERED,
	.peers = ordered_peers,
	.body = ordered_body,
	DOUBLING };
