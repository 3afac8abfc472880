/*
 * Every collective on any group, with its result checked; and its messages, one round at a time, so
 * that a node can die between two rounds.
 */
#ifndef LOCKSTEP_TEST_GROUP_CALL_H
#define LOCKSTEP_TEST_GROUP_CALL_H

#include "support/play.h"

enum { GROUP_CALL_NODES = 120 }; /* at most */

/*
 * Any operation; contributions are rank + 1, for node j of a scatter or all-to-all + 10 j.  `sum`
 * adds int64.  Returns the call's status.
 */
int group_call(ls_node *, enum ls_operation, ls_op sum);

/* The messages of the default plan, by round; round r: record first[r] .. first[r + 1] - 1. */
struct plan_messages {
	struct messages messages;
	size_t *first;
	int64_t rounds;
};
/* False: no algorithm serves it. */
bool plan_messages_make(
	struct plan_messages *, const ls_topology *, enum ls_operation, enum ls_mode);
void plan_messages_free(struct plan_messages *);
/* Send and receive the messages of one round, and end it. */
int plan_messages_play(ls_node *, const struct plan_messages *, int64_t round);

#endif
