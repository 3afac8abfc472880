/*
 * Meetings: a two-phase commit, which process 0 coordinates.  The processes bring numbers, and get
 * the least of all.
 *
 *   process 1       wants ---.              .---> ready ---.              .---> commits
 *   process 0                 '--> prepare --<               '--> commit --<
 *   process 2       wants ---'              '---> ready ---'              '---> commits
 *
 * A process may withdraw until it has voted: sent READY.  It may withdraw again when process 0 has
 * aborted the vote, because another process, or process 0 itself, has withdrawn.  Then the others
 * still want to meet, and vote again later.
 *
 * A process that is firm does not withdraw, and does not vote.  If all are, the meeting is a
 * message of each process to process 0, and one back.
 *
 * A process that has withdrawn reads no messages.  Those that it finds in its next meeting do no
 * harm: process 0 follows every PREPARE with ABORT or COMMIT, and ignores votes when none is open.
 *
 * Evidence  test/spin/meeting.pml, test/world_attach.c
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/math.h"
#include "world/agreement.h"

enum kind {
	WANTS, /* to process 0, with numbers: will meet, or withdraw */
	FIRM,  /* to process 0: will meet, and not withdraw */
	WITHDRAWS,
	READY,   /* the vote */
	PREPARE, /* from process 0: vote */
	ABORT,
	COMMIT /* with the least numbers */
};

struct message {
	uint64_t kind, vote;
	int64_t number[LSI_MEETING_NUMBERS];
};

/* A message that the transport may still read. */
struct sent {
	struct sent *next;
	struct lsi_transfer transfer;
	struct message message;
	bool *in_use; /* of the slot of a process; NULL: allocated */
};

/* Another process, and what process 0 knows about it. */
struct peer {
	bool wants, is_firm, is_ready;
	int64_t number[LSI_MEETING_NUMBERS];
	/* A meeting in which all are firm needs no other memory, and cannot fail for lack of it. */
	struct sent slot;
	bool slot_in_use;
};

struct lsi_meeting {
	struct sent *sent; /* the last one first */
	uint64_t vote;     /* process 0: the last one */
	bool is_open;      /* process 0: it has neither aborted nor committed */
	struct lsi_meeting *lost;
	struct peer peer[];
};

struct lsi_meeting *lsi_meeting_make(int processes)
{
	return lsi_alloc_zero(1, sizeof(struct lsi_meeting) + (size_t)processes * sizeof(struct peer));
}

/* ---- Messages */

/* Memory for a message to a process; NULL: none. */
static struct sent *sent_make(struct peer *peer)
{
	struct sent *sent = peer->slot_in_use ? lsi_alloc(sizeof *sent) : &peer->slot;

	if (sent)
		*sent = (struct sent){ .in_use = peer->slot_in_use ? NULL : &peer->slot_in_use };
	peer->slot_in_use = true;
	return sent;
}

static void sent_free(struct sent *sent)
{
	if (sent->in_use)
		*sent->in_use = false;
	else
		lsi_free(sent);
}

/* Free what the transport has read.  LS_OK or LS_ERR_STOPPED. */
static int free_sent(ls_world *world)
{
	struct lsi_transport *const t = world->transport;
	int status = LS_OK;

	for (struct sent **at = &world->meeting->sent; *at && status == LS_OK;) {
		struct sent *sent = *at;
		bool done = false;

		status = t->test(t, &sent->transfer, &done);
		if (done) {
			*at = sent->next;
			sent_free(sent);
		} else {
			at = &sent->next;
		}
	}
	return status;
}

/* After a failure, messages that were not read belong to the transport for ever. */
void lsi_meeting_free(ls_world *world)
{
	static LSI_ATOMIC(struct lsi_meeting *) last_lost; /* so that no leak is reported */

	if (free_sent(world) == LS_OK && !world->meeting->sent)
		lsi_free(world->meeting);
	else
		world->meeting->lost = lsi_exchange(&last_lost, world->meeting, relaxed); /* a list */
}

