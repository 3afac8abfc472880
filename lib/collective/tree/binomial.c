#include "collective/tree/binomial.h"

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t lsi_binomial_levels(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return lsi_log2_ceil(axis.side);
}

/* The leader of the block of `size` coordinates that contains `at`. */
static int64_t leader_of(int64_t root, int64_t side, int64_t at, int64_t size)
{
	int64_t leader = root;

	for (int64_t half = (int64_t)1 << lsi_log2_ceil(side) >> 1; half >= size; half /= 2)
		if ((at ^ leader) & half)
			leader = least(leader ^ half, side - 1);
	return leader;
}

struct lsi_binomial lsi_binomial_at(
	const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank, int64_t half)
{
	const int64_t at = lsi_axis_coordinate(axis, rank);
	const int64_t root = lsi_axis_coordinate(axis, problem->root);
	const int64_t leader = leader_of(root, axis.side, at, 2 * half);
	const int64_t partner = least(leader ^ half, axis.side - 1);
	struct lsi_binomial meeting = { .role = LSI_BINOMIAL_IDLE, .peer = LS_NO_RANK };

	meeting.held = least(half, axis.side - at / half * half);
	if (!((leader ^ partner) & half) || (at != leader && at != partner))
		return meeting;
	meeting.role = at == leader ? LSI_BINOMIAL_LEADER : LSI_BINOMIAL_PARTNER;
	meeting.peer = lsi_axis_node(axis, rank, at == leader ? partner : leader);
	return meeting;
}

int64_t lsi_binomial_receive_level(
	const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank, int64_t *leader)
{
	const int64_t at = lsi_axis_coordinate(axis, rank);
	int64_t from = LS_NO_RANK, partner = lsi_axis_coordinate(axis, problem->root);
	int level = 0;

	while (partner != at) {
		from = partner;
		level = lsi_log2_floor(at ^ from);
		partner = least(from ^ (int64_t)1 << level, axis.side - 1);
	}
	*leader = lsi_axis_node(axis, rank, from);
	return level;
}
