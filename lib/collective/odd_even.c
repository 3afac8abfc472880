#include "collective/odd_even.h"

bool ls_odd_even_supports(const struct ls_problem *problem)
{
	return problem->mode == LS_HOP && problem->topology->network->grid != LS_GRID_NONE
		&& problem->nodes < LS_NODES_MAX;
}

int64_t ls_odd_even_rounds(const struct ls_problem *problem, struct ls_axis axis)
{
	const bool at_once = problem->ports > 1 || axis.side == 2 || axis.side == 4;

	return at_once ? axis.side - 1 : axis.side;
}

int64_t ls_odd_even_rounds_in_pairs(const struct ls_problem *problem, struct ls_axis axis)
{
	(void)problem;
	return axis.side - 1 + axis.side % 2;
}

int64_t ls_odd_even_place(int lane, struct ls_axis axis, int64_t rank)
{
	const int64_t at = ls_axis_coordinate(axis, rank);

	return lane == LS_UP ? at : axis.side - 1 - at;
}

struct ls_runs ls_odd_even_told(const struct ls_problem *problem, struct ls_axis axis,
	int64_t rounds, int lane, int64_t place, int64_t t)
{
	const int64_t link = lane == LS_UP ? place : axis.side - 2 - place;
	const bool paired = problem->ports == 1;
	/* The round in which messages become single runs. */
	const int64_t turn = rounds < axis.side ? axis.side : (axis.side + 1) / 2;
	const bool rests = paired && (link + t) % 2 && t <= turn;
	const int64_t last = place - t + (paired && t > 0);
	const int64_t first = paired && t < turn && t <= place ? place - t : last;

	if (place < 0 || place == axis.side - 1 || rests || last < 0)
		return (struct ls_runs){ 0, -1 };
	return (struct ls_runs){ first, last };
}

int64_t ls_odd_even_messages(int64_t side, bool two_ports)
{
	const int64_t halves = ls_mul(side / 2, side - side / 2);

	if (two_ports)
		return ls_mul(side, side - 1);
	return ls_add(ls_mul(2, halves), side == 4 ? 0 : halves / 2);
}