static int fail(ls_world *world, const char *text)
{
	snprintf(world->transport->failure, sizeof world->transport->failure, "%s", text);
	return LS_ERR_STOPPED;
}

static int meeting_send(ls_world *world, int to, struct message message)
{
	struct lsi_transport *const t = world->transport;
	struct sent *sent = sent_make(&world->meeting->peer[to]);

	if (!sent)
		return fail(world, "no memory to begin in all processes");
	sent->message = message;
	sent->next = world->meeting->sent;
	world->meeting->sent = sent;
	return t->send(t, to, LSI_TAG_MEETING, &sent->message, sizeof sent->message, &sent->transfer);
}

/* A message to process 0. */
static int send_to_coordinator(ls_world *world, enum kind kind, uint64_t vote)
{
	return meeting_send(world, 0, (struct message){ kind, vote, { 0 } });
}

/* Take a message that has arrived, as a whole, for it is short; *from is -1: none has. */
static int take(ls_world *world, int *from, struct message *message)
{
	struct lsi_transport *const t = world->transport;
	struct lsi_transfer transfer = { .begun = false };
	size_t bytes = 0;
	int status = t->probe(t, LSI_TAG_MEETING, from, &bytes);

	if (status != LS_OK || *from < 0)
		return status;
	if (bytes != sizeof *message)
		return fail(world, "a message of another process is damaged");
	status = t->take(t, message, &transfer);
	return status == LS_OK ? lsi_world_wait(world, &transfer, NULL) : status;
}

static bool is_wanted(const struct lsi_stop *stop_or_null)
{
	return stop_or_null && stop_or_null->wanted(stop_or_null->context);
}

/* ---- Process 0 */

static int others_of(const ls_world *world)
{
	return world->transport->processes - 1;
}

/* A process has withdrawn: those that vote may, too. */
static int abort_vote(ls_world *world)
{
	struct lsi_meeting *meeting = world->meeting;
	int status = LS_OK;

	for (int i = 1; i <= others_of(world) && meeting->is_open && status == LS_OK; i++) {
		struct peer *peer = &meeting->peer[i];

		if (!peer->is_firm)
			status = meeting_send(world, i, (struct message){ ABORT, meeting->vote, { 0 } });
		peer->is_ready = false;
	}
	meeting->is_open = false;
	return status;
}

/* All have met.  The numbers are those of process 0, and become the least of all. */
static int commit_all(ls_world *world, int64_t *number)
{
	struct lsi_meeting *meeting = world->meeting;
	struct message message = { COMMIT, meeting->vote, { 0 } };
	int status = LS_OK;

	for (int i = 1; i <= others_of(world); i++) {
		for (int k = 0; k < LSI_MEETING_NUMBERS; k++)
			number[k] = lsi_min(number[k], meeting->peer[i].number[k]);
	}
	memcpy(message.number, number, sizeof message.number);
	for (int i = 1; i <= others_of(world) && status == LS_OK; i++) {
		struct peer *peer = &meeting->peer[i];

		status = meeting_send(world, i, message);
		peer->wants = peer->is_ready = false;
	}
	meeting->is_open = false;
	return status;
}

/* All that might withdraw vote. */
static int begin_vote(ls_world *world)
{
	struct lsi_meeting *meeting = world->meeting;
	int status = LS_OK;

	meeting->vote++;
	meeting->is_open = true;
	for (int i = 1; i <= others_of(world) && status == LS_OK; i++) {
		if (!meeting->peer[i].is_firm)
			status = meeting_send(world, i, (struct message){ PREPARE, meeting->vote, { 0 } });
	}
	return status;
}

static int message_arrives(ls_world *world, struct peer *peer, const struct message *message)
{
	struct lsi_meeting *meeting = world->meeting;

	switch ((enum kind)message->kind) {
	case WANTS:
	case FIRM:
		peer->wants = true;
		peer->is_firm = message->kind == FIRM;
		memcpy(peer->number, message->number, sizeof peer->number);
		break;
	case WITHDRAWS:
		peer->wants = false;
		return abort_vote(world);
	case READY:
		if (meeting->is_open && message->vote == meeting->vote)
			peer->is_ready = true;
		break;
	default:
		return fail(world, "a message of another process is damaged");
	}
	return LS_OK;
}

