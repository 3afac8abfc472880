/*
 * Work sharing in a group: how its members arrive, wait and help.  work_sharing.h has the protocol.
 */
#ifndef LSI_MACHINE_GROUP_WORK_SHARING_H
#define LSI_MACHINE_GROUP_WORK_SHARING_H

#include "machine/machine_types.h"

/* A member's call, in its envelope, and the rest of struct lsi_member_call. */
struct lsi_arriving_call {
	const uint64_t *call;
	const void *input;
	void *output;
	bool is_busy, in_place;
};

/* Arrive with this member's call.  True: it is the leader.  *epoch is the one to wait in. */
bool lsi_work_arrive(struct ls_node *, const struct lsi_arriving_call *, uint32_t *epoch);

/* Leader: the calls of all members; `call` is its own. */
struct lsi_calls lsi_work_calls(struct lsi_group *, const uint64_t call[3]);

/*
 * Wait until the barrier has opened.  When work is shared meanwhile, help(node) executes units.
 *
 * Returns    LS_OK, and the leader's result in *result; or the reason why the machine stopped
 */
int lsi_work_wait(struct ls_node *, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *result);

/* Leader: open the barrier without any work. */
void lsi_work_release_members(struct ls_node *, int result);

/* Count the units that this node took as executed; the last one opens the barrier. */
void lsi_work_finish_units(struct ls_node *);

/* The thread ends although it may still be executing units: give the call an error. */
void lsi_work_abort(struct lsi_node_state *);

#endif
