/*
 * All of liburcu, through one door: QSBR readers, grace periods, the many-to-one queue.
 *
 * Only calls that allocate nothing are used, for liburcu 0.13 aborts the process when an allocation
 * of its own fails.  Readers are online only inside a lookup and offline everywhere else, so that
 * no wait or computation of a node stalls a grace period.
 *
 *   ls_rcu_enter();  p = ls_load(&pointer, acquire);  ... read *p ...  ls_rcu_leave();
 *
 * Edges  DIRECTORY  release store of the pointer -> acquire load inside enter .. leave
 *        GRACE      leave -> ls_rcu_wait returns: what was unpublished before may be freed after it
 *
 * ThreadSanitizer does not see inside liburcu; the annotations name the same edges for it.
 */
#ifndef LS_BASE_RCU_H
#define LS_BASE_RCU_H

#include <stdbool.h>

/*
 * Register the calling thread as a reader, counted per thread; `already`: the program has done so
 * itself.
 */
void ls_rcu_register(bool already);
void ls_rcu_unregister(bool already);
void ls_rcu_enter(void);
void ls_rcu_leave(void);
/* Wait until every reader that was inside has left.  Not from inside. */
void ls_rcu_wait(void);

/* A queue of many producers and one consumer; items are the first member of what they queue. */
struct ls_queue_item { struct ls_queue_item *next; };
struct ls_queue;

struct ls_queue *ls_queue_make(void);                 /* NULL: no memory */
void ls_queue_destroy(struct ls_queue *);
void ls_queue_put(struct ls_queue *, struct ls_queue_item *);
struct ls_queue_item *ls_queue_take(struct ls_queue *);   /* NULL: empty */

#endif
