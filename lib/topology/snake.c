#include "topology/snake.h"

enum { NO_DIM = -1 };

/*
 * The node at a position of the path that visits all dimensions except `but`, whose coordinate
 * stays 0.  A coordinate runs backward where the index over the slower dimensions is odd.
 */
static int64_t at(const struct ls_topology *t, int but, int64_t position)
{
	int64_t rank = 0;

	for (int d = ls_topology_dims(t) - 1; d >= 0; d--) {
		const int64_t side = ls_topology_side(t, d), before = position / side;
		const int64_t along = position % side;

		if (d == but)
			continue;
		rank += (before % 2 ? side - 1 - along : along) * lsi_topology_stride(t, d);
		position = before;
	}
	return rank;
}

int64_t lsi_snake_node(const struct ls_topology *t, int64_t position)
{
	return at(t, NO_DIM, position);
}

/* A dimension with an even side, in a grid with another one above 1; or NO_DIM. */
static int even_dim(const struct ls_topology *t)
{
	for (int d = 0; d < ls_topology_dims(t); d++)
		if (ls_topology_side(t, d) % 2 == 0 && ls_topology_side(t, d) < t->nodes)
			return d;
	return NO_DIM;
}

/*
 * The grid is one of `rows` along the even dimension and columns along the path through the others.
 * Down column 0, and back up through the other columns, row by row.
 */
static void weave(const struct ls_topology *t, int dim, int64_t *ring)
{
	const int64_t rows = ls_topology_side(t, dim), down = lsi_topology_stride(t, dim);
	const int64_t columns = t->nodes / rows;

	for (int64_t row = 0; row < rows; row++)
		*ring++ = row * down;
	for (int64_t row = rows - 1; row >= 0; row--)
		for (int64_t i = 1; i < columns; i++)
			*ring++ = row * down + at(t, dim, row % 2 ? i : columns - i);
}

bool lsi_snake_ring(const struct ls_topology *t, int64_t *ring)
{
	const int dim = even_dim(t);

	if (dim != NO_DIM) {
		weave(t, dim, ring);
		return true;
	}
	for (int64_t i = 0; i < t->nodes; i++)
		ring[i] = i;
	return t->network->grid == LSI_GRID_WRAPPED && t->degree == 2;
}
