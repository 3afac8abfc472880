/*
 * Collective calls that the communication thread executes for all local nodes.
 *
 * A process commits itself to a call when it notifies the others of its arrival.  From then on
 * the nodes may be needed: they do not return, even when the machine stops, because the work of the
 * call is open (work_sharing.h).  The call ends in one of two ways, the same in all processes:
 *
 *   all processes arrive         the call is executed, or found to be different
 *   a process retires before     it will not arrive, so no process executes the call
 *
 * A process retires when its machine has stopped, or when another process has retired; it
 * notifies all.  As the records of a pair keep their order, each process knows whether another has
 * arrived before it retired.
 *
 * An early verdict comes while nodes run.  Process 0 retires first, and decides when all others
 * have retired and its own call has ended; the others take part when theirs has.
 */
#include <string.h>

#include "machine/group_work_sharing.h"
#include "machine/processes/far_internal.h"
#include "machine/wait.h"

static struct lsi_far_gate *call_gate(const struct lsi_processes *p)
{
	return p->whole ? &p->whole->gate[LSI_GATE_CALL] : NULL;
}

/* ---- Arrive */

void lsi_far_arrive_with_call(
	struct ls_node *node, const uint64_t *call, const struct lsi_far_work *work)
{
	struct lsi_far_gate *gate = &node->group->far->gate[LSI_GATE_CALL];

	memset(&gate->own, 0, sizeof gate->own);
	if (call)
		memcpy(gate->own.call, call, sizeof gate->own.call);
	gate->own.flags = work->flags;
	gate->work = *work;
	lsi_news_put(node->self->machine->processes, &gate->news);
}

void lsi_call_arrives(struct lsi_far_gate *gate, int from, const struct lsi_gate_record *record)
{
	struct lsi_call_arrival *arrival = &gate->arrival[from];

	memcpy(arrival->call, record->call, sizeof arrival->call);
	arrival->number = gate->theirs[from] + 1;
	arrival->flags = record->flags;
}

/* ---- All processes have arrived */

/* The arrivals of all, as one: call[0] 0: a member has left.  False: the calls differ. */
static bool join_arrivals(
	const struct lsi_processes *p, const struct lsi_far_gate *gate, struct lsi_call_arrival *all)
{
	bool has_left = gate->own.call[0] == 0, differ = false;

	*all = gate->own;
	for (int i = 0; i < p->count; i++) {
		const struct lsi_call_arrival *a = &gate->arrival[i];

		if (i == p->number || !gate->group->has_members[i])
			continue;
		/* It may have left after the call. */
		has_left |= a->number != gate->opened + 1 || a->call[0] == 0;
		differ |= memcmp(a->call, gate->own.call, sizeof a->call) != 0;
		all->flags |= a->flags;
	}
	if (has_left)
		all->call[0] = 0;
	return has_left || !differ;
}

int lsi_call_result(const struct lsi_processes *p, const struct lsi_far_gate *gate, bool *in_place)
{
	const uint32_t both = LSI_CALL_IN_PLACE | LSI_CALL_SEPARATE;
	struct lsi_call_arrival all;

	if (!join_arrivals(p, gate, &all))
		return LS_ERR_MISMATCH;
	*in_place = all.flags & LSI_CALL_IN_PLACE;
	return all.call[0] == 0 || (all.flags & LSI_CALL_MAILBOXES) || (all.flags & both) == both
		? LSI_USE_MAILBOXES
		: LS_OK;
}

/* ---- Execute */

static void close_work(struct lsi_processes *p)
{
	if (p->machine->whole.far)
		lsi_work_close(&p->machine->whole.work_sharing);
}

/* An operator has called pthread_exit: no process gets the data of this one. */
static void thread_ends(void *processes)
{
	struct lsi_processes *p = processes;

	lsi_processes_break(
		p, LS_ERR_LEFT, "an operator terminated the communication thread; operators must return");
	close_work(p);
	lsi_links_end(p);
	pthread_mutex_unlock(&p->turn);
	lsi_communication_returns(p);
}

static void execute(struct lsi_processes *p, const struct lsi_far_work *work, bool in_place)
{
	int status;

	pthread_cleanup_push(thread_ends, p);
	status = work->execute(work->context, in_place, &p->stop, &p->computes);
	pthread_cleanup_pop(0);
	if (status == LS_ERR_TIMEOUT)
		lsi_processes_break(p, status, "the last run ended in this process alone");
	else
		lsi_joint_is_passed(p, status);
}

/* After the packets of this turn were sent: the others wait for the arrival of this process. */
bool lsi_ready_call_execute(struct lsi_processes *p)
{
	struct lsi_far_gate *gate = p->ready;
	bool in_place;

	if (!gate || p->broken)
		return false;
	p->ready = NULL;
	if (lsi_call_result(p, gate, &in_place) == LS_OK)
		execute(p, &gate->work, in_place);
	if (!p->broken)
		lsi_far_gate_open(p, gate);
	return true;
}

/* ---- Retire */

static bool is_pending(const struct lsi_far_gate *gate)
{
	return gate && gate->mine > gate->opened;
}

/* Has a process of the group retired that has not arrived? */
static bool lacks_process(const struct lsi_processes *p, const struct lsi_far_gate *gate)
{
	for (int i = 0; i < p->count; i++) {
		if (i != p->number && gate->group->has_members[i] && gate->theirs[i] <= gate->opened
			&& p->peer[i].has_retired)
			return true;
	}
	return false;
}

void lsi_retire(struct lsi_processes *p)
{
	if (p->has_retired)
		return;
	p->has_retired = true;
	lsi_record_put_all(p, LSI_RECORD_RETIRED, 0);
}

static bool have_all_retired(const struct lsi_processes *p)
{
	for (int i = 0; i < p->count; i++) {
		if (i != p->number && !p->peer[i].has_retired)
			return false;
	}
	return p->has_retired;
}

void lsi_retired_check(struct lsi_processes *p)
{
	struct lsi_far_gate *gate = call_gate(p);

	if (lsi_stop_reason(p->machine) < 0)
		lsi_retire(p);
	if (!p->has_retired)
		return;
	if (is_pending(gate) && !p->ready && lacks_process(p, gate))
		gate->mine--;
	if (!is_pending(gate))
		close_work(p);
	if (is_pending(gate) || !p->early_verdict || (p->number == 0 && !have_all_retired(p)))
		return;
	p->early_verdict = false;
	if (p->number == 0)
		lsi_verdict_start(p, true);
	else
		lsi_joint_verdict(p, true);
}

bool lsi_may_decide_early(struct lsi_processes *p)
{
	if (p->has_retired && !is_pending(call_gate(p)) && (p->number > 0 || have_all_retired(p)))
		return true;
	lsi_retire(p);
	p->early_verdict = true;
	return false;
}

void lsi_calls_end(struct lsi_processes *p)
{
	if (p->broken)
		close_work(p);
}
