/*
 * All-to-all by direct messages with one block each.
 *
 * In round j `ecube` exchanges between rank r and r xor j, and `pairwise` sends from r to r + j.
 * In place, an exchange keeps the next block to send in one of two slots, and a rotation copies all
 * its blocks first.
 *
 *   rounds     p - 1
 *   cost       (p - 1)(t_s + t_w m), the least possible with one block per message: each node
 *              receives p - 1 blocks
 *   memory     none; in place two blocks (ecube) or p (pairwise)
 *   requires   routed mode, or the complete network; ecube also p a power of two.  On the hypercube
 *              a round of ecube uses no link twice
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.5; their slides to chapter 4,
 *              "Basic Communication Operations", equation (7)
 */
#include "collective/algorithm.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static bool supports_exchange(const struct lsi_problem *problem)
{
	return lsi_reaches_all(problem) && lsi_has_power_of_two_nodes(problem);
}

static struct lsi_frame frame_of(const struct lsi_problem *problem, int64_t slots)
{
	return (struct lsi_frame){ .rounds = problem->nodes - 1,
		.blocks = problem->nodes,
		.has_prologue = problem->in_place,
		.scratch = { { problem->in_place ? slots : 0, 1 } } };
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return frame_of(problem, problem->nodes);
}

static struct lsi_frame frame_exchange(const struct lsi_problem *problem)
{
	return frame_of(problem, 2);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	out->to[0] = lsi_wrap(rank + round + 1, plan->problem.nodes);
	out->from[0] = lsi_wrap(rank - round - 1, plan->problem.nodes);
}

static void peers_exchange(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	(void)plan;
	out->to[0] = out->from[0] = rank ^ (round + 1);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;
	const bool in_place = plan->problem.in_place;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}
	lsi_step_send(step, lsi_block(in_place ? LS_SCRATCH : LS_INPUT, lsi_wrap(rank + round + 1, p)));
	lsi_step_receive(step, 1);
	lsi_step_copy(step, lsi_block(LS_OUTPUT, lsi_wrap(rank - round - 1, p)), lsi_arrival(step));
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
}

static void body_exchange(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t peer = rank ^ (round + 1), next = rank ^ (round + 2);
	const bool in_place = plan->problem.in_place;

	if (round >= 0) {
		lsi_step_send(
			step, in_place ? lsi_block(LS_SCRATCH, round % 2) : lsi_block(LS_INPUT, peer));
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, peer), lsi_arrival(step));
	}
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
	if (in_place && round + 1 < plan->frame.rounds)
		lsi_step_copy(step, lsi_block(LS_SCRATCH, (round + 1) % 2), lsi_block(LS_INPUT, next));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, blocks = lsi_mul_sat(p, p - 1);

	return (struct ls_counts){ p - 1, blocks, lsi_mul_sat(blocks, (int64_t)n),
		lsi_mul_sat(p - 1, (int64_t)n) };
}

#define COMMON \
	.operations = LSI_FOR(LS_ALLTOALL), .rounds = "p - 1", \
	.bound = LSI_ROUND_BOUND "; with one block per message ceil((p - 1) / ports)", \
	.claim = LS_MOVE, .identical = true, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_alltoall_ecube = {
	COMMON,
	.name = "ecube",
	.networks = "complete:P; any in routed mode; P a power of two",
	.source =
		"Grama, Gupta, Karypis, Kumar 2003, section 4.5; their slides to chapter 4, equation (7)",
	.supports = supports_exchange,
	.frame = frame_exchange,
	.peers = peers_exchange,
	.body = body_exchange,
};

const struct lsi_algorithm lsi_alltoall_pairwise = {
	COMMON,
	.name = "pairwise",
	.networks = "complete:P; any in routed mode",
	.source = "pairwise exchange by rotation",
	.supports = lsi_reaches_all,
	.frame = frame,
	.peers = peers,
	.body = body,
};
