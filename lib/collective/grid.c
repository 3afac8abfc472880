#include "collective/grid.h"

int ls_axes(const struct ls_topology *t)
{
	const int dims = ls_topology_dims(t);

	return dims ? dims : 1;
}

int64_t ls_axis_side(const struct ls_topology *t, int axis)
{
	return ls_topology_dims(t) ? ls_topology_side(t, axis) : t->nodes;
}

int64_t ls_axis_longest(const struct ls_topology *t)
{
	int64_t longest = 1;

	for (int d = 0; d < ls_axes(t); d++)
		if (longest < ls_axis_side(t, d))
			longest = ls_axis_side(t, d);
	return longest;
}

int ls_cube_axes(const struct ls_topology *t)
{
	return ls_topology_is(t, &ls_network_hypercube) ? (int)t->degree : ls_axes(t);
}

int64_t ls_cube_side(const struct ls_topology *t, int axis)
{
	return ls_topology_is(t, &ls_network_hypercube) ? 2 : ls_axis_side(t, axis);
}

bool ls_axes_linked(const struct ls_topology *t)
{
	return t->network->grid != LS_GRID_NONE || ls_topology_is(t, &ls_network_complete);
}

bool ls_axes_closed(const struct ls_topology *t)
{
	return t->network->grid == LS_GRID_WRAPPED || ls_topology_is(t, &ls_network_complete)
		|| (t->network->grid == LS_GRID_OPEN && ls_axis_longest(t) <= 2);
}

int64_t ls_phases_rounds(const struct ls_problem *problem, ls_axis_rounds *rounds)
{
	struct ls_axis axis = { 1, 1 };
	int64_t sum = 0;

	for (int d = ls_axes(problem->topology) - 1; d >= 0; d--) {
		axis = ls_axis_next(problem, axis, d);
		sum += axis.side > 1 ? rounds(problem, axis) : 0;
	}
	return sum;
}

struct ls_phase ls_phase_at(const struct ls_problem *problem, ls_axis_rounds *rounds, int64_t round)
{
	struct ls_phase phase = { { 1, 1 }, round, 0 };

	for (int d = ls_axes(problem->topology) - 1; d >= 0; d--) {
		phase.axis = ls_axis_next(problem, phase.axis, d);
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
