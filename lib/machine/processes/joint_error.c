/*
 * One error for all processes: process 0 collects what each has found, decides, and sends the error
 * to all.
 *
 * The communication threads do this for a verdict while all nodes wait; the threads in ls_run do it
 * before and after a run.  All processes make the same calls in the same order.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "machine/processes/far_internal.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "machine/wait.h"
#include "plan/plan_internal.h"

/* ---- Pass data */

/* The transport has not failed: the time limit and the time to reply are over. */
static void describe_wait(struct lsi_processes *p, bool has_begun, char *text, size_t size)
{
	if (has_begun)
		snprintf(text, size,
			"timed out after %g s: another process has not finished its part of the run",
			p->machine->options.timeout);
	else
		snprintf(text, size, "another process has not begun the run before the time limit");
}

void lsi_joint_fail(struct lsi_processes *p, bool has_begun)
{
	struct lsi_transport *t = p->world->transport;
	struct ls_error why = { .size = sizeof why };

	if (*t->failure) {
		lsi_world_failure(p->world, &why);
		lsi_processes_break(p, LS_ERR_STOPPED, why.text);
	} else {
		describe_wait(p, has_begun, t->failure, sizeof t->failure);
		lsi_processes_break(p, has_begun ? LS_ERR_TIMEOUT : LS_ERR_STOPPED, t->failure);
	}
}

bool lsi_joint_is_passed(struct lsi_processes *p, int status)
{
	if (status != LS_OK)
		lsi_joint_fail(p, true);
	return status == LS_OK;
}

bool lsi_joint_gather(struct lsi_processes *p, const void *mine, void *rows, size_t bytes)
{
	return !p->broken
		&& lsi_joint_is_passed(p, lsi_world_gather(p->world, mine, rows, bytes, &p->stop));
}

bool lsi_joint_share(struct lsi_processes *p, void *data, size_t bytes)
{
	return !p->broken
		&& lsi_joint_is_passed(p, lsi_world_broadcast(p->world, data, bytes, &p->stop));
}

/* ---- Errors without pointers */

/* The same text in this process. */
static const char *static_operation(struct lsi_processes *p, const char *text)
{
	static const char *const others[] = { "send", "receive", "next_round", "split", "run", "return",
		"program", "leave", "trace", "attach", "detach" };

	for (int i = 0; i < LS_OPERATIONS; i++) {
		const char *name = ls_operation_name((enum ls_operation)i);

		if (strcmp(name, text) == 0)
			return name;
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (strcmp(others[i], text) == 0)
			return others[i];
	}
	snprintf(p->operation, sizeof p->operation, "%s", text);
	return p->operation;
}

struct ls_error lsi_joint_unflatten(struct lsi_processes *p, const struct lsi_flat_error *flat)
{
	return lsi_error_unflatten(
		flat, *flat->operation ? static_operation(p, flat->operation) : NULL);
}

void lsi_joint_broadcast(struct lsi_processes *p, struct ls_error *error)
{
	struct lsi_flat_error flat;

	lsi_error_flatten(error, &flat);
	if (lsi_joint_share(p, &flat, sizeof flat))
		*error = lsi_joint_unflatten(p, &flat);
	else
		*error = p->failure;
}

void lsi_joint_first(struct lsi_processes *p, struct ls_error *error)
{
	struct lsi_flat_error flat, *all = lsi_alloc_zero((size_t)p->count, sizeof *all);

	lsi_error_flatten(error, &flat);
	if (!all)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to compare errors");
	else if (lsi_joint_gather(p, &flat, all, sizeof flat) && p->number == 0) {
		for (int i = 0; i < p->count && error->kind == LS_OK; i++)
			*error = lsi_joint_unflatten(p, &all[i]);
	}
	lsi_free(all);
	lsi_joint_broadcast(p, error);
}

/* ---- The verdict */

/* The state of the nodes of one process. */
struct report {
	int32_t stopped;   /* the reason; LS_OK: none */
	uint32_t in_calls; /* every node that waits is in a collective call */
	uint32_t elsewhere, padding;
	struct lsi_flat_error error; /* that a node has reported */
	int64_t waiting;
	int64_t node, peer, round; /* of the node that a deadlock names; node LS_NO_RANK: none */
	char operation[48];
	struct lsi_call_of_node call; /* of that node */
};

enum outcome { CANCELLED, STOPPED, DECIDED };

struct result {
	int32_t outcome, stopped;
	uint32_t in_calls, padding;
	struct lsi_flat_error error;
	struct lsi_call_of_node call;
};

/* Does every local node that waits do so in a collective call? */
static bool all_in_calls(const struct ls_machine *machine)
{
	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		if (machine->node_state[i].waits_for && !machine->node_state[i].call_handle)
			return false;
	}
	return true;
}

