/*
 * The division of ranks among processes.
 *
 * Boundaries are multiples of a unit, so that the networks inside stay whole: most links then stay
 * inside a process.  The unit is the largest part of the network with which no process has more
 * than 17/16 of the average.  The first processes have one unit more than the others.
 */
#include <lockstep/world.h>

#include "base/math.h"
#include "topology/topology_internal.h"

enum { TOLERANCE = 16 }; /* of the average, the part that a process may have in addition */

/* With `units` units, the largest process has ceil(units / processes) of them. */
static bool is_balanced(int64_t units, int processes)
{
	const int64_t missing = lsi_wrap(-units, processes);

	return missing <= units / TOLERANCE;
}

static int64_t unit_nodes(const ls_topology *t, int processes)
{
	int64_t nodes = t->nodes;

	while (nodes > 1 && !is_balanced(t->nodes / nodes, processes))
		nodes = lsi_topology_part(t, nodes);
	return nodes;
}

int64_t ls_first_rank(const ls_topology *t, int processes, int process)
{
	if (!t || processes < 1 || process < 0 || process > processes)
		return LS_NO_RANK;

	const int64_t unit = unit_nodes(t, processes), units = t->nodes / unit;

	return unit * (units / processes * process + lsi_min(units % processes, process));
}
