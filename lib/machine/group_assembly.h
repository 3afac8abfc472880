/*
 * The assembly of a group: how its members arrive, wait and help (the protocol is in assembly.h).
 */
#ifndef LSI_MACHINE_GROUP_ASSEMBLY_H
#define LSI_MACHINE_GROUP_ASSEMBLY_H

#include "machine/machine_types.h"

/* Arrive with this member's call; true: it leads.  *epoch is for lsi_assembly_wait. */
bool lsi_assembly_arrive(struct ls_node *, const struct lsi_member_call *, uint32_t *epoch);

/*
 * Wait until the barrier has opened.  help(node) executes units of shared work meanwhile.  LS_OK:
 * *result is the leader's; else why the machine stopped.
 */
int lsi_assembly_wait(struct ls_node *, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *result);

/* Leader: open the barrier without any work. */
void lsi_assembly_release(struct ls_node *, int result);

/* The units that this node took are done; the last opens the barrier. */
void lsi_assembly_finish_units(struct ls_node *);

/* The thread ends while it executes units. */
void lsi_assembly_abort(struct lsi_node_state *);

#endif
