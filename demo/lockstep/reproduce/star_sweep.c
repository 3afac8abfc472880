/*
 * Rounds of an all-reduce that a sweep executes on all nodes, up to millions.
 */
#include "base/host.h"
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>

enum { THREADS = 720 }; /* most nodes of an additional run on threads */

/* Node r contributes r + 1. */
static void make_operand(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	int64_t *operand = into;

	(void)context;
	for (size_t i = 0; i < n; i++)
		operand[i] = rank + 1 + (int64_t)(first + i);
}

static int check_sum(void *nodes, int64_t rank, const void *result)
{
	const int64_t p = *(const int64_t *)nodes, sum = *(const int64_t *)result;

	(void)rank;
	return sum != p * (p + 1) / 2;
}

/* `trace` may be NULL. */
static int sweep(
	const struct claim_plan *plan, struct message_trace *trace, struct ls_sweep_result *out)
{
	int64_t p = ls_plan_nodes(plan->plan);
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan->plan,
		.count = 1,
		.type = LS_INT64,
		.op = LS_SUM,
		.make = make_operand,
		.take = check_sum,
		.context = &p,
		.memory = (size_t)host_memory().left,
		.trace = trace ? keep_record : NULL,
		.trace_context = trace };

	*out = (struct ls_sweep_result){ .size = sizeof *out };
	return ls_sweep_run(&sweep, out);
}

/* Append nothing if threads compute the sum with the same messages; else append the error. */
static void append_thread_error(
	const struct claim_plan *plan, const struct message_trace *swept, char *found)
{
	int64_t p = ls_plan_nodes(plan->plan);
	int64_t *operand = require_memory(calloc((size_t)p, sizeof *operand));
	int64_t *result = require_memory(calloc((size_t)p, sizeof *result));
	bool is_same;

	for (int64_t r = 0; r < p; r++)
		make_operand(NULL, r, 0, 1, &operand[r]);

	struct message_trace sent = execute_plan(plan, 1, operand, result);

	is_same = traces_equal(&sent, swept);
	for (int64_t r = 0; r < p; r++)
		is_same = is_same && check_sum(&p, r, &result[r]) == 0;
	if (!is_same)
		append_text(found, "threads differ");
	free_trace(&sent);
	free(operand);
	free(result);
}

static void append_sweep_rounds(
	const struct claim *claim, const struct claim_plan *plan, char *found)
{
	const bool is_small = ls_plan_nodes(plan->plan) <= THREADS;
	struct message_trace trace = { 0 };
	struct ls_sweep_result swept;
	const int failed = sweep(plan, is_small ? &trace : NULL, &swept);

	(void)claim;
	if (failed == LS_OK)
		record_method(METHOD_SWEEP, ls_plan_nodes(plan->plan));
	else if (failed == LS_ERR_MEMORY)
		lacks_resources(failed, "takes %zu MB of memory", swept.memory / 1000000 + 1);
	else
		lacks_resources(failed, "%s", swept.error.text);
	if (failed)
		append_text(found, "%s", swept.error.text);
	else if (!swept.proved)
		append_text(found, "not proved");
	else if (is_small)
		append_thread_error(plan, &trace, found);
	if (!found[0])
		append_text(found, "%" PRId64, swept.stats.rounds);
	free_trace(&trace);
}

/* The claim must have one network. */
void find_sweep_rounds(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_sweep_rounds);
}
