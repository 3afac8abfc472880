/*
 * The deadlock verdict over processes: four counters (Mattern 1987).
 *
 * A process is quiet if all its live nodes are parked, and its communication thread has nothing to
 * do.  A node may also be parked in a linked machine (shared_threads.h).  The process tells process
 * 0 its state when it has become quiet: the park counter, that of linked machines, and how many
 * records that may end waits it has sent and received.  If all are quiet, and the sums of sent and
 * received are equal, process 0 asks once more.  If all answer that they are quiet in the same
 * state, no node ran between the last statement and the first answer, and no record was under way.
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
		const struct lsi_quiet_state *told = &p->peer[i].told;

		if (!p->peer[i].has_told)
			return false;
		live += (uint32_t)told->count;
		under_way += told->sent - told->received;
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

/* One process that is not quiet any more ends the question. */
static void answer_arrives(struct lsi_processes *p, int from, const struct lsi_quiet_state *state,
	bool is_quiet, uint64_t number)
{
	struct lsi_peer_process *peer = &p->peer[from];

	if (p->answers == 0 || number != p->asked)
		return;
	if (!is_quiet || !is_same(state, &peer->asked)) {
		p->answers = 0; /* it will tell when it is quiet again */
		if (is_same(&peer->told, &peer->asked))
			peer->has_told = false;
	} else if (--p->answers == 0) {
		lsi_verdict_start(p, false);
	}
}

/* The second question, to all processes, this one included. */
static void ask(struct lsi_processes *p)
{
	struct lsi_quiet_state now;
	bool is_quiet;

	p->asked++;
	p->answers = (uint64_t)p->count;
	for (int i = 0; i < p->count; i++) {
		p->peer[i].asked = p->peer[i].told;
		if (i != p->number) {
			struct lsi_quiet_record *record = lsi_record_put(p, i, LSI_RECORD_ASK, sizeof *record);

			record->number = p->asked;
		}
	}
	is_quiet = observe(p, &now);
	answer_arrives(p, 0, &now, is_quiet, p->asked);
}

/* The last statement of each process counts. */
static void told(struct lsi_processes *p, int from, const struct lsi_quiet_state *state)
{
	p->peer[from].told = *state;
	p->peer[from].has_told = true;
}

/* ---- All processes */

/* In a turn without work. */
void lsi_quiet_look(struct lsi_processes *p)
{
	struct lsi_quiet_state now;

	if (observe(p, &now) && !(p->has_told && is_same(&now, &p->told))) {
		p->told = now;
		p->has_told = true;
		if (p->number > 0)
			send_state(p, LSI_RECORD_QUIET, &now, true, 0);
		else
			told(p, 0, &now);
	}
	if (p->number == 0 && p->answers == 0 && may_be_deadlock(p))
		ask(p);
}

void lsi_quiet_arrives(struct lsi_processes *p, int from, const struct lsi_quiet_record *record)
{
	struct lsi_quiet_state now;

	if (record->head.kind == LSI_RECORD_QUIET) {
		told(p, from, &record->state);
	} else if (record->head.kind == LSI_RECORD_ANSWER) {
		answer_arrives(p, from, &record->state, record->is_quiet, record->number);
	} else {
		const bool is_quiet = observe(p, &now);

		if (!is_quiet || !is_same(&now, &p->told))
			p->has_told = false; /* process 0 waits for a new statement */
		send_state(p, LSI_RECORD_ANSWER, &now, is_quiet, record->number);
	}
}
