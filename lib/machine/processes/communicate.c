/*
 * The communication thread.
 *
 *   take the news . receive packets . send changes of state . send packets . pause
 *
 * It ends when the nodes of all processes have ended: each process notifies process 0, which
 * notifies all of them.  Then each receives what is under way.
 */
#include "base/futex.h"
#include "machine/processes/far_internal.h"
#include "machine/verdict.h"
#include "machine/wait.h"

enum {
	TURNS_BEFORE_SLEEP = 2000, /* turns without work, each with a yield */
	SLEEP_LEAST_NS = 50000,
	SLEEP_MOST_NS = 1000000,
	HELP_STACK = 128 << 10 /* bytes: calls of MPI may need much of it */
};

/* ---- News */

/* The machine has stopped: messages and arrivals mean nothing any more. */
static bool has_stopped(const struct lsi_processes *p)
{
	return lsi_stop_reason(p->machine) < 0;
}

/* Turn one piece of news into records. */
static void take(struct lsi_processes *p, struct lsi_news *news)
{
	switch (news->kind) {
	case LSI_NEWS_CHANNEL:
		lsi_far_channel_pass(p, (struct lsi_far_channel *)(void *)news);
		break;
	case LSI_NEWS_GONE:
		lsi_record_put_all(p, LSI_RECORD_GONE, ((struct lsi_gone_node *)(void *)news)->rank);
		break;
	case LSI_NEWS_ARRIVED:
		lsi_gate_arrived(p, (struct lsi_far_gate *)(void *)news);
		break;
	case LSI_NEWS_LEFT:
		lsi_far_group_left(p, (struct lsi_far_group *)(void *)news);
		break;
	case LSI_NEWS_LINK:
		lsi_link_wanted(p, (struct lsi_link_request *)(void *)news);
		break;
	}
}

/* Oldest first. */
static struct lsi_news *reverse(struct lsi_news *news)
{
	struct lsi_news *reversed = NULL;

	while (news) {
		struct lsi_news *next = news->next;

		news->next = reversed;
		reversed = news;
		news = next;
	}
	return reversed;
}

/*
 * First all mailboxes: an arrival, or a node that has left, comes behind its last messages.  In a
 * stopped machine only links are changed.
 */
static bool take_news(struct lsi_processes *p)
{
	struct lsi_news *news = reverse(lsi_exchange(&p->newest, NULL, seq_cst)); /* NEWS */
	const bool some = news, stopped = some && has_stopped(p);
	struct lsi_news *later = NULL, **end = &later;

	while (news) {
		struct lsi_news *next = news->next;

		if (news->kind == LSI_NEWS_CHANNEL) {
			lsi_exchange(&news->listed, 0u, seq_cst); /* NEWS */
			if (!stopped)
				take(p, news);
		} else {
			news->next = NULL;
			*end = news;
			end = &news->next;
		}
		news = next;
	}
	while (later) {
		struct lsi_news *next = later->next;

		lsi_exchange(&later->listed, 0u, seq_cst); /* NEWS */
		if (!stopped || later->kind == LSI_NEWS_LINK)
			take(p, later);
		later = next;
	}
	return some;
}

/* ---- Records */

/* The nodes of all processes have ended: the turns end. */
static void end_arrives(struct lsi_processes *p)
{
	p->ended = true;
}

/* Process 0: all are done. */
static void done_arrives(struct lsi_processes *p, int from)
{
	p->peer[from].is_done = true;
	for (int i = 0; i < p->count; i++) {
		if (!p->peer[i].is_done)
			return;
	}
	lsi_record_put_all(p, LSI_RECORD_END, 0);
	end_arrives(p);
}

/* A node of another process has reported an error: local nodes wait for the verdict at once. */
static void fail(struct ls_machine *machine)
{
	int state = LSI_RUNNING;

	lsi_compare_swap(&machine->state, &state, LSI_FAILING, seq_cst); /* STOP */
}

/* Another process has stopped.  It has notified all others, so this one does not. */
static void stop_arrives(struct lsi_processes *p, int64_t why)
{
	if (!has_stopped(p))
		p->stop_sent = true;
	ls_machine_stop(p->machine, (int)why);
}

