/*
 * All-to-all by direct messages, one block in each.
 *
 * In round j `ecube` exchanges rank r with r xor j, and `pairwise` sends from r to r + j.  In place
 * an exchange keeps what it sends next in one of two slots; a rotation copies its blocks first.
 *
 *   rounds     p - 1
 *   cost       (p - 1)(t_s + t_w m): the least, as each node receives p - 1 blocks
 *   requires   routed mode, or the complete network; ecube also p a power of two.  On the
 *              hypercube no link is crossed twice in a round of ecube
 *   memory     none; in place two blocks, or p
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.5; slides, equation (7)
 */
#include "collective/algorithm.h"

static bool reaches_all(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED
		|| ls_topology_is(problem->topology, &ls_network_complete);
}

static bool supports(const struct ls_problem *problem)
{
	return reaches_all(problem);
}

static bool supports_exchange(const struct ls_problem *problem)
{
	return reaches_all(problem) && (problem->nodes & (problem->nodes - 1)) == 0;
}

static struct ls_frame frame_of(const struct ls_problem *problem, int64_t slots)
{
	return (struct ls_frame){ .rounds = problem->nodes - 1, .blocks = problem->nodes,
		.lead = problem->in_place, .scratch = { { problem->in_place ? slots : 0, 1 } } };
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	return frame_of(problem, problem->nodes);
}

static struct ls_frame frame_exchange(const struct ls_problem *problem)
{
	return frame_of(problem, 2);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	out->to[0] = ls_wrap(rank + round + 1, plan->problem.nodes);
	out->from[0] = ls_wrap(rank - round - 1, plan->problem.nodes);
}

static void peers_exchange(const struct ls_plan *plan, int64_t rank, int64_t round,
	struct ls_peers *out)
{
	(void)plan;
	out->to[0] = out->from[0] = rank ^ (round + 1);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;
	const bool in_place = plan->problem.in_place;

	if (round < 0) {
		ls_step_copy(step, ls_blocks(LS_SCRATCH, 0, p), ls_blocks(LS_INPUT, 0, p));
		return;
	}
	ls_step_send(step, ls_one(in_place ? LS_SCRATCH : LS_INPUT, ls_wrap(rank + round + 1, p)));
	ls_step_receive(step, 1);
	ls_step_copy(step, ls_one(LS_OUTPUT, ls_wrap(rank - round - 1, p)), ls_arrival(step));
	if (round == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, rank));
}

static void body_exchange(const struct ls_plan *plan, int64_t round, int64_t rank,
	struct ls_step *step)
{
	const int64_t peer = rank ^ (round + 1), next = rank ^ (round + 2);
	const bool in_place = plan->problem.in_place;

	if (round >= 0) {
		ls_step_send(step,
			in_place ? ls_one(LS_SCRATCH, round % 2) : ls_one(LS_INPUT, peer));
		ls_step_receive(step, 1);
		ls_step_copy(step, ls_one(LS_OUTPUT, peer), ls_arrival(step));
	}
	if (round == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, rank));
	if (in_place && round + 1 < plan->frame.rounds)
		ls_step_copy(step, ls_one(LS_SCRATCH, (round + 1) % 2), ls_one(LS_INPUT, next));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, blocks = ls_mul(p, p - 1);

	return (struct ls_counts){ p - 1, blocks, ls_mul(blocks, (int64_t)n),
		ls_mul(p - 1, (int64_t)n) };
}

/* Each node receives p - 1 blocks, one a message. */
static int64_t lower_bound(const struct ls_problem *problem)
{
	return (problem->nodes - 1 + problem->ports - 1) / problem->ports;
}

#define COMMON \
	.operations = LS_FOR(LS_ALLTOALL), .rounds = "p - 1", \
	.bound = "p - 1 with one block a message", .claim = LS_MOVE, .identical = true, \
	.predict = predict, .lower_bound = lower_bound

const struct ls_algorithm ls_alltoall_ecube = {
	COMMON,
	.name = "ecube",
	.networks = "complete:P; any in routed mode; P a power of two",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.5; slides (7)",
	.supports = supports_exchange,
	.frame = frame_exchange,
	.peers = peers_exchange,
	.body = body_exchange,
};

const struct ls_algorithm ls_alltoall_pairwise = {
	COMMON,
	.name = "pairwise",
	.networks = "complete:P; any in routed mode",
	.source = "pairwise exchange by rotation",
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
};
