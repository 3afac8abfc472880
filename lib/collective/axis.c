#include "collective/axis.h"

int lsi_axes(const struct ls_topology *t)
{
	const int dims = ls_topology_dims(t);

	return dims ? dims : 1;
}

int64_t lsi_axis_side(const struct ls_topology *t, int axis)
{
	return ls_topology_dims(t) ? ls_topology_side(t, axis) : t->nodes;
}

int64_t lsi_axis_longest(const struct ls_topology *t)
{
	int64_t longest = 1;

	for (int d = 0; d < lsi_axes(t); d++)
		if (longest < lsi_axis_side(t, d))
			longest = lsi_axis_side(t, d);
	return longest;
}

int lsi_cube_axes(const struct ls_topology *t)
{
	return lsi_topology_is(t, &lsi_network_hypercube) ? (int)t->degree : lsi_axes(t);
}

int64_t lsi_cube_side(const struct ls_topology *t, int axis)
{
	return lsi_topology_is(t, &lsi_network_hypercube) ? 2 : lsi_axis_side(t, axis);
}

bool lsi_axes_linked(const struct ls_topology *t)
{
	return t->network->grid != LSI_GRID_NONE || lsi_topology_is(t, &lsi_network_complete);
}

bool lsi_axes_closed(const struct ls_topology *t)
{
	return t->network->grid == LSI_GRID_WRAPPED || lsi_topology_is(t, &lsi_network_complete)
		|| (t->network->grid == LSI_GRID_OPEN && lsi_axis_longest(t) <= 2);
}

int64_t lsi_phases_rounds(const struct lsi_problem *problem, lsi_axis_rounds *rounds)
{
	struct lsi_axis axis = { 1, 1 };
	int64_t sum = 0;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		axis = lsi_axis_next(problem, axis, d);
		sum += axis.side > 1 ? rounds(problem, axis) : 0;
	}
	return sum;
}

struct lsi_axis_phase lsi_phase_at(
	const struct lsi_problem *problem, lsi_axis_rounds *rounds, int64_t round)
{
	struct lsi_axis_phase phase = { { 1, 1 }, round, 0 };

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		phase.axis = lsi_axis_next(problem, phase.axis, d);
		if (phase.axis.side == 1)
			continue;

		const int64_t here = rounds(problem, phase.axis);

		if (phase.round < here)
			break;
		phase.round -= here;
		phase.before++;
	}
	return phase;
}
