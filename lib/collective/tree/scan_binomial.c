/*
 * Prefix sums by an up-sweep and a down-sweep of a binary tree over the ranks, for any number of
 * nodes.
 *
 * Up, at levels i = 0, 1, ..: in every aligned block of 2^(i+1) ranks, the last node of the lower
 * half sends the sum of its half to the last node of the block.  Down, the same levels in reverse:
 * the last node of a block has its prefix sum, and sends it to the last node of the lower half of
 * the next block.
 *
 *   p = 8    up       0->1  2->3  4->5  6->7       1->3  5->7        3->7
 *            down     3->5                         1->2  3->4  5->6
 *
 * So every message has the sum of the ranks just below those of the receiver.  No node sends and
 * receives in one round.  The blocks are the subtrees of a binary tree of switches, so no two
 * messages of a round share a link there.
 *
 *   rounds     floor(log2 p) + floor(log2(2p/3)): 2 log2 p - 1 for p a power of 2
 *   messages   2p - 1 - floor(log2 p) - ones(p), of m words; ones(p): ones in the binary number p
 *   cost       (t_s + t_w m) rounds
 *   memory     none; exscan one block
 *   requires   hop mode: complete network; routed mode: any topology
 *   source     G. E. Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990
 */
#include "collective/prefix.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

/* Bits of a shape. */
enum { SENDS = 1, RECEIVES = 2, BEGUN = 4, SENDS_LATER = 8, IS_FIRST = 16 };

static int64_t up(const struct lsi_problem *problem)
{
	return lsi_log2_floor(problem->nodes);
}

static int64_t down(const struct lsi_problem *problem)
{
	return problem->nodes < 3 ? 0 : lsi_log2_floor(problem->nodes / 3) + 1;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t sums = problem->operation == LS_EXSCAN && problem->nodes > 2;

	return (struct lsi_frame){
		.rounds = up(problem) + down(problem), .blocks = 1, .scratch = { { sums, sums } }
	};
}

/* The number of levels at which a node ends a block. */
static int64_t height(int64_t rank)
{
	return __builtin_ctzll(~(unsigned long long)rank);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_problem *problem = &plan->problem;
	const bool rises = round < up(problem);
	const int64_t level = rises ? round : plan->frame.rounds - 1 - round;
	const int64_t half = (int64_t)1 << level, top = height(rank);

	if ((rises ? top == level : top > level) && rank < problem->nodes - half)
		out->to[0] = rank + half;
	if ((rises ? top > level : top == level) && rank >= half)
		out->from[0] = rank - half;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	struct lsi_peers p = { { LS_NO_RANK }, { LS_NO_RANK } };
	const bool ends = height(rank) > 0;

	peers(plan, rank, round, &p);
	return (p.to[0] != LS_NO_RANK ? SENDS : 0) + (p.from[0] != LS_NO_RANK ? RECEIVES : 0)
		+ (ends && round > 0 ? BEGUN : 0)
		+ (ends && rank < plan->problem.nodes - 1 ? SENDS_LATER : 0) + (rank == 0 ? IS_FIRST : 0);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const bool exclusive = problem->operation == LS_EXSCAN, begun = at & BEGUN;
	const struct ls_slice sum = lsi_block(exclusive ? LS_SCRATCH : LS_OUTPUT, 0);
	const struct ls_slice mine = begun ? sum : lsi_block(LS_INPUT, 0);

	if (at & SENDS)
		lsi_step_send(step, mine);
	if (at & IS_FIRST && round == 0)
		lsi_prefix_first(problem, 1, step);
	if (!(at & RECEIVES))
		return;
	lsi_step_receive(step, 1);
	if (exclusive && at & SENDS_LATER)
		lsi_step_combine(step, sum, lsi_arrival(step), mine);
	lsi_prefix_combine(problem, 0, begun, lsi_arrival(step), step);
}

/* Up, p/2 nodes receive, then p/4, ..; down, all nodes u except those with u + 1 = 2^j. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	int64_t rounds = 0, spine = 0, rising = 0;

	for (int64_t blocks = p; blocks > 0; blocks /= 2) {
		spine++;
		rising += blocks < p ? blocks : 0;
		rounds += (blocks < p) + (blocks >= 3);
	}

	const int64_t messages = rising + p - spine;

	return lsi_equal_counts(rounds, messages, n);
}

const struct lsi_algorithm lsi_scan_binomial = {
	.operations = LSI_PREFIXES,
	.name = "binomial",
	.networks = "complete:P; any in routed mode",
	.rounds = "floor(log2 p) + floor(log2(2p/3))",
	.bound = "ceil(log2 p) with one port",
	.source = "Blelloch 1990",
	.claim = LS_ORDERED,
	.nodup = true,
	.supports = lsi_reaches_all,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
