#include "draw/routed_arrows.h"

#include <math.h>

#include "base/alloc.h"
#include "draw/geometry.h"
#include "topology/topology_internal.h"

enum {
	PAST_SWITCH = 11,                /* px from a link to the first lane, so that no switch .. */
	PAST_NODE = 19,                  /* .. or node is touched */
	LANE = 6,                        /* px from lane to lane */
	LANES = 8,                       /* more arrows share them */
	WIDEST_END = LSI_RADIUS * 4 / 5, /* px from the middle of a node to a tail or tip, across */
	FARTHEST_CORNER = 2,             /* distances of the lane */
	END_GAP = 2
};

bool lsi_lanes_make(
	struct lsi_lanes *lanes, const struct lsi_subject *s, const struct lsi_layout *layout)
{
	const bool has_switches = s->vertices > s->nodes;
	const bool has_routes = layout && layout->shows_routes && layout->shows_routes(s->topology)
		&& s->drawing->mode == LS_ROUTED;

	*lanes = (struct lsi_lanes){ .topology = s->topology,
		.degree = ls_topology_degree(s->topology),
		.first = has_switches ? PAST_SWITCH : PAST_NODE,
		.returns = has_switches };
	if (s->whole || !(has_switches || has_routes))
		return true;
	lanes->used = lsi_alloc_zero((size_t)s->vertices * (size_t)lanes->degree, sizeof *lanes->used);
	return lanes->used != NULL;
}

/* The hops of a route, and its lane: the first one that is free on all its links, or on most. */
static int64_t count_hops(const struct lsi_lanes *lanes, struct lsi_route_ends ends, int *lane)
{
	struct lsi_route route = lsi_route_begin(ends.src, ends.dst);
	int64_t hops = 0, taken[LANES] = { 0 };

	for (; lsi_route_hop(lanes->topology, &route); hops++)
		for (int i = 0; i < LANES; i++)
			taken[i] += lanes->used[route.from * lanes->degree + route.link] >> i & 1;
	*lane = 0;
	for (int i = 1; i < LANES; i++)
		if (taken[i] < taken[*lane])
			*lane = i;
	return hops;
}

/* A line with a point and a direction of length 1. */
struct ray {
	struct lsi_point at, direction;
};

/* The line from a to b, moved to its right. */
static struct ray beside(struct lsi_point a, struct lsi_point b, double distance)
{
	const struct lsi_point direction = lsi_point_unit(lsi_point_sub(b, a));

	return (struct ray){ lsi_point_sub(a, lsi_point_scale(lsi_point_left(direction), distance)),
		direction };
}

/*
 * Where two lines beside the vertex `at` meet, but not far from it, as outside of a sharp angle; of
 * parallel lines, the begin of the second.
 */
static struct lsi_point meet(struct ray a, struct ray b, struct lsi_point at, double farthest)
{
	const double cross = a.direction.x * b.direction.y - a.direction.y * b.direction.x;
	const struct lsi_point gap = lsi_point_sub(b.at, a.at);

	if (fabs(cross) < 1e-3)
		return b.at;

	const double along = (gap.x * b.direction.y - gap.y * b.direction.x) / cross;
	const struct lsi_point corner =
		lsi_point_sub(lsi_point_add(a.at, lsi_point_scale(a.direction, along)), at);

	return lsi_point_add(at, lsi_point_scale(corner, fmin(1, farthest / lsi_point_length(corner))));
}

/*
 * The corners between two lines beside the vertex where the second one begins: one, or two around
 * the outside of a sharp angle, so that a node there stays clear.  Returns their number.
 */
static int join(const struct lsi_lanes *lanes, struct ray a, struct ray b, double distance,
	struct lsi_point corner[2])
{
	const struct lsi_point at =
		lsi_point_add(b.at, lsi_point_scale(lsi_point_left(b.direction), distance));
	const struct lsi_point way = lsi_point_sub(meet(a, b, at, INFINITY), at);

	if (lanes->returns || lsi_point_length(way) <= FARTHEST_CORNER * distance
		|| way.x * a.direction.x + way.y * a.direction.y < 0) {
		corner[0] = meet(a, b, at, FARTHEST_CORNER * distance);
		return 1;
	}
	corner[0] = lsi_point_add(
		at, lsi_point_scale(lsi_point_sub(a.direction, lsi_point_left(a.direction)), distance));
	corner[1] = lsi_point_sub(b.at, lsi_point_scale(b.direction, distance));
	return 2;
}

/* Where an arrow touches the circle around a node: `across` is negative at its tail. */
static struct lsi_point end_at(
	struct lsi_point node, struct lsi_point direction, double distance, double side)
{
	const double across = fmin(distance, WIDEST_END), radius = LSI_RADIUS + END_GAP;

	return lsi_point_add(node,
		lsi_point_sub(lsi_point_scale(direction, side * sqrt(radius * radius - across * across)),
			lsi_point_scale(lsi_point_left(direction), across)));
}

void lsi_follow_route(struct lsi_scene *scene, struct lsi_lanes *lanes,
	const struct lsi_point *place, struct lsi_element *arrow, struct lsi_route_ends ends)
{
	int lane, corners = 0;
	const int64_t hops = count_hops(lanes, ends, &lane);
	const double distance = lanes->first + LANE * lane;
	struct lsi_point *corner = lsi_arena_take(&scene->arena, 2 * (size_t)hops, sizeof *corner);
	struct lsi_route route = lsi_route_begin(ends.src, ends.dst);
	struct ray last = { { 0, 0 }, { 0, 0 } };

	if (!corner) {
		scene->no_memory = true;
		return;
	}
	arrow->curved = false;
	arrow->points = corner;
	for (int64_t i = 0; lsi_route_hop(lanes->topology, &route); i++) {
		const struct ray ray = beside(place[route.from], place[route.at], distance);

		if (i > 0)
			corners += join(lanes, last, ray, distance, corner + corners);
		else
			arrow->from = end_at(place[ends.src], ray.direction, distance, 1);
		lanes->used[route.from * lanes->degree + route.link] |= 1u << lane;
		last = ray;
	}
	arrow->n_points = corners;
	arrow->to = end_at(place[ends.dst], last.direction, distance, -1);
}
