/*
 * Groups: ordered lists of nodes with a topology, rounds and a context number of their own.
 */
#ifndef LSI_MACHINE_GROUP_H
#define LSI_MACHINE_GROUP_H

#include "machine/machine_types.h"

/* The memory of a group's barriers and member calls; false: no memory. */
bool lsi_group_alloc(const struct ls_machine *, struct lsi_group *);
void lsi_group_free(struct lsi_group *);
/* Reset its barriers; no member may know the group yet. */
void lsi_group_reset(const struct ls_machine *, struct lsi_group *);

/* The network of a group: of a spec, or the guest of an embedding.  Both NULL: complete, routed. */
struct lsi_group_network {
	const char *spec;
	const ls_topology *guest;
};

/* The group of the members that offered `part`; NULL: no memory. */
struct lsi_group *lsi_group_make(
	struct ls_machine *, const struct lsi_group *from, int64_t part, struct lsi_group_network);

/* A member's handle of a new group; LS_OK or LS_ERR_MEMORY. */
int lsi_group_handle_make(struct lsi_node_state *, struct lsi_group *, struct ls_node **out);

enum { LSI_PART_NONE = -1, LSI_PART_LEFT = -2 }; /* of an offer; LEFT: no member any more */

/* This node leaves a group: its rounds go on without the node; a split cannot. */
void lsi_group_leave(struct ls_node *);

/* The run has ended: destroy all groups except the whole machine. */
void lsi_groups_destroy(struct ls_machine *);

#endif
