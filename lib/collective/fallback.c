/*
 * What serves every network, made of what serves every network: by way of one node, or by way of
 * all.
 *
 *   all-gather       gather to node 0, then broadcast
 *   reduce-scatter   reduce to node 0, then scatter
 *   scan, exscan     all-gather of the operands; each node folds those that it needs
 */
#include "collective/bound.h"
#include "collective/compose.h"

enum { BY_ONE = 1, BY_ALL = LS_LEVEL_FORM };      /* levels */

static struct ls_part *add(const struct ls_problem *problem, struct ls_composition *c, int level,
	enum ls_operation operation, enum ls_claim claim, bool in_place)
{
	struct ls_wish wish = { .problem = *problem, .level = level, .claim = claim, .uncut = ls_operation_is_vector(operation),
		.scratches = LS_SCRATCHES - 1, .n = 1 };

	wish.problem.operation = operation;
	wish.problem.in_place = in_place;
	wish.problem.root = 0;
	wish.problem.segments = 1;
	return ls_compose_add(c, &wish);
}

/* A part whose vector is all p blocks. */
static struct ls_part *whole(struct ls_part *part, int64_t p)
{
	if (part) {
		part->width = p;
		part->multiplied = (size_t)p;
	}
	return part;
}

static void allgather(const struct ls_problem *problem, struct ls_composition *c)
{
	const int64_t p = problem->nodes;
	const struct ls_seat all = ls_seat_wide(LS_OUTPUT, p);

	ls_compose_seat(c, add(problem, c, BY_ONE, LS_GATHER, LS_MOVE, problem->in_place),
		ls_seat_same(LS_INPUT), ls_seat_same(LS_OUTPUT));
	ls_compose_seat(c, whole(add(problem, c, BY_ONE, LS_BROADCAST, LS_MOVE, true), p),
		all, all);
}

static void reduce_scatter(
	const struct ls_problem *problem, struct ls_composition *c, enum ls_claim claim)
{
	const int64_t p = problem->nodes;
	const int buffer = ls_compose_buffer(c, (struct ls_scratch){ p, 1 });

	ls_compose_seat(c, whole(add(problem, c, BY_ONE, LS_REDUCE, claim, false), p),
		ls_seat_wide(LS_INPUT, p), ls_seat_wide(buffer, p));
	ls_compose_seat(c, add(problem, c, BY_ONE, LS_SCATTER, LS_MOVE, false),
		ls_seat_same(buffer), ls_seat_same(LS_OUTPUT));
}

static void scan(const struct ls_problem *problem, struct ls_composition *c)
{
	const int buffer = ls_compose_buffer(c, (struct ls_scratch){ problem->nodes, problem->nodes });

	ls_compose_seat(c, add(problem, c, BY_ALL, LS_ALLGATHER, LS_MOVE, false),
		ls_seat_same(LS_INPUT), ls_seat_same(buffer));
	c->folds = true;
}

static void ordered_reduce_scatter(const struct ls_problem *problem, struct ls_composition *c)
{
	reduce_scatter(problem, c, LS_ORDERED);
}

static void commutative_reduce_scatter(const struct ls_problem *problem, struct ls_composition *c)
{
	reduce_scatter(problem, c, LS_COMMUTATIVE);
}

LS_COMPOSED(allgather)
LS_COMPOSED(ordered_reduce_scatter)
LS_COMPOSED(commutative_reduce_scatter)
LS_COMPOSED(scan)

#define FALLBACK(compose, called, ops, formula, claims, height) \
	{ \
		.operations = ops, \
		.name = called, \
		.networks = "any", \
		.rounds = formula, \
		.bound = "diameter, ceil(log2 p)", \
		.source = "this project", \
		.claim = claims, \
		.identical = true, \
		.general = true, \
		.level = height, \
		.lower_bound = ls_lower_bound, \
		LS_COMPOSED_FUNCTIONS(compose) \
	}

const struct ls_algorithm ls_allgather_gather_broadcast = FALLBACK(
	allgather, "gather-broadcast", LS_FOR(LS_ALLGATHER), "gather + broadcast", LS_MOVE, BY_ONE);
const struct ls_algorithm ls_reduce_scatter_reduce_then_scatter_ordered = FALLBACK(
	ordered_reduce_scatter, "reduce-then-scatter", LS_FOR(LS_REDUCE_SCATTER), "reduce + scatter",
	LS_ORDERED, BY_ONE);
const struct ls_algorithm ls_reduce_scatter_reduce_then_scatter = FALLBACK(
	commutative_reduce_scatter, "reduce-then-scatter", LS_FOR(LS_REDUCE_SCATTER),
	"reduce + scatter", LS_COMMUTATIVE, BY_ONE);
const struct ls_algorithm ls_scan_allgather_fold = FALLBACK(scan, "allgather-fold",
	LS_FOR(LS_SCAN) | LS_FOR(LS_EXSCAN), "those of the all-gather", LS_ORDERED, BY_ALL);
