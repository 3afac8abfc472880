#include "collective/reduce/reversal.h"

static bool both_ways(const struct ls_problem *problem)
{
	return problem->operation == LS_ALLREDUCE || problem->operation == LS_BARRIER;
}

struct ls_frame ls_reversal_frame(const struct ls_problem *problem, int64_t rounds)
{
	struct ls_frame frame = { .rounds = both_ways(problem) ? 2 * rounds : rounds, .blocks = 1 };

	if (problem->operation == LS_REDUCE)
		frame.scratch[0] = (struct ls_scratch){ 1, 1 };
	return frame;
}

int64_t ls_reversal_root(const struct ls_problem *problem)
{
	return both_ways(problem) ? 0 : problem->root;
}

bool ls_reversal_gathers(const struct ls_plan *plan, int64_t round)
{
	if (both_ways(&plan->problem))
		return round < plan->frame.rounds / 2;
	return plan->problem.operation != LS_BROADCAST && plan->problem.operation != LS_SCATTER;
}

int64_t ls_reversal_round(const struct ls_plan *plan, int64_t round)
{
	const int64_t half = both_ways(&plan->problem) ? plan->frame.rounds / 2 : plan->frame.rounds;

	if (ls_reversal_gathers(plan, round))
		return half - 1 - round;
	return round % half;
}

void ls_reversal_peers(const struct ls_plan *plan, int64_t round, struct ls_edge edge,
	struct ls_peers *peers)
{
	if (edge.up == ls_reversal_gathers(plan, round))
		peers->to[0] = edge.peer;
	else
		peers->from[0] = edge.peer;
}

/* In an all-reduce every node has an OUTPUT, and sums grow there as at the root. */
int64_t ls_reversal_shape(const struct ls_plan *plan, int64_t rank, int64_t round,
	struct ls_edge edge)
{
	const bool gathers = ls_reversal_gathers(plan, round);

	if (edge.peer == LS_NOBODY)
		return 0;
	return (both_ways(&plan->problem) || rank == plan->problem.root ? LS_REDUCE_ROOT : 0)
		| (edge.up == gathers ? LS_REDUCE_SENDS : LS_REDUCE_RECEIVES | LS_REDUCE_ABOVE)
		| (gathers && edge.last ? 0 : LS_REDUCE_HELD);
}

void ls_reversal_body(const struct ls_plan *plan, int64_t round, int64_t shape,
	struct ls_step *step)
{
	if (ls_reversal_gathers(plan, round)) {
		ls_reduce_body(plan, round, shape, step);
		return;
	}
	if (shape & LS_REDUCE_SENDS)
		ls_step_send(step, ls_one(LS_OUTPUT, 0));
	if (shape & LS_REDUCE_RECEIVES) {
		ls_step_receive(step, 1);
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_arrival(step));
	}
}

struct ls_counts ls_reversal_counts(const struct ls_problem *problem, int64_t rounds, size_t n)
{
	const int64_t ways = both_ways(problem) ? 2 : 1, all = ways * rounds, m = (int64_t)n;
	const int64_t messages = ls_mul(ways, problem->nodes - 1);

	return (struct ls_counts){ all, messages, ls_mul(messages, m), ls_mul(all, m) };
}