/* Begin a vote if all others want to meet; commit if all are ready. */
static int proceed(ls_world *world, int64_t *number, bool *met)
{
	struct lsi_meeting *meeting = world->meeting;
	bool all_want = true, all_ready = true;
	int status = LS_OK;

	for (int i = 1; i <= others_of(world); i++) {
		all_want &= meeting->peer[i].wants;
		all_ready &= meeting->peer[i].is_ready || meeting->peer[i].is_firm;
	}
	if (all_want && !meeting->is_open)
		status = begin_vote(world);
	*met = all_want && all_ready && status == LS_OK;
	return *met ? commit_all(world, number) : status;
}

/* ---- All processes */

/* What a process knows about its meeting. */
struct attempt {
	int64_t *number;        /* LSI_MEETING_NUMBERS */
	bool is_firm, is_bound; /* bound: it may not withdraw now */
	bool met;
};

/* A process that is firm does not vote: the message was for an earlier attempt. */
static int decision_arrives(ls_world *world, struct attempt *mine, const struct message *message)
{
	mine->met = message->kind == COMMIT;
	mine->is_bound = message->kind == PREPARE && !mine->is_firm;
	if (mine->met)
		memcpy(mine->number, message->number, sizeof message->number);
	return mine->is_bound ? send_to_coordinator(world, READY, message->vote) : LS_OK;
}

/* Act upon the messages that have arrived. */
static int read_messages(ls_world *world, struct attempt *mine)
{
	const bool coordinates = world->transport->process == 0;
	int status = LS_OK, from = 0;

	while (status == LS_OK && !mine->met) {
		struct message message = { 0 };

		status = take(world, &from, &message);
		if (status != LS_OK || from < 0)
			break;
		status = coordinates ? message_arrives(world, &world->meeting->peer[from], &message)
							 : decision_arrives(world, mine, &message);
	}
	return status == LS_OK && coordinates ? proceed(world, mine->number, &mine->met) : status;
}

static int withdraw(ls_world *world)
{
	return world->transport->process > 0 ? send_to_coordinator(world, WITHDRAWS, 0)
										 : abort_vote(world);
}

/* All have met, so they have read what was sent to them. */
static int wait_for_sent(ls_world *world, const struct lsi_stop *stop)
{
	int status = free_sent(world);

	for (int64_t tests = 0; status == LS_OK && world->meeting->sent; tests++) {
		if (is_wanted(stop))
			return LS_ERR_STOPPED;
		lsi_world_pause(tests);
		status = free_sent(world);
	}
	return status;
}

/* Process 0 keeps its numbers itself. */
static int enter(ls_world *world, const struct attempt *mine)
{
	struct message message = { mine->is_firm ? FIRM : WANTS, 0, { 0 } };

	memcpy(message.number, mine->number, sizeof message.number);
	return ls_world_process(world) > 0 ? meeting_send(world, 0, message) : LS_OK;
}

int lsi_world_meet(ls_world *world, int64_t number[LSI_MEETING_NUMBERS],
	const struct lsi_stop *withdraws_or_null, const struct lsi_stop *stop, bool *met)
{
	struct attempt mine = { .number = number, .is_firm = !withdraws_or_null };
	int status;

	*met = ls_world_processes(world) == 1;
	if (*met)
		return LS_OK;
	status = enter(world, &mine);
	for (int64_t tests = 0; status == LS_OK && !mine.met; tests++) {
		status = read_messages(world, &mine);
		if (status != LS_OK || mine.met)
			break;
		if (!mine.is_bound && is_wanted(withdraws_or_null))
			return withdraw(world);
		if (is_wanted(stop))
			return LS_ERR_STOPPED;
		status = free_sent(world);
		lsi_world_pause(tests);
	}
	*met = mine.met;
	return status == LS_OK ? wait_for_sent(world, stop) : status;
}
