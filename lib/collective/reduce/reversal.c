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

struct ls_frame ls_reversal_meeting_frame(const struct ls_problem *problem, int64_t rounds)
{
	struct ls_frame frame = ls_reversal_frame(problem, rounds);

	if (both_ways(problem)) {
		frame.rounds = 2 * rounds - 1;
		frame.scratch[0] = (struct ls_scratch){ 1, 1 };
		frame.lead = problem->in_place;
	}
	return frame;
}

int64_t ls_reversal_root(const struct ls_problem *problem)
{
	return both_ways(problem) ? 0 : problem->root;
}

static bool meets(const struct ls_plan *plan)
{
	return both_ways(&plan->problem) && plan->frame.rounds % 2;
}

/* Rounds of one way. */
static int64_t one_way(const struct ls_plan *plan)
{
	return both_ways(&plan->problem) ? (plan->frame.rounds + 1) / 2 : plan->frame.rounds;
}

static bool is_meeting(const struct ls_plan *plan, int64_t round)
{
	return meets(plan) && round == one_way(plan) - 1;
}

bool ls_reversal_gathers(const struct ls_plan *plan, int64_t round)
{
	if (both_ways(&plan->problem))
		return round < one_way(plan);
	return plan->problem.operation != LS_BROADCAST && plan->problem.operation != LS_SCATTER;
}

int64_t ls_reversal_round(const struct ls_plan *plan, int64_t round)
{
	const int64_t rounds = one_way(plan);

	if (ls_reversal_gathers(plan, round))
		return rounds - 1 - round;
	return (round + meets(plan)) % rounds;
}

bool ls_reversal_tells(const struct ls_plan *plan, int64_t round, int64_t *told)
{
	*told = ls_reversal_round(plan, round);
	return ls_reversal_gathers(plan, round);
}

void ls_reversal_peers(const struct ls_plan *plan, int64_t round, struct ls_edge edge,
	struct ls_peers *peers)
{
	if (is_meeting(plan, round))
		peers->to[0] = peers->from[0] = edge.peer;
	else if (edge.up == ls_reversal_gathers(plan, round))
		peers->to[0] = edge.peer;
	else
		peers->from[0] = edge.peer;
}

/*
 * In an all-reduce every node has an OUTPUT, and sums grow there as at the root, unless it meets.
 */
int64_t ls_reversal_shape(const struct ls_plan *plan, int64_t rank, int64_t round,
	struct ls_edge edge)
{
	const bool gathers = ls_reversal_gathers(plan, round), meeting = is_meeting(plan, round);
	const bool in_output = both_ways(&plan->problem) ? !meets(plan) : rank == plan->problem.root;
	int64_t shape;

	if (edge.peer == LS_NOBODY)
		return 0;
	shape = in_output ? LS_REDUCE_ROOT : 0;
	if (meeting)
		shape |= LS_REDUCE_SENDS | LS_REDUCE_RECEIVES | (edge.up ? 0 : LS_REDUCE_ABOVE);
	else
		shape |= edge.up == gathers ? LS_REDUCE_SENDS : LS_REDUCE_RECEIVES | LS_REDUCE_ABOVE;
	return shape
		| (gathers && edge.last && !(meeting && plan->problem.in_place) ? 0 : LS_REDUCE_HELD);
}

/* Both have what the other lacks; the root's comes first at both. */
static void meet(int64_t shape, struct ls_step *step)
{
	const struct ls_slice result = ls_one(LS_OUTPUT, 0);
	const struct ls_slice mine = ls_one(shape & LS_REDUCE_HELD ? LS_SCRATCH : LS_INPUT, 0);

	if (!(shape & LS_REDUCE_SENDS))
		return;
	ls_step_send(step, mine);
	ls_step_receive(step, 1);
	if (shape & LS_REDUCE_ABOVE)
		ls_step_combine(step, result, mine, ls_arrival(step));
	else
		ls_step_combine(step, result, ls_arrival(step), mine);
}

void ls_reversal_body(const struct ls_plan *plan, int64_t round, int64_t shape,
	struct ls_step *step)
{
	/* In place INPUT is overwritten while it is sent: those who meet send a copy. */
	if (round < 0) {
		ls_step_copy(step, ls_one(LS_SCRATCH, 0), ls_one(LS_INPUT, 0));
		return;
	}
	if (is_meeting(plan, round)) {
		meet(shape, step);
		return;
	}
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

struct ls_counts ls_reversal_meeting_counts(
	const struct ls_problem *problem, int64_t rounds, size_t n)
{
	struct ls_counts counts = ls_reversal_counts(problem, rounds, n);

	if (both_ways(problem) && rounds > 0) {
		counts.rounds--;
		counts.volume -= (int64_t)n;
	}
	return counts;
}
