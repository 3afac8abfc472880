/*
 * Local ranks: the nodes of this process.  Without a world of several processes all ranks are
 * local; with one they are a contiguous block, first_local .. end_local - 1.  The states of all
 * other nodes are proxies: processes/ uses a few of their fields.
 */
#ifndef LSI_MACHINE_LOCAL_RANKS_H
#define LSI_MACHINE_LOCAL_RANKS_H

#include "machine/machine_types.h"

static inline bool lsi_rank_is_local(const struct ls_machine *machine, int64_t rank)
{
	return rank >= machine->first_local && rank < machine->end_local;
}

/* The number of local nodes. */
static inline int64_t lsi_local_nodes(const struct ls_machine *machine)
{
	return machine->end_local - machine->first_local;
}

/* Local member i of a group, from 0 to group->locals - 1, in the order of the group: its rank. */
static inline int64_t lsi_local_rank(const struct lsi_group *group, int64_t i)
{
	return group->local ? group->local[i] : group->first_local + i;
}

static inline struct lsi_node_state *lsi_local_member(
	const struct ls_machine *machine, const struct lsi_group *group, int64_t i)
{
	return &machine->node_state[lsi_member(group, lsi_local_rank(group, i))];
}

/* Does the group have members in other processes? */
static inline bool lsi_group_spans(const struct lsi_group *group)
{
	return group->locals < group->size;
}

#endif
