#include "collective/line/chains.h"

static bool is_wrapped(const struct lsi_problem *problem)
{
	return problem->topology->network->grid == LSI_GRID_WRAPPED;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct lsi_chains lsi_chains_of(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const int64_t source = lsi_axis_coordinate(axis, problem->root), side = axis.side;
	const bool reduces = problem->operation == LS_REDUCE;
	const int64_t below = source, above = side - 1 - source;
	/* On a ring, a reduction uses the closing link on the side where that link is nearer. */
	const bool up_first = is_wrapped(problem) ? !reduces || below >= above : above >= below;
	struct lsi_chains chains = { .source = source };

	if (is_wrapped(problem))
		chains.length[LSI_UP] = up_first ? side / 2 : (side - 1) / 2;
	else
		chains.length[LSI_UP] = above;
	chains.length[LSI_DOWN] = side - 1 - chains.length[LSI_UP];
	chains.start[up_first ? LSI_DOWN : LSI_UP] = problem->ports == 1;
	return chains;
}

struct lsi_chain_position lsi_chain_position_of(
	const struct lsi_chains *chains, struct lsi_axis axis, int64_t rank)
{
	const int64_t up = lsi_wrap(lsi_axis_coordinate(axis, rank) - chains->source, axis.side);

	if (up <= chains->length[LSI_UP])
		return (struct lsi_chain_position){ LSI_UP, up };
	return (struct lsi_chain_position){ LSI_DOWN, axis.side - up };
}

int64_t lsi_chains_rounds(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const struct lsi_chains chains = lsi_chains_of(problem, axis);

	return most(chains.start[LSI_UP] + chains.length[LSI_UP],
		chains.start[LSI_DOWN] + chains.length[LSI_DOWN]);
}

int lsi_chain_port(const struct lsi_chains *chains, int chain)
{
	return chain == LSI_DOWN && chains->length[LSI_UP] > 0
		&& chains->start[LSI_UP] == chains->start[LSI_DOWN];
}

static int64_t node_at(const struct lsi_chains *chains, struct lsi_axis axis, int64_t rank,
	int chain, int64_t distance)
{
	const int64_t at = chains->source + (chain == LSI_UP ? distance : -distance);

	return lsi_axis_node(axis, rank, lsi_wrap(at, axis.side));
}

void lsi_chains_peers(const struct lsi_chains *chains, struct lsi_axis axis, int64_t rank,
	int64_t round, struct lsi_peers *out)
{
	const struct lsi_chain_position position = lsi_chain_position_of(chains, axis, rank);

	for (int chain = 0; chain < LSI_CHAINS; chain++) {
		/* The distance of the node that receives in this round. */
		const int64_t reached = round - chains->start[chain] + 1;

		if (reached < 1 || reached > chains->length[chain])
			continue;
		if (position.distance == 0 && reached == 1)
			out->to[lsi_chain_port(chains, chain)] = node_at(chains, axis, rank, chain, 1);
		if (position.distance == 0 || position.chain != chain)
			continue;
		if (reached == position.distance)
			out->from[0] = node_at(chains, axis, rank, chain, reached - 1);
		if (reached == position.distance + 1)
			out->to[0] = node_at(chains, axis, rank, chain, reached);
	}
}

int64_t lsi_chains_rounds_predicted(const struct lsi_problem *problem, int dimension)
{
	const int64_t side = ls_topology_side(problem->topology, dimension);
	const int64_t below = ls_topology_coordinate(problem->topology, problem->root, dimension);
	const int64_t above = side - 1 - below;

	if (is_wrapped(problem))
		return problem->ports == 1 ? (side + 1) / 2 - (side == 1) : side / 2;
	return most(below, above) + (below == above && side > 1 && problem->ports == 1);
}
