#include "machine/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/futex.h"
#include "machine/call_mismatch.h"
#include "machine/processes/far_nodes.h"
#include "machine/shrink.h"
#include "machine/wait.h"

/* The longest wait for the verdict: a second, and some time for each node to park. */
static const uint64_t verdict_ns = 1000000000, verdict_ns_per_node = 1000000;

/* ---- Report an error */

/* The first error of a node stays. */
static void record_error(struct lsi_node_state *me, struct lsi_fault fault, const char *text)
{
	struct ls_error *error = &me->error;

	if (lsi_load(&me->reported, relaxed)) /* one thread writes it at a time */
		return;
	*error = (struct ls_error){ sizeof *error, fault.kind, me->rank, fault.peer, fault.round,
		fault.link, fault.operation, "" };
	snprintf(error->text, sizeof error->text, "%s", text);
	lsi_store(&me->reported, 1u, release); /* REPORT */
}

struct lsi_message_error lsi_message_error_of(const struct lsi_envelope *e,
	const struct lsi_channel *channel, int64_t peer, enum lsi_message_rule rule, bool sends)
{
	const struct lsi_node_state *me = e->node->self;

	return (struct lsi_message_error){ .rule = rule,
		.sends = sends,
		.node = me->rank,
		.peer = peer,
		.round = e->node->round,
		.link = channel && channel->link >= 0 ? ls_link_label(me->machine->topology, channel->link)
											  : -1,
		.operation = e->operation };
}

/* ---- Find the verdict */

/* Errors are ordered by round, then by rank. */
static bool is_earlier(const struct ls_error *a, const struct ls_error *b)
{
	return a->round != b->round ? a->round < b->round : a->node < b->node;
}

struct ls_error lsi_earliest_error(const struct ls_machine *machine)
{
	struct ls_error earliest = LSI_NO_ERROR;

	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		struct lsi_node_state *node = &machine->node_state[i];

		if (lsi_load(&node->reported, acquire) /* REPORT */
			&& (earliest.kind == LS_OK || is_earlier(&node->error, &earliest)))
			earliest = node->error;
	}
	return earliest;
}

const struct lsi_node_state *lsi_find_waiting_node(
	const struct ls_machine *machine, int64_t *waiting)
{
	const struct lsi_node_state *named = NULL;

	*waiting = 0;
	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		const struct lsi_node_state *node = &machine->node_state[i];

		if (!node->waits_for)
			continue;
		++*waiting;
		if (!named || (named->waits_for->peer == LS_NO_RANK && node->waits_for->peer != LS_NO_RANK))
			named = node;
	}
	return named;
}

struct ls_error lsi_deadlock_error(
	int64_t rank, const struct ls_wait_state *w, int64_t waiting, uint32_t elsewhere)
{
	struct ls_error error = { sizeof error, LS_ERR_DEADLOCK, -1, -1, -1, -1, NULL, "" };
	char peer[48] = "the other nodes of its group", also[48] = "";

	if (rank == LS_NO_RANK) {
		snprintf(error.text, sizeof error.text,
			"deadlock: every running node of this machine waits in another machine");
		return error;
	}

	error.node = rank;
	error.peer = w->peer;
	error.round = w->round;
	error.operation = w->operation;
	if (w->peer != LS_NO_RANK)
		snprintf(peer, sizeof peer, "node %" PRId64, w->peer);
	if (elsewhere > 0)
		snprintf(also, sizeof also, ", and %" PRIu32 " in another machine", elsewhere);
	snprintf(error.text, sizeof error.text,
		"deadlock: every running node waits (%" PRId64 " in total%s); node %" PRId64
		" waits for %s in round %" PRId64 " (%s)",
		waiting, also, rank, peer, w->round, w->operation);
	return error;
}

/* Every live node is parked, so the wait states do not change. */
static struct ls_error find_deadlock(struct ls_machine *machine)
{
	int64_t waiting;
	const struct lsi_node_state *named = lsi_find_waiting_node(machine, &waiting);
	const uint32_t elsewhere = lsi_load(&machine->park_counter.elsewhere, relaxed); /* by LINK */

	return lsi_deadlock_error(
		named ? named->rank : LS_NO_RANK, named ? named->waits_for : NULL, waiting, elsewhere);
}

/* ---- Decide */

/*
 * All live nodes are parked also for a moment after a stop: the last node that ran has left, and
 * the stop has not woken the others yet.  Then the state is negative.
 */
