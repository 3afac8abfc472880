/*
 * The cooperative engine: the nodes of a group assemble, then those that run execute the plan of all
 * nodes, strip by strip, on everybody's operands and results.
 *
 * Each operand is read once, each result written once, and what lies between stays in the cache; a
 * node is switched to once.  Ports, matching and links of the plan are proved when its flow is made,
 * counts and traces are the plan's.
 */
#ifndef LS_ENGINE_COOPERATIVE_H
#define LS_ENGINE_COOPERATIVE_H

#include "engine/execute.h"

/* What one node sends in an execution. */
struct ls_tally { int64_t rounds, messages, words; };

struct ls_tally ls_tally_of(const struct ls_plan *, int64_t rank, const struct ls_measure *);

/*
 * Assemble for a call, and execute it if it is to be executed cooperatively and can be.  The caller
 * has set node, combine, base and envelope of the execution, and says the plan, which must outlive the
 * group or the handle, the measure, and what this node sends.
 *
 * Returns    LS_OK; LS_BY_THREADS: all nodes are in this call, and execute it one by one, as ls_execute;
 *            else the machine has stopped
 */
struct ls_assembled {
	const struct ls_plan *plan;
	bool in_place, is_rooted;
	/*
	 * Of a rooted operation: the same plan for a root that is in place where this node is not, or the
	 * other way round; NULL: there is none.
	 */
	const struct ls_plan *other;
	const struct ls_measure *measure;
	struct ls_tally tally;
	bool cooperative;
};
int ls_cooperate(struct ls_execution *, const struct ls_assembled *);

#endif
