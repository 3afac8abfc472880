/*
 * Compositions that serve every network, made of algorithms that serve every network.  They go
 * through node 0, or through an all-gather.
 *
 *   all-gather       gather to node 0, then broadcast
 *   reduce-scatter   reduce to node 0, then scatter
 *   scan, exscan, all-reduce, barrier
 *                    all-gather of the operands; each node folds the ones that it needs
 *
 * A record has the fewest rounds, but may have more volume than other all-gathers.  Where there is
 * one, the fold is offered with the cheapest all-gather, and with the cheapest one but `found`.
 *
 *   rounds     the sum over the parts
 *   requires   an algorithm for each part; chosen only where nothing else serves
 *   source     this project
 */
#include "collective/compose/compose.h"
#include "collective/round_bound.h"
#include "schedule/records.h"

enum { BY_ONE = 1, BY_ALL = LSI_LEVEL_FORM }; /* levels */

static struct lsi_part_request part_request(const struct lsi_problem *problem, int level,
	enum ls_operation operation, enum ls_claim claim, bool in_place)
{
	struct lsi_part_request request = { .problem = *problem,
		.level = level,
		.claim = claim,
		.uncut = lsi_operation_is_vector(operation),
		.every = level == BY_ALL,
		.scratches = LS_SCRATCH_BUFFERS - 1,
		.n = 1 };

	request.problem.operation = operation;
	request.problem.in_place = in_place;
	request.problem.root = 0;
	request.problem.segments = 1;
	return request;
}

static struct lsi_part *add(const struct lsi_problem *problem, struct lsi_composition *c,
	enum ls_operation operation, enum ls_claim claim, bool in_place)
{
	const struct lsi_part_request request =
		part_request(problem, BY_ONE, operation, claim, in_place);

	return lsi_compose_add(c, &request);
}

/* A part whose vector consists of all p blocks. */
static struct lsi_part *whole(struct lsi_part *part, int64_t p)
{
	if (part) {
		part->width = p;
		part->multiplied = (size_t)p;
	}
	return part;
}

static void allgather(const struct lsi_problem *problem, struct lsi_composition *c)
{
	const int64_t p = problem->nodes;
	const struct lsi_buffer_view all = lsi_buffer_view_wide(LS_OUTPUT, p);

	lsi_compose_set_views(c, add(problem, c, LS_GATHER, LS_MOVE, problem->in_place),
		lsi_buffer_view_same(LS_INPUT), lsi_buffer_view_same(LS_OUTPUT));
	lsi_compose_set_views(c, whole(add(problem, c, LS_BROADCAST, LS_MOVE, true), p), all, all);
}

static void reduce_scatter(
	const struct lsi_problem *problem, struct lsi_composition *c, enum ls_claim claim)
{
	const int64_t p = problem->nodes;
	const int buffer = lsi_compose_buffer(c, (struct lsi_scratch){ p, 1 });

	lsi_compose_set_views(c, whole(add(problem, c, LS_REDUCE, claim, false), p),
		lsi_buffer_view_wide(LS_INPUT, p), lsi_buffer_view_wide(buffer, p));
	lsi_compose_set_views(c, add(problem, c, LS_SCATTER, LS_MOVE, false),
		lsi_buffer_view_same(buffer), lsi_buffer_view_same(LS_OUTPUT));
}

static void fold_by(
	const struct lsi_problem *problem, struct lsi_composition *c, const char *without)
{
	struct lsi_part_request request = part_request(problem, BY_ALL, LS_ALLGATHER, LS_MOVE, false);
	const int buffer =
		lsi_compose_buffer(c, (struct lsi_scratch){ problem->nodes, problem->nodes });

	request.without = without;
	lsi_compose_set_views(c, lsi_compose_add(c, &request), lsi_buffer_view_same(LS_INPUT),
		lsi_buffer_view_same(buffer));
	c->folds = true;
}

static void fold(const struct lsi_problem *problem, struct lsi_composition *c)
{
	fold_by(problem, c, NULL);
}

static void fold_without_record(const struct lsi_problem *problem, struct lsi_composition *c)
{
	struct ls_request allgather_request = lsi_problem_request(problem);

	allgather_request.operation = LS_ALLGATHER;
	if (lsi_schedule_record_of(&allgather_request))
		fold_by(problem, c, "found");
	else
		c->possible = false;
}

static void ordered_reduce_scatter(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_scatter(problem, c, LS_ORDERED);
}

static void commutative_reduce_scatter(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_scatter(problem, c, LS_COMMUTATIVE);
}

LSI_COMPOSED(allgather)
LSI_COMPOSED(ordered_reduce_scatter)
LSI_COMPOSED(commutative_reduce_scatter)
LSI_COMPOSED(fold)
LSI_COMPOSED(fold_without_record)

/* Every node receives all operands but its own, over its ports. */
static struct ls_counts fold_predict_least(const struct lsi_problem *problem, size_t n)
{
	return (struct ls_counts){ lsi_round_lower_bound(problem), 0, 0,
		lsi_mul_sat((problem->nodes - 1) / problem->ports, (int64_t)n) };
}

#define FALLBACK(compose, called, ops, formula, claims, height) \
	{ \
		.operations = ops, .name = called, .networks = "any", .rounds = formula, \
		.bound = LSI_ROUND_BOUND, .source = "this project", .claim = claims, .identical = true, \
		.general = true, .level = height, .lower_bound = lsi_round_lower_bound, \
		LSI_COMPOSED_FUNCTIONS(compose) \
	}

const struct lsi_algorithm lsi_allgather_gather_broadcast = FALLBACK(
	allgather, "gather-broadcast", LSI_FOR(LS_ALLGATHER), "gather + broadcast", LS_MOVE, BY_ONE);
const struct lsi_algorithm lsi_reduce_scatter_reduce_then_scatter_ordered =
	FALLBACK(ordered_reduce_scatter, "reduce-then-scatter", LSI_FOR(LS_REDUCE_SCATTER),
		"reduce + scatter", LS_ORDERED, BY_ONE);
const struct lsi_algorithm lsi_reduce_scatter_reduce_then_scatter =
	FALLBACK(commutative_reduce_scatter, "reduce-then-scatter", LSI_FOR(LS_REDUCE_SCATTER),
		"reduce + scatter", LS_COMMUTATIVE, BY_ONE);
#define FOLD(compose) \
	{ \
		.operations = \
			LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN) | LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER), \
		.name = "allgather-fold", .networks = "any", .rounds = "all-gather", \
		.bound = LSI_ROUND_BOUND, .source = "this project", .claim = LS_ORDERED, \
		.identical = true, .general = true, .level = BY_ALL, .lower_bound = lsi_round_lower_bound, \
		.predict_least = fold_predict_least, LSI_COMPOSED_FUNCTIONS(compose) \
	}

const struct lsi_algorithm lsi_scan_allgather_fold = FOLD(fold);
const struct lsi_algorithm lsi_scan_allgather_fold_without_record = FOLD(fold_without_record);
