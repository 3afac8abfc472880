/*
 * The messages that a node sends in an execution of a plan, counted without executing it.
 */
#include "engine/cooperative/cooperative.h"

struct lsi_send_counts lsi_send_counts_of(
	const struct ls_plan *plan, int64_t rank, const struct lsi_measure *measure)
{
	struct lsi_send_counts counts = { .rounds = ls_plan_rounds(plan) };
	struct ls_step step;

	for (int64_t s = 0; s < ls_plan_steps(plan); s++) {
		ls_plan_step(plan, rank, s, &step);
		for (int q = 0; q < step.ports; q++) {
			if (step.to[q] == LS_NO_RANK)
				continue;
			counts.messages++;
			counts.words += (int64_t)lsi_slice_words(plan, rank, &step.send[q], measure);
		}
	}
	return counts;
}
