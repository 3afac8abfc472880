#include "collective/tree/reversal.h"

static bool both_ways(const struct lsi_problem *problem)
{
	return problem->operation == LS_ALLREDUCE || problem->operation == LS_BARRIER;
}

struct lsi_frame lsi_reversal_frame(const struct lsi_problem *problem, int64_t rounds)
{
	struct lsi_frame frame = { .rounds = both_ways(problem) ? 2 * rounds : rounds, .blocks = 1 };

	if (problem->operation == LS_REDUCE)
		frame.scratch[0] = (struct lsi_scratch){ 1, 1 };
	return frame;
}

struct lsi_frame lsi_reversal_meeting_frame(const struct lsi_problem *problem, int64_t rounds)
{
	struct lsi_frame frame = lsi_reversal_frame(problem, rounds);

	if (both_ways(problem)) {
		frame.rounds = 2 * rounds - 1;
		frame.scratch[0] = (struct lsi_scratch){ 1, 1 };
		frame.has_prologue = problem->in_place;
	}
	return frame;
}

int64_t lsi_reversal_root(const struct lsi_problem *problem)
{
	return both_ways(problem) ? 0 : problem->root;
}

static bool meets(const struct ls_plan *plan)
{
	return both_ways(&plan->problem) && plan->frame.rounds % 2;
}

/* Rounds of one direction. */
static int64_t one_way(const struct ls_plan *plan)
{
	return both_ways(&plan->problem) ? (plan->frame.rounds + 1) / 2 : plan->frame.rounds;
}

static bool is_meeting(const struct ls_plan *plan, int64_t round)
{
	return meets(plan) && round == one_way(plan) - 1;
}

bool lsi_reversal_moves_up(const struct ls_plan *plan, int64_t round)
{
	if (both_ways(&plan->problem))
		return round < one_way(plan);
	return plan->problem.operation != LS_BROADCAST && plan->problem.operation != LS_SCATTER;
}

int64_t lsi_reversal_round(const struct ls_plan *plan, int64_t round)
{
	const int64_t rounds = one_way(plan);

	if (lsi_reversal_moves_up(plan, round))
		return rounds - 1 - round;
	return (round + meets(plan)) % rounds;
}

bool lsi_reversal_round_of(const struct ls_plan *plan, int64_t round, int64_t *broadcast_round)
{
	*broadcast_round = lsi_reversal_round(plan, round);
	return lsi_reversal_moves_up(plan, round);
}

void lsi_reversal_peers(
	const struct ls_plan *plan, int64_t round, struct lsi_edge edge, struct lsi_peers *peers)
{
	if (is_meeting(plan, round))
		peers->to[0] = peers->from[0] = edge.peer;
	else if (edge.up == lsi_reversal_moves_up(plan, round))
		peers->to[0] = edge.peer;
	else
		peers->from[0] = edge.peer;
}

/*
 * In an all-reduce every node has an OUTPUT.  Sums grow there, as at the root, unless both halves
 * meet.
 */
int64_t lsi_reversal_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	const bool up = lsi_reversal_moves_up(plan, round), meeting = is_meeting(plan, round);
	const bool in_output = both_ways(&plan->problem) ? !meets(plan) : rank == plan->problem.root;
	int64_t shape;

	if (edge.peer == LS_NO_RANK)
		return 0;
	shape = in_output ? LSI_REDUCE_ROOT : 0;
	if (meeting)
		shape |= LSI_REDUCE_SENDS | LSI_REDUCE_RECEIVES | (edge.up ? 0 : LSI_REDUCE_ABOVE);
	else
		shape |= edge.up == up ? LSI_REDUCE_SENDS : LSI_REDUCE_RECEIVES | LSI_REDUCE_ABOVE;
	return shape | (up && edge.last && !(meeting && plan->problem.in_place) ? 0 : LSI_REDUCE_HELD);
}

/* Both nodes have what the other one lacks; both put the value of the root first. */
static void meet(int64_t shape, struct ls_step *step)
{
	const struct ls_slice result = lsi_block(LS_OUTPUT, 0);
	const struct ls_slice mine = lsi_block(shape & LSI_REDUCE_HELD ? LS_SCRATCH : LS_INPUT, 0);

	if (!(shape & LSI_REDUCE_SENDS))
		return;
	lsi_step_send(step, mine);
	lsi_step_receive(step, 1);
	if (shape & LSI_REDUCE_ABOVE)
		lsi_step_combine(step, result, mine, lsi_arrival(step));
	else
		lsi_step_combine(step, result, lsi_arrival(step), mine);
}

void lsi_reversal_body(
	const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	/* In place, INPUT is overwritten while it is sent, so the nodes that meet send a copy. */
	if (round < 0) {
		lsi_step_copy(step, lsi_block(LS_SCRATCH, 0), lsi_block(LS_INPUT, 0));
		return;
	}
	if (is_meeting(plan, round)) {
		meet(shape, step);
		return;
	}
	if (lsi_reversal_moves_up(plan, round)) {
		lsi_reduce_body(plan, round, shape, step);
		return;
	}
	if (shape & LSI_REDUCE_SENDS)
		lsi_step_send(step, lsi_block(LS_OUTPUT, 0));
	if (shape & LSI_REDUCE_RECEIVES) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_arrival(step));
	}
}

struct ls_counts lsi_reversal_counts(const struct lsi_problem *problem, int64_t rounds, size_t n)
{
	const int64_t ways = both_ways(problem) ? 2 : 1, all = ways * rounds;
	const int64_t messages = lsi_mul_sat(ways, problem->nodes - 1);

	return lsi_equal_counts(all, messages, n);
}

struct ls_counts lsi_reversal_meeting_counts(
	const struct lsi_problem *problem, int64_t rounds, size_t n)
{
	struct ls_counts counts = lsi_reversal_counts(problem, rounds, n);

	if (both_ways(problem) && rounds > 0) {
		counts.rounds--;
		counts.volume -= (int64_t)n;
	}
	return counts;
}
