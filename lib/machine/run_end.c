/*
 * The end of a run: add the counters of all nodes, and find the error of the run.
 */
#include "machine/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/call_mismatch.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/message_rules.h"
#include "machine/processes/far_nodes.h"
#include "machine/trace_records.h"
#include "machine/verdict.h"
#include "machine/wait.h"

/* All programs ended without an error, and a message was never received. */
static void find_unreceived_message(struct ls_machine *machine)
{
	struct ls_error *error = &machine->error;
	int64_t from, to, round;

	if (!lsi_registry_first_unreceived(machine, &from, &to, &round))
		return;
	*error = (struct ls_error){ sizeof *error, LS_OK, from, to, round, -1, "run", "" };
	error->kind = lsi_message_describe(&(struct lsi_message_error){ .rule = LSI_RULE_RECEIVE,
										   .sends = true,
										   .node = from,
										   .peer = to,
										   .round = round,
										   .operation = "run" },
		error->text, sizeof error->text);
}

static bool is_finished(const struct ls_machine *machine, int64_t rank)
{
	return machine->all_ended
		|| lsi_load(&machine->node_state[rank].worker->finished, acquire); /* FINISHED */
}

/* The first node, by round, then rank, that was waiting at the end of the run; NULL: none. */
static const struct lsi_node_state *find_first_waiting(const struct ls_machine *machine)
{
	const struct lsi_node_state *first = NULL;

	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		const struct lsi_node_state *node = &machine->node_state[i];

		if (is_finished(machine, i) && node->waits_for
			&& (!first || node->waits_for->round < first->waits_for->round))
			first = node;
	}
	return first;
}

/*
 * The first node that has not returned.  One that only waits until another node has used its
 * buffers comes last.  LS_NO_RANK: all have returned.
 */
static int64_t find_computing(const struct ls_machine *machine)
{
	int64_t found = LS_NO_RANK;

	for (int64_t i = machine->end_local - 1; i >= machine->first_local; i--) {
		struct lsi_node_state *node = &machine->node_state[i];
		const bool computes = !lsi_load(&node->buffers_in_use, relaxed); /* a hint */

		if (!is_finished(machine, i)
			&& lsi_load(&node->worker->current, relaxed) == node /* as above */
			&& (computes || found == LS_NO_RANK))
			found = i;
	}
	return found;
}

/* The time limit is over: name a node that has not returned, else one that waited. */
static enum lsi_error_class describe_timeout(struct ls_machine *machine)
{
	struct ls_error *error = &machine->error;
	const struct lsi_node_state *waiting = find_first_waiting(machine);
	const struct ls_wait_state *w = waiting ? waiting->waits_for : NULL;
	const double limit = machine->options.timeout;
	const int64_t rank = find_computing(machine);

	if (rank != LS_NO_RANK) {
		error->node = rank;
		snprintf(error->text, sizeof error->text,
			"timed out after %g s: node %" PRId64
			" is still running; the machine is busy until its program returns",
			limit, rank);
		return LSI_ERROR_COMPUTES;
	}
	if (w) {
		error->node = waiting->rank;
		error->peer = w->peer;
		error->round = w->round;
		error->operation = w->operation;
		snprintf(error->text, sizeof error->text,
			"timed out after %g s in round %" PRId64 " (%s): node %" PRId64 " is waiting", limit,
			w->round, w->operation, waiting->rank);
		return LSI_ERROR_WAITS;
	}
	snprintf(error->text, sizeof error->text, "timed out after %g s in round %" PRId64, limit,
		machine->total.rounds + 1);
	return LSI_ERROR_STOPPED;
}

/* No node reported the stop: it came from outside, or before all nodes had begun. */
static enum lsi_error_class describe_stop(struct ls_machine *machine, int why)
{
	struct ls_error *error = &machine->error;

	error->kind = why;
	if (why == LS_ERR_TIMEOUT && machine->deadline && lsi_now_ns() >= machine->deadline)
		return describe_timeout(machine);
	snprintf(error->text, sizeof error->text, "stopped in round %" PRId64 ": %s",
		machine->total.rounds + 1, ls_status_name(why));
	return LSI_ERROR_STOPPED;
}

/* The verdict; else a reported error, a stop from outside, or a message in a mailbox. */
static enum lsi_error_class find_error(struct ls_machine *machine)
{
	const int reason = lsi_stop_reason(machine);

	if (machine->error.kind) /* ls_detach has returned it already */
		return LSI_ERROR_VERDICT;
	if (machine->verdict.kind) {
		machine->error = machine->verdict;
		return LSI_ERROR_VERDICT;
	}
	machine->error = lsi_earliest_error(machine);
	if (machine->error.kind)
		return LSI_ERROR_REPORTED;
	if (reason)
		return describe_stop(machine, reason);
	find_unreceived_message(machine);
	return LSI_ERROR_UNRECEIVED;
}

/* The error of the nodes of this process, then of all. */
static void conclude(struct ls_machine *machine)
{
	const enum lsi_error_class class = find_error(machine);

	if (lsi_processes_are_joint(machine))
		lsi_processes_join_error(machine, class);
	else if (machine->all_ended && lsi_error_may_change(class, &machine->error))
		lsi_find_mismatch(machine, &machine->error);
}

/* Add the counters of all nodes; of loads and rounds, take the largest. */
static void add_counters(struct ls_machine *machine)
{
	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		const struct lsi_counters *count = &machine->node_state[i].count;

		if (!is_finished(machine, i))
			continue;
		machine->total.messages += count->messages;
		machine->total.words += count->words;
		machine->total.bytes += count->bytes;
		machine->total.reroutes += count->reroutes;
		machine->total.load = count->load > machine->total.load ? count->load : machine->total.load;
		machine->total.rounds =
			count->rounds > machine->total.rounds ? count->rounds : machine->total.rounds;
	}
}

void lsi_run_end(struct ls_machine *machine)
{
	const bool joint = lsi_processes_are_joint(machine);

	if (joint && machine->records)
		lsi_processes_gather_trace(machine);
	if (machine->records)
		lsi_trace_drain(machine, INT64_MAX); /* may stop the machine: no memory */
	add_counters(machine);
	if (joint)
		lsi_processes_join_counters(machine);
	conclude(machine);
	lsi_trace_output_close(&machine->trace_output, &machine->error);
	if (joint)
		lsi_processes_share_error(machine);
	/* Mailboxes to other processes must be emptied in both, or in none. */
	if (joint || !machine->processes)
		machine->has_failed = machine->error.kind != LS_OK;
}
