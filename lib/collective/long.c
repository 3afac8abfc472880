/*
 * Long messages: a vector is cut into p blocks, one for each node, and moves in pieces (Grama,
 * Gupta, Karypis, Kumar 2003, section 4.7; equation 10 of the slides; van de Geijn 1994;
 * Rabenseifner 2004).
 *
 *   broadcast    scatter, then all-gather
 *   reduce       reduce-scatter, then gather
 *   all-reduce   reduce-scatter, then all-gather
 *
 * Rounds add; a message of m words becomes p of m/p.
 */
#include "collective/bound.h"
#include "collective/compose.h"

enum { LONG = 1 << 14 };              /* parts are chosen for blocks of so many elements */

static struct ls_part *add(const struct ls_problem *problem, struct ls_composition *c,
	enum ls_operation operation, enum ls_claim claim, bool in_place)
{
	struct ls_wish wish = { .problem = *problem,
		.level = LS_LEVEL_FORM,
		.claim = claim,
		.particular = true,
		.scratches = LS_SCRATCHES - 1,
		.n = LONG };
	struct ls_part *part;

	wish.problem.operation = operation;
	wish.problem.in_place = in_place;
	wish.problem.segments = 1;
	part = ls_compose_add(c, &wish);
	if (part)
		part->divided = (size_t)problem->nodes;
	return part;
}

static void broadcast(const struct ls_problem *problem, struct ls_composition *c)
{
	const struct ls_seat own = ls_seat_own(LS_OUTPUT, 1), all = ls_seat_same(LS_OUTPUT);

	ls_compose_seat(c, add(problem, c, LS_SCATTER, LS_MOVE, problem->in_place),
		ls_seat_same(LS_INPUT), own);
	ls_compose_seat(c, add(problem, c, LS_ALLGATHER, LS_MOVE, true), own, all);
}

static void reduce(const struct ls_problem *problem, struct ls_composition *c, enum ls_claim claim)
{
	const int buffer = ls_compose_buffer(c, (struct ls_scratch){ problem->nodes, 1 });
	const struct ls_seat own = ls_seat_own(buffer, 1);

	ls_compose_seat(c, add(problem, c, LS_REDUCE_SCATTER, claim, false),
		ls_seat_same(LS_INPUT), own);
	ls_compose_seat(c, add(problem, c, LS_GATHER, LS_MOVE, false),
		own, ls_seat_same(LS_OUTPUT));
}

static void allreduce(
	const struct ls_problem *problem, struct ls_composition *c, enum ls_claim claim)
{
	const struct ls_seat own = ls_seat_own(LS_OUTPUT, 1);

	ls_compose_seat(c, add(problem, c, LS_REDUCE_SCATTER, claim, problem->in_place),
		ls_seat_same(LS_INPUT), own);
	ls_compose_seat(c, add(problem, c, LS_ALLGATHER, LS_MOVE, true),
		own, ls_seat_same(LS_OUTPUT));
}

static void ordered_reduce(const struct ls_problem *problem, struct ls_composition *c)
{
	reduce(problem, c, LS_ORDERED);
}

static void commutative_reduce(const struct ls_problem *problem, struct ls_composition *c)
{
	reduce(problem, c, LS_COMMUTATIVE);
}

static void ordered_allreduce(const struct ls_problem *problem, struct ls_composition *c)
{
	allreduce(problem, c, LS_ORDERED);
}

static void commutative_allreduce(const struct ls_problem *problem, struct ls_composition *c)
{
	allreduce(problem, c, LS_COMMUTATIVE);
}

LS_COMPOSED(broadcast)
LS_COMPOSED(ordered_reduce)
LS_COMPOSED(commutative_reduce)
LS_COMPOSED(ordered_allreduce)
LS_COMPOSED(commutative_allreduce)

#define FORM(compose, called, operation, formula, claims) \
	{ \
		.operations = LS_FOR(operation), \
		.name = called, \
		.networks = "any with algorithms of its own for both parts", \
		.rounds = formula, \
		.bound = "diameter, ceil(log2 p)", \
		.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.7", \
		.claim = claims, \
		.identical = true, \
		.level = LS_LEVEL_FORM, \
		.lower_bound = ls_lower_bound, \
		LS_COMPOSED_FUNCTIONS(compose) \
	}

const struct ls_algorithm ls_broadcast_scatter_allgather =
	FORM(broadcast, "scatter-allgather", LS_BROADCAST, "scatter + all-gather", LS_MOVE);
const struct ls_algorithm ls_reduce_reduce_scatter_gather_ordered =
	FORM(ordered_reduce, "reduce-scatter-gather", LS_REDUCE, "reduce-scatter + gather", LS_ORDERED);
const struct ls_algorithm ls_reduce_reduce_scatter_gather = FORM(commutative_reduce,
	"reduce-scatter-gather", LS_REDUCE, "reduce-scatter + gather", LS_COMMUTATIVE);
const struct ls_algorithm ls_allreduce_reduce_scatter_allgather_ordered = FORM(ordered_allreduce,
	"reduce-scatter-allgather", LS_ALLREDUCE, "reduce-scatter + all-gather", LS_ORDERED);
const struct ls_algorithm ls_allreduce_reduce_scatter_allgather = FORM(commutative_allreduce,
	"reduce-scatter-allgather", LS_ALLREDUCE, "reduce-scatter + all-gather", LS_COMMUTATIVE);
