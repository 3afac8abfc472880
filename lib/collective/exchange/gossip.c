#include "collective/exchange/gossip.h"

struct lsi_frame lsi_gossip_frame(const struct lsi_problem *problem, int64_t rounds)
{
	struct lsi_frame f = { .rounds = rounds, .blocks = 1 };

	f.has_prologue = problem->in_place && rounds == 1;
	if (rounds > 1 || problem->in_place)
		f.scratch[0] = (struct lsi_scratch){ 1, 1 };
	if (rounds > 2 && problem->in_place)
		f.scratch[1] = (struct lsi_scratch){ 1, 1 };
	return f;
}

void lsi_gossip_body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const int64_t K = plan->frame.rounds;
	const bool in_place = plan->problem.in_place;

	(void)at;
	if (round < 0) {
		lsi_step_copy(step, lsi_block(LS_SCRATCH, 0), lsi_block(LS_INPUT, 0));
		return;
	}

	const int from =
		plan->frame.has_prologue ? LS_SCRATCH : lsi_alternating_buffer(round, K, in_place);
	const struct ls_slice mine = lsi_block(from, 0);

	lsi_step_send(step, mine);
	lsi_step_receive(step, 1);
	lsi_step_combine(step, lsi_block(lsi_alternating_buffer(round + 1, K, in_place), 0),
		lsi_arrival(step), mine);
}

struct ls_counts lsi_gossip_counts(const struct lsi_problem *problem, int64_t rounds, size_t n)
{
	const int64_t messages = lsi_mul_sat(rounds, problem->nodes);

	return lsi_equal_counts(rounds, messages, n);
}