bool lsi_verdict_begin(struct ls_machine *machine)
{
	int state = lsi_load(&machine->state, acquire); /* STOP */

	if (state < 0 || state == LSI_DECIDING)
		return false;
	return lsi_compare_swap(&machine->state, &state, LSI_DECIDING, seq_cst); /* STOP */
}

/* If a node has reported an error meanwhile, it sets the state to FAILING now. */
void lsi_verdict_cancel(struct ls_machine *machine)
{
	const bool fails = lsi_earliest_error(machine).kind != LS_OK;

	lsi_store(&machine->state, fails ? LSI_FAILING : LSI_RUNNING, release); /* STOP */
}

void lsi_verdict_find(struct ls_machine *machine)
{
	machine->verdict = lsi_earliest_error(machine);
	if (machine->verdict.kind == LS_OK)
		machine->verdict = find_deadlock(machine);
	lsi_find_mismatch(machine, &machine->verdict);
}

void lsi_verdict_announce(struct ls_machine *machine)
{
	lsi_shrink_stop_begin(machine);
	lsi_exchange(&machine->state, machine->verdict.kind, seq_cst); /* STOP */
	lsi_wake_all(machine);
	lsi_shrink_stop_end(machine);
}

/*
 * Another thread may be deciding for linked machines, and may cancel: then the nodes are still
 * parked, and this thread decides.
 */
void lsi_decide_if_all_parked(struct ls_machine *machine)
{
	if (machine->processes) {
		lsi_processes_decide(machine, false);
		return;
	}
	while (!lsi_verdict_begin(machine)) {
		if (lsi_load(&machine->state, acquire) < 0) /* STOP */
			return;
		lsi_yield();
	}
	lsi_verdict_find(machine);
	lsi_verdict_announce(machine);
}

void lsi_decide_early(struct ls_machine *machine)
{
	int state = LSI_FAILING;

	if (machine->processes) {
		lsi_processes_decide(machine, true);
		return;
	}
	if (lsi_compare_swap(&machine->state, &state, LSI_DECIDING, seq_cst)) { /* STOP */
		machine->verdict = lsi_earliest_error(machine);
		lsi_verdict_announce(machine);
	}
}

int lsi_time_out(struct ls_machine *machine)
{
	int state;

	lsi_shrink_forbid(machine, LS_ERR_TIMEOUT);
	while ((state = lsi_load(&machine->state, acquire)) >= 0) { /* STOP */
		if (state == LSI_RUNNING)
			ls_machine_stop(machine, LS_ERR_TIMEOUT);
		else if (state == LSI_FAILING)
			lsi_decide_early(machine);
		lsi_yield();
	}
	return state;
}

/* The node has reported an error: the machine fails, unless it has stopped. */
static void begin_failing(struct ls_machine *machine)
{
	int state = LSI_RUNNING;

	while (state != LSI_FAILING && state >= 0
		&& !lsi_compare_swap(&machine->state, &state, LSI_FAILING, seq_cst)) { /* STOP */
		if (state == LSI_DECIDING) {
			lsi_yield();
			state = LSI_RUNNING;
		}
	}
	if (machine->processes)
		lsi_processes_notify(machine);
}

uint64_t lsi_verdict_wait_ns(const struct ls_machine *machine)
{
	return verdict_ns + (uint64_t)machine->nodes * verdict_ns_per_node;
}

static int wait_for_verdict(struct lsi_node_state *me)
{
	struct ls_machine *machine = me->machine;
	uint64_t limit = lsi_now_ns() + lsi_verdict_wait_ns(machine);
	int reason;

	if (machine->deadline && machine->deadline < limit)
		limit = machine->deadline;
	begin_failing(machine);
	while (!(reason = lsi_wait_for_stop(me, limit))) {
		lsi_decide_early(machine);
		lsi_yield();
	}
	return reason;
}

int lsi_machine_fail(struct lsi_node_state *me, struct lsi_fault fault, const char *format, ...)
{
	char text[sizeof me->error.text];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	record_error(me, fault, text);
	return wait_for_verdict(me);
}

void lsi_message_error_record(struct lsi_node_state *me, const struct lsi_message_error *error)
{
	char text[sizeof me->error.text];
	const int kind = lsi_message_describe(error, text, sizeof text);

	record_error(me,
		(struct lsi_fault){ kind, error->peer, error->round, error->link, error->operation }, text);
}

int lsi_message_fail(struct lsi_node_state *me, const struct lsi_message_error *error)
{
	lsi_message_error_record(me, error);
	return wait_for_verdict(me);
}
