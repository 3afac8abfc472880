/*
 * Groups: ordered lists of nodes.  Each has its own topology, rounds and context number.
 */
#ifndef LSI_MACHINE_GROUP_H
#define LSI_MACHINE_GROUP_H

#include "machine/machine_types.h"

/* Allocate the shards, unit ranges and member calls of a group.  False: no memory. */
bool lsi_group_alloc(const struct ls_machine *, struct lsi_group *);
void lsi_group_free(struct lsi_group *);
/* Reset the barriers and the work sharing of a group before its members use it. */
void lsi_group_reset(const struct ls_machine *, struct lsi_group *);

/* The network of a group: a spec, or the guest of an embedding.  Both NULL: complete and routed. */
struct lsi_group_network {
	const char *spec;
	const ls_topology *guest;
};

/* Make the group of the members that offered `part`.  NULL: no memory. */
struct lsi_group *lsi_group_make(
	struct ls_machine *, const struct lsi_group *from, int64_t part, struct lsi_group_network);

/* One handle less: the last one destroys the group. */
void lsi_group_release(struct ls_machine *, struct lsi_group *);

/* Reserve the memory of a handle: the next lsi_group_handle_make succeeds.  False: no memory. */
bool lsi_handle_reserve(struct lsi_node_state *);
/* Make this node's handle of a new group.  LS_OK or LS_ERR_MEMORY. */
int lsi_group_handle_make(struct lsi_node_state *, struct lsi_group *, struct ls_node **out);
/* Destroy all handles of the node but that of the whole machine, without leaving the groups. */
void lsi_handles_drop(struct lsi_node_state *);
/* Free the handles that the node has left, and the one that it has reserved. */
void lsi_handles_free(struct lsi_node_state *);

/* Parts of an offer: the member joins no new group; the member has left the group. */
enum { LSI_PART_NONE = -1, LSI_PART_LEFT = -2 };

/* This node leaves a group.  Rounds of the group continue without it; a split fails. */
void lsi_group_leave(struct ls_node *);

/* The run has ended: destroy all groups except the whole machine. */
void lsi_groups_destroy(struct ls_machine *);

#endif
