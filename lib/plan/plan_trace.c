/*
 * The messages of a plan in the order of a trace: by step, then sender, then receiver.
 */
#include <lockstep/trace.h>

#include "plan/plan_internal.h"
#include "plan/record.h"

/* The port that sends to the lowest rank from `least` on; -1: none does. */
static int next_port(const struct ls_step *step, int64_t least)
{
	int next = -1;

	for (int q = 0; q < step->ports; q++) {
		if (step->to[q] != LS_NO_RANK && step->to[q] >= least
			&& (next < 0 || step->to[q] < step->to[next]))
			next = q;
	}
	return next;
}

/* The messages that one node sends in a step. */
static int trace_node(const ls_plan *plan, const struct lsi_measure *measure, int64_t rank,
	int64_t t, int (*row)(void *context, const struct ls_record *), void *context)
{
	struct ls_step step;
	int stop = 0;

	ls_plan_step(plan, rank, t, &step);
	for (int q = next_port(&step, 0); q >= 0 && !stop; q = next_port(&step, step.to[q] + 1)) {
		const struct ls_record message = lsi_record_make(ls_plan_round(plan, t), rank, step.to[q],
			lsi_slice_words(plan, rank, &step.send[q], measure), 0);

		stop = row(context, &message);
	}
	return stop;
}

int ls_trace_step(const ls_plan *plan, size_t n, int64_t step,
	int (*row)(void *context, const struct ls_record *), void *context)
{
	const struct lsi_measure measure = { .n = n };
	int stop = 0;

	if (!plan || !row || step < 0 || step >= ls_plan_steps(plan))
		return LS_ERR_ARGUMENT;
	for (int64_t u = 0; u < ls_plan_nodes(plan) && !stop; u++)
		stop = trace_node(plan, &measure, u, step, row, context);
	return stop;
}

int ls_trace_plan(const ls_plan *plan, size_t n,
	int (*row)(void *context, const struct ls_record *), void *context)
{
	int stop = 0;

	if (!plan || !row)
		return LS_ERR_ARGUMENT;
	for (int64_t t = 0; t < ls_plan_steps(plan) && !stop; t++)
		stop = ls_trace_step(plan, n, t, row, context);
	return stop;
}