/* A record that only has a value. */
static void status_arrives(struct lsi_processes *p, int from, const struct lsi_status_record *r)
{
	switch (r->head.kind) {
	case LSI_RECORD_GONE:
		lsi_node_is_gone(p, r->value);
		break;
	case LSI_RECORD_FAILING:
		p->failing_sent = true;
		fail(p->machine);
		break;
	case LSI_RECORD_STOP:
		stop_arrives(p, r->value);
		break;
	case LSI_RECORD_EARLY:
		lsi_verdict_start(p, true);
		break;
	case LSI_RECORD_RETIRED:
		p->peer[from].has_retired = true;
		lsi_retire(p);
		break;
	case LSI_RECORD_VERDICT:
		if (!r->value || lsi_may_decide_early(p))
			lsi_joint_verdict(p, r->value);
		break;
	case LSI_RECORD_DONE:
		done_arrives(p, from);
		break;
	default:
		end_arrives(p);
	}
}

/* An arrival at a call of all nodes: it may be executed, although the machine has stopped. */
static bool is_call_of_all(const struct lsi_processes *p, const struct lsi_gate_record *record)
{
	return p->whole && record->context == p->whole->context && record->gate == LSI_GATE_CALL;
}

void lsi_record_arrives(struct lsi_processes *p, int from, const struct lsi_record *record)
{
	const void *r = record;
	const bool stopped = has_stopped(p);

	switch (record->kind) {
	case LSI_RECORD_MESSAGE:
		if (!stopped)
			lsi_message_arrives(p, r);
		break;
	case LSI_RECORD_TAKEN:
		if (!stopped)
			lsi_message_taken(p, r);
		break;
	case LSI_RECORD_GONE: /* its last messages may have been thrown away */
		if (!stopped)
			status_arrives(p, from, r);
		break;
	case LSI_RECORD_GATE:
		if (!stopped || is_call_of_all(p, r))
			lsi_gate_arrives(p, from, r);
		break;
	case LSI_RECORD_LINK_WANTED:
	case LSI_RECORD_LINK:
	case LSI_RECORD_LINK_DONE:
		lsi_link_arrives(p, r);
		break;
	case LSI_RECORD_QUIET:
	case LSI_RECORD_QUERY:
	case LSI_RECORD_REPLY:
		lsi_quiet_arrives(p, from, r);
		break;
	default:
		status_arrives(p, from, r);
	}
}

/* ---- The state of the machine */

/* To process 0; there, act at once. */
static void notify_process_0(struct lsi_processes *p, enum lsi_record_kind kind)
{
	if (p->number > 0)
		lsi_record_put(p, 0, kind, sizeof(struct lsi_status_record));
	else if (kind == LSI_RECORD_DONE)
		done_arrives(p, 0);
	else
		lsi_verdict_start(p, true);
}

/* Pass on what threads of this process have changed in the state of the machine. */
static void send_state_changes(struct lsi_processes *p)
{
	const int state = lsi_load(&p->machine->state, acquire); /* STOP */

	if (p->departures) {
		p->departures = false;
		p->local->announce_departure(&p->machine->node_state[p->machine->first_local]);
	}
	if (state == LSI_FAILING && !p->failing_sent) {
		p->failing_sent = true;
		lsi_record_put_all(p, LSI_RECORD_FAILING, 0);
	}
	if (state < 0 && !p->stop_seen) {
		p->stop_seen = true;
		lsi_far_channels_stop(p);
		if (!p->stop_sent)
			lsi_record_put_all(p, LSI_RECORD_STOP, state);
	}
	if (state >= 0 && lsi_exchange(&p->early, 0u, acquire)) /* a flag without data */
		notify_process_0(p, LSI_RECORD_EARLY);
	/* The news of nodes that have ended were put before. */
	if (!p->is_done_sent && lsi_load(&p->done, acquire)) { /* FINISHED */
		take_news(p);
		p->is_done_sent = true;
		notify_process_0(p, LSI_RECORD_DONE);
	}
}

/* ---- Turns */

/* Local news wake the thread; packets do not. */
static void sleep_until_news(struct lsi_processes *p, int64_t turns)
{
	const int64_t ns = (turns - TURNS_BEFORE_SLEEP) * SLEEP_LEAST_NS;

	lsi_exchange(&p->asleep, 1u, seq_cst); /* SLEEP */
	if (!lsi_load(&p->newest, seq_cst))    /* SLEEP */
		lsi_futex_wait(
			&p->asleep, 1, lsi_now_ns() + (uint64_t)(ns < SLEEP_MOST_NS ? ns : SLEEP_MOST_NS));
	lsi_store(&p->asleep, 0u, relaxed); /* only this thread sets it */
}

