#include "collective/binomial.h"

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t ls_binomial_levels(const struct ls_problem *problem, struct ls_axis axis)
{
	(void)problem;
	return ls_log2_ceil(axis.side);
}

/* The leader of the block of `size` coordinates that holds `at`. */
static int64_t leader_of(int64_t root, int64_t side, int64_t at, int64_t size)
{
	int64_t leader = root;

	for (int64_t half = (int64_t)1 << ls_log2_ceil(side) >> 1; half >= size; half /= 2)
		if ((at ^ leader) & half)
			leader = least(leader ^ half, side - 1);
	return leader;
}

struct ls_binomial ls_binomial_at(const struct ls_problem *problem, struct ls_axis axis,
	int64_t rank, int64_t half)
{
	const int64_t at = ls_axis_coordinate(axis, rank);
	const int64_t root = ls_axis_coordinate(axis, problem->root);
	const int64_t leader = leader_of(root, axis.side, at, 2 * half);
	const int64_t mate = least(leader ^ half, axis.side - 1);
	struct ls_binomial meeting = { .role = LS_BINOMIAL_IDLE, .peer = LS_NOBODY };

	meeting.held = least(half, axis.side - at / half * half);
	if (!((leader ^ mate) & half) || (at != leader && at != mate))
		return meeting;
	meeting.role = at == leader ? LS_BINOMIAL_LEADER : LS_BINOMIAL_MATE;
	meeting.peer = ls_axis_node(axis, rank, at == leader ? mate : leader);
	return meeting;
}

int64_t ls_binomial_told(const struct ls_problem *problem, struct ls_axis axis, int64_t rank,
	int64_t *leader)
{
	const int64_t at = ls_axis_coordinate(axis, rank);
	int64_t from = LS_NOBODY, mate = ls_axis_coordinate(axis, problem->root);
	int level = 0;

	while (mate != at) {
		from = mate;
		level = ls_log2_floor(at ^ from);
		mate = least(from ^ (int64_t)1 << level, axis.side - 1);
	}
	*leader = ls_axis_node(axis, rank, from);
	return level;
}

bool ls_binomial_supports(const struct ls_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_ROUTED || ls_topology_is(t, &ls_network_hypercube)
		|| ls_topology_is(t, &ls_network_complete);
}
