#include "carrier/fiber_worker.h"

#include "base/futex.h"
#include "carrier/fiber_stack.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/shared_threads.h"
#include "machine/verdict.h"

enum {
	SWITCHES_PER_LOOK = 1024, /* at least, between two looks for nodes that have left */
	STACK_PREFETCHED = 512    /* bytes */
};

/* ---- The queues of a worker */

static bool is_current(const struct lsi_worker *worker)
{
	return lsi_node_of_thread && lsi_node_of_thread->worker == worker;
}

void lsi_worker_wake(struct lsi_worker *worker)
{
	if (lsi_park_wake(&worker->parking, &worker->machine->park_counter))
		lsi_futex_wake(&worker->parking.word, 1);
}

void lsi_worker_put(struct lsi_node_state *node)
{
	struct lsi_worker *worker = node->worker;

	if (is_current(worker)) {
		lsi_run_queue_put(&worker->queue, &node->fiber.link);
		return;
	}
	lsi_inbox_put(&worker->inbox, &node->fiber.link);
	lsi_worker_wake(worker);
}

void lsi_worker_list_add(
	struct lsi_worker *worker, struct lsi_wait_list *list, uint32_t epoch, struct lsi_fiber_link *f)
{
	if (!list->fibers.first) {
		list->epoch = epoch;
		list->next = worker->lists;
		list->at = &worker->lists;
		if (list->next)
			list->next->at = &list->next;
		worker->lists = list;
	}
	lsi_run_queue_put(&list->fibers, f);
}

/* All fibers of the list can continue. */
void lsi_worker_list_release(struct lsi_worker *worker, struct lsi_wait_list *list)
{
	*list->at = list->next;
	if (list->next)
		list->next->at = list->at;
	lsi_run_queue_append(&worker->queue, &list->fibers);
}

static bool claim(struct lsi_node_state *node)
{
	return lsi_fiber_claim_local(&node->local_parking) || lsi_fiber_claim(&node->parking);
}

/* The machine has stopped: every fiber of the worker that waits can continue. */
static void release_all(struct lsi_worker *worker)
{
	for (int64_t rank = worker->first; rank < worker->next_new; rank++) {
		struct lsi_node_state *node = &worker->machine->node_state[rank];

		if (claim(node))
			lsi_run_queue_put(&worker->queue, &node->fiber.link);
	}
	while (worker->lists)
		lsi_worker_list_release(worker, worker->lists);
}

/* Nodes have left: release the fibers that wait for a message from one of them, or to one. */
static void release_peers_of_departed(struct lsi_worker *worker)
{
	struct ls_machine *machine = worker->machine;

	worker->departures = lsi_load(&machine->departures, seq_cst); /* LEFT */
	for (int64_t rank = worker->first; rank < worker->next_new; rank++) {
		struct lsi_node_state *node = &machine->node_state[rank];
		const struct ls_wait_state *wait = node->waits_for;

		if (wait && wait->peer != LS_NO_RANK
			&& lsi_load(&machine->node_state[wait->peer].gone, acquire) /* GONE */
			&& claim(node))
			lsi_run_queue_put(&worker->queue, &node->fiber.link);
	}
}

static bool departures_are_new(const struct lsi_worker *worker)
{
	return lsi_load(&worker->machine->departures, seq_cst) != worker->departures; /* LEFT */
}

/* Add what other threads have sent to the run queue. */
static void take_inbox(struct lsi_worker *worker)
{
	if (!lsi_inbox_is_empty(&worker->inbox))
		lsi_inbox_take(&worker->inbox, &worker->queue);
	if (lsi_load(&worker->stopped, relaxed) == 1             /* a hint */
		&& lsi_exchange(&worker->stopped, 0u, acquire) == 1) /* STOP: the next one is not lost */
		release_all(worker);
}

/* A node whose program begins now. */
static struct lsi_node_state *new_node(struct lsi_worker *worker)
{
	struct lsi_node_state *node = &worker->machine->node_state[worker->next_new++];

	lsi_fiber_stack_prepare(node, lsi_fiber_run);
	return node;
}

static void prefetch_lines(const void *memory, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += LSI_CACHE_LINE)
		lsi_prefetch((const char *)memory + at);
}

/*
 * Begin to fetch the memory that the next fibers need first, while another one runs.  Each stage
 * reads what the stage before it has fetched: of the third fiber its state; of the second its
 * stack, what it reads first, and the entry of the channel that it may use next; of the next one
 * the mailboxes of that channel.
 */
