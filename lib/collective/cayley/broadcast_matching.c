/*
 * Broadcast, reduce and all-reduce on the star graph by the shortest broadcasts known.
 *
 * Up to n = 8 the broadcast is a stored schedule of least length (matching_table.h).  For larger n
 * the levels n .. 9 of star_tree.h come first, then the schedule of S_8.  Reduce is the broadcast
 * in reverse time order.  All-reduce is a reduce to rank 0, then a broadcast.
 *
 *   rounds     1, 3, 5, 8, 10, 13, 16 for n = 2..8, plus ceil(log2(k-1)) + 1 for each k = 9..n;
 *              all-reduce twice that
 *   traffic    n! - 1 messages of m elements; all-reduce twice that; each node receives once per
 *              broadcast
 *   requires   star graph; reduce, all-reduce: a commutative operation
 *   memory     2 n! bytes, at most 80 KB
 *   source     schedules found by scripts/star_broadcast_search.c; levels: Sheu, Wu, Chen 1995
 */
#include "base/alloc.h"
#include "collective/cayley/matching_table.h"
#include "collective/cayley/star_tree.h"
#include "collective/round_bound.h"
#include "collective/tree/broadcast_tree.h"

static int stored_symbols(const struct lsi_problem *problem)
{
	const int64_t n = problem->topology->number[0];

	return n < LSI_MATCHING_SYMBOLS_MAX ? (int)n : LSI_MATCHING_SYMBOLS_MAX;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int b = stored_symbols(problem);

	return lsi_reversal_frame(problem,
		lsi_star_tree_rounds((int)problem->topology->number[0], b) + lsi_matching_rounds(b));
}

static int prepare(struct ls_plan *plan)
{
	const int b = stored_symbols(&plan->problem);
	const size_t nodes = (size_t)lsi_factorial(b);
	struct lsi_star_stored *stored = lsi_alloc(sizeof *stored + 2 * nodes);

	if (!stored)
		return LS_ERR_MEMORY;
	stored->symbols = b;
	stored->link = (uint8_t *)(stored + 1);
	stored->round = stored->link + nodes;
	lsi_matching_schedule(b, stored->link, stored->round);
	plan->table = stored;
	return LS_OK;
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t symbols = problem->topology->number[0];
	int64_t rounds = lsi_matching_rounds(stored_symbols(problem));

	for (int64_t i = LSI_MATCHING_SYMBOLS_MAX; i < symbols; i++) {
		for (int64_t reached = 1; reached < i; reached *= 2)
			rounds++;
		rounds++;
	}
	return lsi_reversal_counts(problem, rounds, n);
}

#define COMMON \
	.name = "matching", .networks = "star:N", .bound = LSI_STAR_BOUND, \
	.source = \
		"shortest schedules found by search; beyond S_8 by the levels of Sheu, Wu, Chen 1995", \
	.supports = lsi_is_star, .frame = frame, .prepare = prepare, .peers = lsi_star_tree_peers, \
	.predict = predict, .lower_bound = lsi_round_lower_bound, .identical = true

const struct lsi_algorithm lsi_broadcast_matching = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST),
	.claim = LS_MOVE,
	.nodup = true,
	.rounds = "1 3 5 8 10 13 16 for n = 2..8, plus ceil(log2(k-1)) + 1 for each k = 9..n",
	.shape = lsi_broadcast_shape,
	.body = lsi_broadcast_body,
	.whole = &lsi_star_tree_broadcast,
};

const struct lsi_algorithm lsi_reduce_matching = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE),
	.claim = LS_COMMUTATIVE,
	.nodup = true,
	.rounds = "1 3 5 8 10 13 16 for n = 2..8, plus ceil(log2(k-1)) + 1 for each k = 9..n",
	.shape = lsi_star_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_star_tree_reduce,
};

const struct lsi_algorithm lsi_allreduce_matching = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.claim = LS_COMMUTATIVE,
	.rounds = "2 6 10 16 20 26 32 for n = 2..8, plus 2 (ceil(log2(k-1)) + 1) for each k = 9..n",
	.shape = lsi_star_tree_shape,
	.body = lsi_reversal_body,
	.whole = &lsi_star_tree_allreduce,
};