/* The local node that a deadlock would name, and how many wait. */
static void report_waits(const struct ls_machine *machine, struct report *r)
{
	const struct lsi_node_state *named = lsi_find_waiting_node(machine, &r->waiting);

	r->node = LS_NO_RANK;
	r->call.node = LS_NO_RANK;
	r->in_calls = all_in_calls(machine);
	if (!named)
		return;
	r->node = named->rank;
	r->peer = named->waits_for->peer;
	r->round = named->waits_for->round;
	snprintf(r->operation, sizeof r->operation, "%s", named->waits_for->operation);
	r->call = lsi_call_of(named->call_handle);
}

/* From now on the state of the machine is DECIDING, unless it has stopped. */
static struct report report_of(struct lsi_processes *p, bool early)
{
	struct ls_machine *machine = p->machine;
	struct ls_error error;
	struct report r;

	memset(&r, 0, sizeof r);
	r.node = r.call.node = LS_NO_RANK;
	if (!lsi_verdict_begin(machine))
		r.stopped = lsi_stop_reason(machine);
	error = lsi_earliest_error(machine);
	lsi_error_flatten(&error, &r.error);
	r.elsewhere = lsi_load(&machine->park_counter.elsewhere, relaxed); /* by COUNT */
	if (!early && !r.stopped)
		report_waits(machine, &r);
	return r;
}

/* The order of errors, as in verdict.c. */
static bool is_earlier(const struct lsi_flat_error *a, const struct lsi_flat_error *b)
{
	return a->round != b->round ? a->round < b->round : a->node < b->node;
}

/* The deadlock names the lowest node that waits for another one, else the lowest that waits. */
static void find_deadlock(struct lsi_processes *p, const struct report *all, struct result *result)
{
	const struct report *named = NULL;
	int64_t waiting = 0;
	uint32_t elsewhere = 0;

	for (int i = 0; i < p->count; i++) {
		waiting += all[i].waiting;
		elsewhere += all[i].elsewhere;
		if (all[i].node != LS_NO_RANK
			&& (!named || (named->peer == LS_NO_RANK && all[i].peer != LS_NO_RANK)))
			named = &all[i];
	}

	const struct ls_wait_state state = { sizeof state, LS_WAITS_FOR_ROUND,
		named ? named->peer : LS_NO_RANK, named ? named->round : -1,
		named ? static_operation(p, named->operation) : NULL };
	const struct ls_error error =
		lsi_deadlock_error(named ? named->node : LS_NO_RANK, &state, waiting, elsewhere);

	lsi_error_flatten(&error, &result->error);
	result->call.node = LS_NO_RANK;
	if (named)
		result->call = named->call;
}

/* Process 0. */
static void find_result(
	struct lsi_processes *p, const struct report *all, bool early, struct result *result)
{
	result->in_calls = true;
	for (int i = 0; i < p->count; i++) {
		const struct lsi_flat_error *error = &all[i].error;

		result->in_calls &= all[i].in_calls;
		if (all[i].stopped && result->outcome != STOPPED) {
			result->outcome = STOPPED;
			result->stopped = all[i].stopped;
		}
		if (error->kind && (!result->error.kind || is_earlier(error, &result->error)))
			result->error = *error;
	}
	if (result->outcome == STOPPED)
		return;
	if (result->error.kind == LS_OK && !early)
		find_deadlock(p, all, result);
	result->outcome = result->error.kind ? DECIDED : CANCELLED;
}

/* All processes: the machine stops with the error, or runs on. */
static void apply(struct lsi_processes *p, const struct result *result, bool early)
{
	struct ls_machine *machine = p->machine;
	struct ls_error error = lsi_joint_unflatten(p, &result->error);

	if (result->outcome == CANCELLED) {
		lsi_verdict_cancel(machine);
		return;
	}
	if (result->outcome == STOPPED) {
		p->stop_sent = true;
		if (!lsi_stop_reason(machine)) {
			lsi_exchange(&machine->state, (int)result->stopped, seq_cst); /* STOP */
			lsi_wake_all(machine);
		}
		return;
	}
	if (!early)
		lsi_joint_mismatch(p, &error, result->in_calls, &result->call);
	lsi_joint_broadcast(p, &error);
	p->stop_sent = true;
	machine->verdict = error;
	if (early) /* nodes run: no machine is in a deadlock */
		lsi_verdict_announce(machine);
	else
		lsi_linked_announce(machine);
}

void lsi_joint_verdict(struct lsi_processes *p, bool early)
{
	struct report mine = report_of(p, early), *all = lsi_alloc_zero((size_t)p->count, sizeof *all);
	struct result result;

	memset(&result, 0, sizeof result);
	p->replies_due = 0;
	for (int i = 0; i < p->count; i++)
		p->peer[i].has_reported = false;
	p->has_reported = false;
	if (!all)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for the verdict");
	else if (lsi_joint_gather(p, &mine, all, sizeof mine) && p->number == 0)
		find_result(p, all, early, &result);
	lsi_free(all);
	if (lsi_joint_share(p, &result, sizeof result))
		apply(p, &result, early);
	if (p->broken && lsi_load(&p->machine->state, acquire) >= 0) { /* STOP */
		p->machine->verdict = p->failure;
		lsi_verdict_announce(p->machine);
	}
}