static void prefetch_next(const struct ls_machine *machine, const struct lsi_run_queue *queue)
{
	struct lsi_fiber_link *next = queue->first, *second = next ? next->next : NULL;

	if (!second)
		return;
	if (second->next)
		prefetch_lines(
			lsi_node_of_fiber(second->next), offsetof(struct lsi_node_state, whole.recorded_calls));

	const struct lsi_fiber *fiber = &lsi_node_of_fiber(second)->fiber;
	const struct lsi_channel *channel = lsi_node_of_fiber(next)->fiber.next_channel;

	prefetch_lines(fiber->context.saved, STACK_PREFETCHED);
	for (int i = 0; i < 2; i++)
		prefetch_lines((const void *)fiber->first_read[i].at, fiber->first_read[i].bytes);
	lsi_prefetch(fiber->next_channel);
	if (channel && channel->peer != LS_NO_RANK)
		lsi_channel_prefetch(machine, channel);
}

/* The next fiber to run; NULL: none.  Nodes that have not begun come first, as if they had
 * been in the run queue from the start. */
struct lsi_node_state *lsi_worker_take(struct lsi_worker *worker)
{
	struct lsi_fiber_link *link;

	take_inbox(worker);
	if (worker->next_new < worker->end)
		return new_node(worker);
	link = lsi_run_queue_take(&worker->queue);
	if (worker->machine->exceeds_caches)
		prefetch_next(worker->machine, &worker->queue);
	return link ? lsi_node_of_fiber(link) : NULL;
}

bool lsi_worker_has_fibers(struct lsi_worker *worker)
{
	return worker->next_new < worker->end || worker->queue.first
		|| !lsi_inbox_is_empty(&worker->inbox)
		|| lsi_load(&worker->stopped, relaxed) == 1; /* a hint */
}

/* ---- Sleep and switch */

/* The worker has no fiber to run: sleep until another thread gives it one. */
static void sleep_worker(struct lsi_worker *worker)
{
	struct ls_machine *machine = worker->machine;

	lsi_park_announce(&worker->parking);
	if (!lsi_inbox_is_empty(&worker->inbox) || departures_are_new(worker)
		|| lsi_load(&worker->stopped, seq_cst) == 1) { /* STOP, PARK */
		lsi_park_retract(&worker->parking, &machine->park_counter);
		return;
	}
	if (lsi_park_commit(&machine->park_counter))
		lsi_decide_if_all_parked(machine);
	if (lsi_load(&machine->park_counter.elsewhere, seq_cst) > 0) /* LINK */
		lsi_decide_if_linked_parked(machine);
	while (lsi_park_asleep(&worker->parking))
		lsi_futex_wait(&worker->parking.word, 1, 0);
}

/* The next fiber to run, which may be the one that calls. */
struct lsi_node_state *lsi_worker_next(struct lsi_worker *worker)
{
	struct lsi_node_state *next;

	while (!(next = lsi_worker_take(worker))) {
		if (departures_are_new(worker))
			release_peers_of_departed(worker);
		else
			sleep_worker(worker);
	}
	return next;
}

/*
 * A worker that always has a fiber to run never sleeps, so it looks for nodes that have left here,
 * too.  A look visits all its nodes; at least as many switches separate two looks.
 */
static void look_for_departed(struct lsi_worker *worker, uint64_t switches)
{
	const uint64_t nodes = (uint64_t)(worker->end - worker->first);

	worker->next_look = switches + (nodes > SWITCHES_PER_LOOK ? nodes : SWITCHES_PER_LOOK);
	if (departures_are_new(worker))
		release_peers_of_departed(worker);
}

void lsi_worker_set_current(struct lsi_worker *worker, struct lsi_node_state *next)
{
	const uint64_t switches = lsi_load(&worker->switches, relaxed) + 1; /* this thread writes it */

	lsi_store(&worker->current, next, relaxed);      /* a hint */
	lsi_store(&worker->switches, switches, relaxed); /* a hint */
	lsi_node_of_thread = next;
	if (switches >= worker->next_look)
		look_for_departed(worker, switches);
}

/* Switch from a fiber to `next`, and return when it runs again. */
void lsi_worker_switch(struct lsi_node_state *me, struct lsi_node_state *next)
{
	struct lsi_worker *worker = me->worker;
	const int error = *worker->errno_at;

	lsi_worker_set_current(worker, next);
	lsi_context_switch(&me->fiber.context, &next->fiber.context);
	*worker->errno_at = error;
}
