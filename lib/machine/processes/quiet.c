/*
 * The deadlock verdict over processes: four counters (Mattern 1987).
 *
 * A process is quiet if all its live nodes are parked, and its communication thread has nothing to
 * do.  A node may also be parked in a linked machine (shared_threads.h).  The process reports its
 * state to process 0 when it has become quiet: the park counter, that of linked machines, and how
 * many records that may end waits it has sent and received.  If all are quiet, and the sums of sent
 * and received are equal, process 0 sends a query.  If all reply that they are quiet in the same
 * state, no node ran between the last report and the first reply, and no record was under way.
 * No clock decides.
 *
 * Evidence  test/spin/verdict.pml
 */
#include <string.h>

#include "machine/processes/far_internal.h"
#include "machine/shared_threads.h"
#include "machine/wait.h"

/* Are all live local nodes parked, here or in linked machines? */
static bool are_parked(struct lsi_processes *p, uint64_t count, uint64_t *linked)
{
	struct lsi_park_counter *counter = &p->machine->park_counter;
	const uint32_t parked = (uint32_t)(count >> 32), live = (uint32_t)count;
	const uint32_t elsewhere = lsi_load(&counter->elsewhere, seq_cst); /* LINK */

	if (elsewhere == 0 || parked + elsewhere != live)
		return parked == live;
	return lsi_linked_are_parked(p->machine, linked);
}

/* The state now; false: the process is not quiet. */
static bool observe(struct lsi_processes *p, struct lsi_quiet_state *now)
{
	struct lsi_park_counter *counter = &p->machine->park_counter;
	const uint64_t wakes = lsi_load(&counter->wakes, acquire); /* LINK */
	const uint64_t count = lsi_load(&counter->count, seq_cst); /* COUNT */

	*now = (struct lsi_quiet_state){ count, wakes, 0, p->sent, p->received };
	return are_parked(p, count, &now->linked) && !lsi_load(&p->newest, seq_cst) /* NEWS */
		&& !p->departures && lsi_load(&p->machine->state, acquire) >= 0;        /* STOP */
}

/* No node has run, and no record has passed, between the two. */
static bool is_same(const struct lsi_quiet_state *a, const struct lsi_quiet_state *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* To process 0. */
static void send_state(struct lsi_processes *p, enum lsi_record_kind kind,
	const struct lsi_quiet_state *state, bool is_quiet, uint64_t number)
{
	struct lsi_quiet_record *record = lsi_record_put(p, 0, kind, sizeof *record);

	record->state = *state;
	record->is_quiet = is_quiet;
	record->number = number;
}

/* ---- Process 0 */

/* All processes are quiet, some nodes live, and no record is under way. */
static bool may_be_deadlock(const struct lsi_processes *p)
{
	uint64_t live = 0, under_way = 0;

	for (int i = 0; i < p->count; i++) {
		const struct lsi_quiet_state *reported = &p->peer[i].reported;

		if (!p->peer[i].has_reported)
			return false;
		live += (uint32_t)reported->count;
		under_way += reported->sent - reported->received;
	}
	return live > 0 && under_way == 0;
}

/* All processes enter the verdict when they read this record. */
void lsi_verdict_start(struct lsi_processes *p, bool early)
{
	if (lsi_stop_reason(p->machine) || (early && !lsi_may_decide_early(p)))
		return;
	lsi_record_put_all(p, LSI_RECORD_VERDICT, early);
	lsi_packets_send(p);
	lsi_joint_verdict(p, early);
}

/* One process that is not quiet any more ends the query. */
static void reply_arrives(struct lsi_processes *p, int from, const struct lsi_quiet_state *state,
	bool is_quiet, uint64_t number)
{
	struct lsi_peer_process *peer = &p->peer[from];

	if (p->replies_due == 0 || number != p->queries)
		return;
	if (!is_quiet || !is_same(state, &peer->queried)) {
		p->replies_due = 0; /* it will report when it is quiet again */
		if (is_same(&peer->reported, &peer->queried))
			peer->has_reported = false;
	} else if (--p->replies_due == 0) {
		lsi_verdict_start(p, false);
	}
}

/* To all processes, this one included. */
static void query(struct lsi_processes *p)
{
	struct lsi_quiet_state now;
	bool is_quiet;

	p->queries++;
	p->replies_due = (uint64_t)p->count;
	for (int i = 0; i < p->count; i++) {
		p->peer[i].queried = p->peer[i].reported;
		if (i != p->number) {
			struct lsi_quiet_record *record =
				lsi_record_put(p, i, LSI_RECORD_QUERY, sizeof *record);

			record->number = p->queries;
		}
	}
	is_quiet = observe(p, &now);
	reply_arrives(p, 0, &now, is_quiet, p->queries);
}

/* The last report of each process counts. */
static void report_arrives(struct lsi_processes *p, int from, const struct lsi_quiet_state *state)
{
	p->peer[from].reported = *state;
	p->peer[from].has_reported = true;
}

/* ---- All processes */

/* In a turn without work. */
void lsi_quiet_check(struct lsi_processes *p)
{
	struct lsi_quiet_state now;

	if (observe(p, &now) && !(p->has_reported && is_same(&now, &p->reported))) {
		p->reported = now;
		p->has_reported = true;
		if (p->number > 0)
			send_state(p, LSI_RECORD_QUIET, &now, true, 0);
		else
			report_arrives(p, 0, &now);
	}
	if (p->number == 0 && p->replies_due == 0 && may_be_deadlock(p))
		query(p);
}

void lsi_quiet_arrives(struct lsi_processes *p, int from, const struct lsi_quiet_record *record)
{
	struct lsi_quiet_state now;

	if (record->head.kind == LSI_RECORD_QUIET) {
		report_arrives(p, from, &record->state);
	} else if (record->head.kind == LSI_RECORD_REPLY) {
		reply_arrives(p, from, &record->state, record->is_quiet, record->number);
	} else {
		const bool is_quiet = observe(p, &now);

		if (!is_quiet || !is_same(&now, &p->reported))
			p->has_reported = false; /* process 0 waits for a new report */
		send_state(p, LSI_RECORD_REPLY, &now, is_quiet, record->number);
	}
}
