#include "collective/line/front.h"

static bool is_wrapped(const struct lsi_problem *problem)
{
	return problem->topology->network->grid == LSI_GRID_WRAPPED;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct lsi_front lsi_front_of(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const int64_t source = lsi_axis_coordinate(axis, problem->root), side = axis.side;
	const bool reduces = problem->operation == LS_REDUCE;
	const int64_t below = source, above = side - 1 - source;
	/* A reduction passes the closing link of a ring on the side where it is nearer. */
	const bool up_first = is_wrapped(problem) ? !reduces || below >= above : above >= below;
	struct lsi_front front = { .source = source };

	if (is_wrapped(problem))
		front.length[LSI_UP] = up_first ? side / 2 : (side - 1) / 2;
	else
		front.length[LSI_UP] = above;
	front.length[LSI_DOWN] = side - 1 - front.length[LSI_UP];
	front.start[up_first ? LSI_DOWN : LSI_UP] = problem->ports == 1;
	return front;
}

struct lsi_front_position lsi_front_position_of(
	const struct lsi_front *front, struct lsi_axis axis, int64_t rank)
{
	const int64_t up = lsi_wrap(lsi_axis_coordinate(axis, rank) - front->source, axis.side);

	if (up <= front->length[LSI_UP])
		return (struct lsi_front_position){ LSI_UP, up };
	return (struct lsi_front_position){ LSI_DOWN, axis.side - up };
}

int64_t lsi_front_rounds(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const struct lsi_front front = lsi_front_of(problem, axis);

	return most(
		front.start[LSI_UP] + front.length[LSI_UP], front.start[LSI_DOWN] + front.length[LSI_DOWN]);
}

int lsi_front_port(const struct lsi_front *front, int chain)
{
	return chain == LSI_DOWN && front->length[LSI_UP] > 0
		&& front->start[LSI_UP] == front->start[LSI_DOWN];
}

static int64_t node_at(
	const struct lsi_front *front, struct lsi_axis axis, int64_t rank, int chain, int64_t distance)
{
	const int64_t at = front->source + (chain == LSI_UP ? distance : -distance);

	return lsi_axis_node(axis, rank, lsi_wrap(at, axis.side));
}

void lsi_front_peers(const struct lsi_front *front, struct lsi_axis axis, int64_t rank,
	int64_t round, struct lsi_peers *out)
{
	const struct lsi_front_position place = lsi_front_position_of(front, axis, rank);

	for (int chain = 0; chain < LSI_CHAINS; chain++) {
		/* The node that the message of this round reaches. */
		const int64_t reached = round - front->start[chain] + 1;

		if (reached < 1 || reached > front->length[chain])
			continue;
		if (place.distance == 0 && reached == 1)
			out->to[lsi_front_port(front, chain)] = node_at(front, axis, rank, chain, 1);
		if (place.distance == 0 || place.chain != chain)
			continue;
		if (reached == place.distance)
			out->from[0] = node_at(front, axis, rank, chain, reached - 1);
		if (reached == place.distance + 1)
			out->to[0] = node_at(front, axis, rank, chain, reached);
	}
}

int64_t lsi_front_rounds_predicted(const struct lsi_problem *problem, int dimension)
{
	const int64_t side = ls_topology_side(problem->topology, dimension);
	const int64_t below = ls_topology_coordinate(problem->topology, problem->root, dimension);
	const int64_t above = side - 1 - below;

	if (is_wrapped(problem))
		return problem->ports == 1 ? (side + 1) / 2 - (side == 1) : side / 2;
	return most(below, above) + (below == above && side > 1 && problem->ports == 1);
}
