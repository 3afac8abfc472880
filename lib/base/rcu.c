#include "base/rcu.h"

#if !defined(LSI_TSAN)
#define _LGPL_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <urcu-qsbr.h>
#include <urcu/wfcqueue.h>

#include "base/alloc.h"

#if defined(LSI_TSAN)
void __tsan_acquire(void *);
void __tsan_release(void *);
#else
#define __tsan_acquire(p) ((void)(p))
#define __tsan_release(p) ((void)(p))
#endif

/*
 * The scheduler of test builds runs one thread at a time, which must not wait for another one in
 * liburcu: it yields until no reader is inside.
 */
#ifdef LSI_SCHEDULE
static int inside;
#define count_reader(change) ((void)(inside += (change)))
#define await_readers() \
	while (sched_yield(), inside > 0) \
	continue
#else
#define count_reader(change) ((void)0)
#define await_readers()      ((void)0)
#endif

/* liburcu keeps readers per thread and aborts when one registers twice. */
static _Thread_local int registered;
static _Thread_local bool was_online; /* a program's own reader stays as it was */
static char grace;                    /* the address that stands for the edge GRACE */

/*
 * A child of fork has only one thread of its parent, but liburcu's list of all its readers.  Its
 * lock may be taken for ever, and no grace period ends.  So a child uses liburcu no more.
 */
static bool is_child;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void mark_child(void)
{
	is_child = true;
}

static void watch_fork(void)
{
	pthread_atfork(NULL, NULL, mark_child);
}

bool lsi_rcu_is_usable(void)
{
	return !is_child;
}

void lsi_rcu_register(bool already)
{
	pthread_once(&once, watch_fork);
	if (is_child || registered++ > 0 || already)
		return;
	rcu_register_thread();
	rcu_thread_offline();
}

void lsi_rcu_unregister(bool already)
{
	if (is_child || --registered > 0 || already)
		return;
	__tsan_release(&grace);
	rcu_unregister_thread();
}

#ifdef LSI_CHECKED
static _Thread_local bool is_inside;

static void set_inside(bool reads)
{
	is_inside = reads;
}

void lsi_rcu_check_outside(void)
{
	if (!is_inside)
		return;
	fputs("lockstep: a read section of RCU nests, or spans a wait\n", stderr);
	abort();
}
#else
static void set_inside(bool inside)
{
	(void)inside;
}
#endif

void lsi_rcu_enter(void)
{
	lsi_rcu_check_outside();
	set_inside(true);
	was_online = is_child || rcu_read_ongoing();
	if (!was_online)
		rcu_thread_online();
	count_reader(1);
}

void lsi_rcu_leave(void)
{
	__tsan_release(&grace);
	set_inside(false);
	count_reader(-1);
	if (!was_online)
		rcu_thread_offline();
}

void lsi_rcu_wait(void)
{
	lsi_rcu_check_outside();
	pthread_once(&once, watch_fork);
	await_readers();
	synchronize_rcu();
	__tsan_acquire(&grace);
}

/* The queue's node and ours are the same single pointer. */
_Static_assert(
	sizeof(struct cds_wfcq_node) == sizeof(struct lsi_queue_item), "an item is a queue node");

struct lsi_queue {
	struct cds_wfcq_tail tail __attribute__((aligned(LSI_CACHE_LINE)));
	struct cds_wfcq_head head __attribute__((aligned(LSI_CACHE_LINE)));
};

struct lsi_queue *lsi_queue_make(void)
{
	struct lsi_queue *queue = lsi_alloc_cache_aligned(sizeof *queue);

	if (queue)
		cds_wfcq_init(&queue->head, &queue->tail);
	return queue;
}

void lsi_queue_destroy(struct lsi_queue *queue)
{
	if (queue)
		cds_wfcq_destroy(&queue->head, &queue->tail);
	lsi_free(queue);
}

void lsi_queue_put(struct lsi_queue *queue, struct lsi_queue_item *item)
{
	struct cds_wfcq_node *node = (struct cds_wfcq_node *)item;

	cds_wfcq_node_init(node);
	__tsan_release(item); /* QUEUE */
	cds_wfcq_enqueue(&queue->head, &queue->tail, node);
}

struct lsi_queue_item *lsi_queue_take(struct lsi_queue *queue)
{
	struct cds_wfcq_node *node = __cds_wfcq_dequeue_blocking(&queue->head, &queue->tail);

	if (node)
		__tsan_acquire(node); /* QUEUE */
	return (struct lsi_queue_item *)node;
}
