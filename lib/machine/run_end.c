/*
 * The end of a run: add the counters of all nodes, and find the error of the run.
 */
#include "machine/run.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/call_mismatch.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/message_rules.h"
#include "machine/trace_records.h"

/* ls_last_error returns the error of the lowest round, then of the lowest rank. */
static bool is_earlier(const struct ls_error *a, const struct ls_error *b)
{
	return a->round != b->round ? a->round < b->round : a->node < b->node;
}

/* The earliest error that a node reported. */
static void find_reported_error(struct ls_machine *machine)
{
	struct lsi_queue_item *item;

	while ((item = lsi_queue_take(machine->reports))) {
		const struct ls_error *error = &((struct lsi_report *)(void *)item)->error;

		if (machine->error.kind == LS_OK || is_earlier(error, &machine->error))
			machine->error = *error;
	}
}

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

/* No node reported the stop: it came from outside, or before all nodes had begun. */
static void describe_stop(struct ls_machine *machine, int why)
{
	struct ls_error *error = &machine->error;
	const int64_t round = machine->total.rounds + 1;

	if (why == LS_ERR_TIMEOUT && machine->deadline && lsi_now_ns() >= machine->deadline)
		snprintf(error->text, sizeof error->text, "timed out after %g s in round %" PRId64,
			machine->options.timeout, round);
	else
		snprintf(error->text, sizeof error->text, "stopped in round %" PRId64 ": %s", round,
			ls_status_name(why));
}

/* Reported errors come first, then a stop from outside, then a message in a mailbox. */
static void find_error(struct ls_machine *machine)
{
	const int stopped = lsi_load(&machine->stopped, acquire); /* STOP */

	find_reported_error(machine);
	if (machine->error.kind == LS_OK && stopped) {
		machine->error.kind = stopped;
		describe_stop(machine, stopped);
	}
	if (machine->error.kind == LS_OK)
		find_unreceived_message(machine);
	lsi_find_mismatch(machine);
}

/* Add the counters of all nodes; of loads and rounds, take the largest. */
static void add_counters(struct ls_machine *machine)
{
	for (int64_t i = 0; i < machine->nodes; i++) {
		const struct lsi_counters *count = &machine->node_state[i].count;

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
	if (machine->records)
		lsi_trace_drain(machine, INT64_MAX); /* may stop the machine: no memory */
	add_counters(machine);
	find_error(machine);
	lsi_trace_output_close(&machine->trace_output, &machine->error);
	lsi_groups_destroy(machine);
	for (int64_t i = 0; i < machine->nodes; i++)
		machine->node_state[i].result = machine->error.kind;
}