/* Nodes of this process, and other processes, may need the core. */
static void pause_turns(struct lsi_processes *p, int64_t turns)
{
	if (turns <= TURNS_BEFORE_SLEEP)
		lsi_yield();
	else
		sleep_until_news(p, turns);
}

/* The time limit is over, and so is the time in which the others must reply. */
static void give_up_if_late(struct lsi_processes *p)
{
	if (p->limit && p->stop.wanted(p->stop.context))
		lsi_joint_is_passed(p, LS_ERR_STOPPED);
}

/* One turn; the caller has it.  True: there was something to do. */
static bool take_turn(struct lsi_processes *p)
{
	bool some = take_news(p);

	some |= lsi_packets_receive(p);
	send_state_changes(p);
	lsi_retired_check(p);
	return some | lsi_packets_send(p);
}

static bool is_over(const struct lsi_processes *p)
{
	return p->ended || p->broken;
}

/* May another process end this wait? */
static bool may_be_ended(const struct ls_machine *machine, const struct lsi_wait *wait)
{
	return wait->barrier ? wait->spans : !lsi_rank_is_local(machine, wait->state.peer);
}

/*
 * The thread may share its core with many threads that wait, and yield to each other.  So each of
 * them takes a turn between two yields, unless another one has it, or a call is ready, which the
 * thread executes.  Workers of fibers do not help: they sleep, and leave their cores to the thread.
 */
void lsi_processes_help(struct ls_machine *machine, const struct lsi_wait *wait)
{
	struct lsi_processes *p = machine->processes;

	if (machine->options.stack < HELP_STACK || !may_be_ended(machine, wait)
		|| pthread_mutex_trylock(&p->turn) != 0)
		return;
	if (!is_over(p) && !p->ready)
		take_turn(p);
	pthread_mutex_unlock(&p->turn);
}

/* The life of the thread, until the nodes of all processes have ended. */
static void turn_until_end(struct lsi_processes *p)
{
	bool over = false;

	for (int64_t idle = 0; !over;) {
		pthread_mutex_lock(&p->turn);

		bool some = !is_over(p) && take_turn(p);

		some |= lsi_ready_call_execute(p);
		if (!some && !is_over(p))
			lsi_quiet_check(p);
		idle = some ? 0 : idle + 1;
		if (idle > TURNS_BEFORE_SLEEP && !is_over(p))
			give_up_if_late(p);
		over = is_over(p);
		pthread_mutex_unlock(&p->turn);
		if (!over)
			pause_turns(p, idle);
	}
}

/* Every process knows how many packets it gets; it receives them, and its own are sent. */
static void receive_rest(struct lsi_processes *p)
{
	uint64_t *const packets = p->counts;

	lsi_packets_send(p);
	p->closing = true;
	for (int i = 0; i < p->count; i++)
		packets[i] = p->peer[i].packets;
	lsi_joint_is_passed(p, lsi_world_sum(p->world, packets, (size_t)p->count, &p->stop));
	p->ended = false;
	for (int64_t tests = 0;
		 !p->broken && (p->packets_received < packets[p->number] || !lsi_packets_are_sent(p));
		 tests++) {
		lsi_packets_receive(p);
		lsi_packets_send(p);
		lsi_world_pause(tests);
		give_up_if_late(p);
	}
	p->ended = true;
}

/* The last act of the thread. */
void lsi_communication_returns(struct lsi_processes *p)
{
	lsi_store(&p->returned, 1u, release); /* FINISHED */
	lsi_futex_wake(&p->returned, 1);
}

void *lsi_communicate(void *processes)
{
	struct lsi_processes *p = processes;
	static _Thread_local struct lsi_world_scope scope; /* an operator may call pthread_exit */

	lsi_world_enter(&scope, p->world);
	while (lsi_load(&p->go, acquire) == 0) /* GATE */
		lsi_futex_wait(&p->go, 0, 0);
	if (lsi_load(&p->go, acquire) == 1) { /* GATE */
		turn_until_end(p);
		lsi_calls_end(p);
		if (p->broken)
			lsi_far_channels_stop(p);
		else
			receive_rest(p);
	}
	lsi_links_end(p);
	lsi_world_leave(&scope); /* before destructors of the thread run */
	lsi_communication_returns(p);
	return NULL;
}
