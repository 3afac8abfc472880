#include "collective/front.h"

static bool is_wrapped(const struct ls_problem *problem)
{
	return problem->topology->network->grid == LS_GRID_WRAPPED;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct ls_front ls_front_of(const struct ls_problem *problem, struct ls_axis axis)
{
	const int64_t source = ls_axis_coordinate(axis, problem->root), side = axis.side;
	const bool reduces = problem->operation == LS_REDUCE;
	const int64_t below = source, above = side - 1 - source;
	/* A reduction passes the closing link of a ring on the side where it is nearer. */
	const bool up_first = is_wrapped(problem) ? !reduces || below >= above : above >= below;
	struct ls_front front = { .source = source };

	if (is_wrapped(problem))
		front.length[LS_UP] = up_first ? side / 2 : (side - 1) / 2;
	else
		front.length[LS_UP] = above;
	front.length[LS_DOWN] = side - 1 - front.length[LS_UP];
	front.start[up_first ? LS_DOWN : LS_UP] = problem->ports == 1;
	return front;
}

struct ls_front_place ls_front_place(const struct ls_front *front, struct ls_axis axis,
	int64_t rank)
{
	const int64_t up = ls_wrap(ls_axis_coordinate(axis, rank) - front->source, axis.side);

	if (up <= front->length[LS_UP])
		return (struct ls_front_place){ LS_UP, up };
	return (struct ls_front_place){ LS_DOWN, axis.side - up };
}

int64_t ls_front_rounds(const struct ls_problem *problem, struct ls_axis axis)
{
	const struct ls_front front = ls_front_of(problem, axis);

	return most(front.start[LS_UP] + front.length[LS_UP],
		front.start[LS_DOWN] + front.length[LS_DOWN]);
}

int ls_front_port(const struct ls_front *front, int chain)
{
	return chain == LS_DOWN && front->length[LS_UP] > 0
		&& front->start[LS_UP] == front->start[LS_DOWN];
}

static int64_t node_at(const struct ls_front *front, struct ls_axis axis, int64_t rank, int chain,
	int64_t distance)
{
	const int64_t at = front->source + (chain == LS_UP ? distance : -distance);

	return ls_axis_node(axis, rank, ls_wrap(at, axis.side));
}

void ls_front_peers(const struct ls_front *front, struct ls_axis axis, int64_t rank, int64_t round,
	struct ls_peers *out)
{
	const struct ls_front_place place = ls_front_place(front, axis, rank);

	for (int chain = 0; chain < LS_CHAINS; chain++) {
		/* The node that the message of this round reaches. */
		const int64_t reached = round - front->start[chain] + 1;

		if (reached < 1 || reached > front->length[chain])
			continue;
		if (place.distance == 0 && reached == 1)
			out->to[ls_front_port(front, chain)] = node_at(front, axis, rank, chain, 1);
		if (place.distance == 0 || place.chain != chain)
			continue;
		if (reached == place.distance)
			out->from[0] = node_at(front, axis, rank, chain, reached - 1);
		if (reached == place.distance + 1)
			out->to[0] = node_at(front, axis, rank, chain, reached);
	}
}

int64_t ls_front_rounds_predicted(const struct ls_problem *problem, int dimension)
{
	const int64_t side = ls_topology_side(problem->topology, dimension);
	const int64_t below = ls_topology_coordinate(problem->topology, problem->root, dimension);
	const int64_t above = side - 1 - below;

	if (is_wrapped(problem))
		return problem->ports == 1 ? (side + 1) / 2 - (side == 1) : side / 2;
	return most(below, above) + (below == above && side > 1 && problem->ports == 1);
}
