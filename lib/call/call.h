/*
 * What a collective call finds: the plan of its group, and the compiled program of its node.
 */
#ifndef LS_CALL_CALL_H
#define LS_CALL_CALL_H

#include "engine/program.h"

/*
 * The plan of a group for a problem: made by the first node that needs it, then found without a lock.
 * Valid as long as the group.  LS_OK or LS_ERR_MEMORY.
 */
int ls_group_plan(struct ls_node *, const struct ls_algorithm *, const struct ls_problem *, const struct ls_plan **out);

#endif
