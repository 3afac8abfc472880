#include "collective/gossip.h"

struct ls_frame ls_gossip_frame(const struct ls_problem *problem, int64_t rounds)
{
	struct ls_frame f = { .rounds = rounds, .blocks = 1 };

	f.lead = problem->in_place && rounds == 1;
	if (rounds > 1 || problem->in_place)
		f.scratch[0] = (struct ls_scratch){ 1, 1 };
	if (rounds > 2 && problem->in_place)
		f.scratch[1] = (struct ls_scratch){ 1, 1 };
	return f;
}

int64_t ls_gossip_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	(void)plan, (void)rank, (void)round;
	return 0;
}

void ls_gossip_body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const int64_t K = plan->frame.rounds;
	const bool in_place = plan->problem.in_place;

	(void)at;
	if (round < 0) {
		ls_step_copy(step, ls_one(LS_SCRATCH, 0), ls_one(LS_INPUT, 0));
		return;
	}

	const int from = plan->frame.lead ? LS_SCRATCH : ls_place(round, K, in_place);
	const struct ls_slice mine = ls_one(from, 0);

	ls_step_send(step, mine);
	ls_step_receive(step, 1);
	ls_step_combine(step, ls_one(ls_place(round + 1, K, in_place), 0), ls_arrival(step), mine);
}

struct ls_counts ls_gossip_counts(const struct ls_problem *problem, int64_t rounds, size_t n)
{
	const int64_t m = (int64_t)n, messages = ls_mul(rounds, problem->nodes);

	return (struct ls_counts){ rounds, messages, ls_mul(messages, m), ls_mul(rounds, m) };
}
