#include "collective/line/odd_even.h"

bool lsi_odd_even_supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && problem->topology->network->grid != LSI_GRID_NONE
		&& problem->nodes < LS_NODES_MAX;
}

int64_t lsi_odd_even_rounds(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const bool at_once = problem->ports > 1 || axis.side == 2 || axis.side == 4;

	return at_once ? axis.side - 1 : axis.side;
}

int64_t lsi_odd_even_rounds_in_pairs(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return axis.side - 1 + axis.side % 2;
}

int64_t lsi_odd_even_position(int direction, struct lsi_axis axis, int64_t rank)
{
	const int64_t at = lsi_axis_coordinate(axis, rank);

	return direction == LSI_UP ? at : axis.side - 1 - at;
}

struct lsi_runs lsi_odd_even_sent(const struct lsi_problem *problem, struct lsi_axis axis,
	int64_t rounds, int direction, int64_t position, int64_t t)
{
	const int64_t link = direction == LSI_UP ? position : axis.side - 2 - position;
	const bool paired = problem->ports == 1;
	/* From this round on a message has a single run. */
	const int64_t turn = rounds < axis.side ? axis.side : (axis.side + 1) / 2;
	const bool rests = paired && (link + t) % 2 && t <= turn;
	const int64_t last = position - t + (paired && t > 0);
	const int64_t first = paired && t < turn && t <= position ? position - t : last;

	if (position < 0 || position == axis.side - 1 || rests || last < 0)
		return (struct lsi_runs){ 0, -1 };
	return (struct lsi_runs){ first, last };
}

int64_t lsi_odd_even_messages(int64_t side, bool two_ports)
{
	const int64_t halves = lsi_mul_sat(side / 2, side - side / 2);

	if (two_ports)
		return lsi_mul_sat(side, side - 1);
	return lsi_add_sat(lsi_mul_sat(2, halves), side == 4 ? 0 : halves / 2);
}
