/*
 * All uses of liburcu: QSBR readers, grace periods, the many-to-one queue.
 *
 * Only calls that allocate nothing are used, because liburcu 0.13 aborts the process if one of its
 * allocations fails.  Readers are online only inside a lookup, so that no wait and no computation
 * of a node delays a grace period.
 *
 *   lsi_rcu_enter();  p = lsi_load(&pointer, acquire);  ... read *p ...  lsi_rcu_leave();
 *
 * Edges  DIRECTORY  release store of the pointer -> acquire load inside enter .. leave
 *        GRACE      leave -> lsi_rcu_wait returns: then the caller may free data that was
 *                   unpublished before the call
 *        QUEUE      lsi_queue_put -> the lsi_queue_take that returns the item
 *
 * ThreadSanitizer does not see into liburcu; annotations declare the same edges.
 */
#ifndef LSI_BASE_RCU_H
#define LSI_BASE_RCU_H

#include <stdbool.h>

/*
 * Register the calling thread as a reader; calls are counted per thread.  `already`: the program
 * has registered the thread itself.
 */
void lsi_rcu_register(bool already);
void lsi_rcu_unregister(bool already);
/* A read section: it does not nest, and its thread does not wait in it. */
void lsi_rcu_enter(void);
void lsi_rcu_leave(void);
/* In a checked build: end the process if the thread is in a read section. */
#ifdef LSI_CHECKED
void lsi_rcu_check_outside(void);
#else
#define lsi_rcu_check_outside() ((void)0)
#endif
/*
 * Wait until every reader that is inside now has left.  The caller must not be inside, and liburcu
 * must be usable: it is not in a child of fork whose parent has used it.
 */
void lsi_rcu_wait(void);
bool lsi_rcu_is_usable(void);

/* A queue of many producers and one consumer; an item is the first member of a queued struct. */
struct lsi_queue_item {
	struct lsi_queue_item *next;
};
struct lsi_queue;

struct lsi_queue *lsi_queue_make(void); /* NULL: no memory */
void lsi_queue_destroy(struct lsi_queue *);
void lsi_queue_put(struct lsi_queue *, struct lsi_queue_item *);
struct lsi_queue_item *lsi_queue_take(struct lsi_queue *); /* NULL: empty */

#endif
