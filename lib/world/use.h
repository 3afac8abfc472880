/*
 * The use of a world: a run, a sweep, or its end.  A world has one use at a time, in the same order
 * in all processes.
 *
 *   take . begin, all processes . ... . ending . an agreement of all processes . ended
 *
 * A thread that wants the world while another thread of its process uses it is refused.  The other
 * processes may not have made this call yet; then no process would reply.  So at the end of a
 * use the processes agree on the number of calls that were refused meanwhile: a process that has
 * refused fewer refuses as many of its next ones.
 *
 *     process 0   |--- run of machine 1 ---|
 *                      machine 2: refused
 *     process 1   |--- run of machine 1 ---|   machine 2: refused
 *
 * At the beginning of a use the processes meet (agreement.h), and compare what they begin.  A
 * process that withdraws before has begun nothing.  The calls that it refused meanwhile count in
 * its next use.
 */
#ifndef LSI_WORLD_USE_H
#define LSI_WORLD_USE_H

#include "world/agreement.h"

/* What a use is; a machine has its number, from 1. */
enum { LSI_USE_CLOSE = -1, LSI_USE_SWEEP = 0 };
/* Numbers that a use compares at its beginning, at most. */
enum { LSI_USE_NUMBERS = LSI_MEETING_NUMBERS - 2 };
enum { LSI_USE_WITHDRAWN = 1 }; /* no status */

/* The number of a machine that is made now; in a world of one process, 0. */
int64_t lsi_world_number_machine(ls_world *);

/*
 * This thread takes part in a use of the world, until it leaves or ends.  Threads of nodes do, and
 * those that the use creates for itself.  The thread that has taken the world takes part until the
 * use ends.  A thread may take part in uses of several worlds, and leave them in any order.
 */
void lsi_world_enter(struct lsi_world_scope *, const ls_world *);
void lsi_world_leave(struct lsi_world_scope *);
bool lsi_world_is_inside(const ls_world *);

/* By any thread of this process, also by one that a run has ended without. */
bool lsi_world_is_used(ls_world *);
/* Refuse a call for another reason.  False: the world is not used, and the call does not count. */
bool lsi_world_refuse(ls_world *);
/*
 * LS_OK, or LS_ERR_BUSY: the call is refused.  A call of a thread that takes part in a use of this
 * world does not count: other processes may not make it.
 */
int lsi_world_take(ls_world *, struct ls_error *why_or_null);

/*
 * All processes begin a use that they have taken.  The numbers become the least of all processes.
 * LS_OK; or the use has ended:
 *
 * Returns    LS_ERR_BUSY     another process begins another use
 *            LS_ERR_LEFT     another process has closed its world
 *            LS_ERR_STOPPED  as in agreement.h; *why is not set
 */
int lsi_world_begin(ls_world *, int64_t use, int64_t *number, size_t n, const struct lsi_stop *,
	struct ls_error *why_or_null);
/*
 * The same without numbers, unless this process withdraws: then LSI_USE_WITHDRAWN.  The others wait
 * until it begins a use.
 */
int lsi_world_begin_unless(ls_world *, int64_t use, const struct lsi_stop *withdraws_or_null,
	const struct lsi_stop *, struct ls_error *why_or_null);

/* The number of calls that were refused; from now on a thread that wants the world waits. */
int64_t lsi_world_ending(ls_world *);
/* refused: the greatest number of all processes. */
void lsi_world_ended(ls_world *, int64_t refused);
/* Both, with an agreement in between.  LS_OK or LS_ERR_STOPPED. */
int lsi_world_end(ls_world *, const struct lsi_stop *);

#endif
