/*
 * The messages that a node sends in an execution of a plan, counted and traced without them.
 */
#include "engine/cooperative/cooperative.h"

#include "machine/trace_records.h"
#include "plan/record.h"

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

/* Trace the messages of the plan, as this node sends them. */
static int trace_sends(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	const struct ls_plan *plan = call->plan;
	int64_t round = node->round;
	struct ls_step step;
	int failed = LS_OK;

	for (int64_t s = 0; s < ls_plan_steps(plan) && !failed; s++) {
		ls_plan_step(plan, node->rank, s, &step);
		for (int q = 0; q < step.ports && !failed; q++) {
			if (step.to[q] == LS_NO_RANK)
				continue;

			const size_t words = lsi_slice_words(plan, node->rank, &step.send[q], call->measure);

			const struct lsi_trace_event event = {
				.record = lsi_record_make(round, node->self->rank,
					lsi_member(node->group, step.to[q]), words, words * x->combine.size),
				.kind = LSI_TRACE_WHOLE,
			};

			failed = lsi_trace_put(node->self, &event);
		}
		round += !ls_plan_is_local(plan, s);
	}
	return failed;
}

int lsi_sends_count(struct lsi_execution *x, const struct lsi_cooperative_call *call)
{
	struct ls_node *node = x->node;
	struct lsi_counters *count = &node->self->count;
	const struct lsi_send_counts *counts = &call->send_counts;
	const int failed = node->self->machine->records ? trace_sends(x, call) : LS_OK;

	count->rounds += counts->rounds;
	count->messages += counts->messages;
	count->words += counts->words;
	count->bytes += counts->words * (int64_t)x->combine.size;
	count->load |= count->load == 0 && counts->messages > 0; /* hop mode: one message per link */
	node->round += counts->rounds;
	return failed;
}
