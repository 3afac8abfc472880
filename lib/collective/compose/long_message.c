/*
 * Long messages: the vector is cut into p blocks, one per node, and moves in pieces.
 *
 *   broadcast    scatter, then all-gather
 *   reduce       reduce-scatter, then gather
 *   all-reduce   reduce-scatter, then all-gather
 *
 *   rounds     the sum over the parts
 *   traffic    a message of m words becomes p messages of m/p words
 *   requires   an algorithm for this network for each part; `matchings` serves any network without
 *              switches: its all-gather and reduce-scatter are those of allgather_matchings.c
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.7; their slides to chapter 4,
 *              "Basic Communication Operations", equation (10);
 *              R. van de Geijn 1994; R. Rabenseifner 2004
 */
#include "collective/compose/compose.h"
#include "collective/round_bound.h"

enum { LONG = 1 << 14 }; /* parts are chosen for blocks of this number of elements */

/* On any network: exchanges of all nodes by matchings, trees by any algorithm. */
static const char matchings[] = "matchings";

static bool is_exchange(enum ls_operation operation)
{
	return operation == LS_ALLGATHER || operation == LS_REDUCE_SCATTER;
}

/* `name` NULL: an algorithm made for this network. */
static struct lsi_part *add(const struct lsi_problem *problem, struct lsi_composition *c,
	enum ls_operation operation, enum ls_claim claim, bool in_place, const char *name)
{
	struct lsi_part_request request = { .problem = *problem,
		.level = LSI_LEVEL_FORM,
		.claim = claim,
		.name = is_exchange(operation) ? name : NULL,
		.particular = !name,
		.every = name != NULL,
		.scratches = LS_SCRATCH_BUFFERS - 1,
		.n = LONG };
	struct lsi_part *part;

	request.problem.operation = operation;
	request.problem.in_place = in_place;
	request.problem.segments = 1;
	part = lsi_compose_add(c, &request);
	if (part)
		part->divided = (size_t)problem->nodes;
	return part;
}

static void broadcast_by(
	const struct lsi_problem *problem, struct lsi_composition *c, const char *name)
{
	const struct lsi_buffer_view own = lsi_buffer_view_own(LS_OUTPUT, 1),
								 all = lsi_buffer_view_same(LS_OUTPUT);

	lsi_compose_set_views(c, add(problem, c, LS_SCATTER, LS_MOVE, problem->in_place, name),
		lsi_buffer_view_same(LS_INPUT), own);
	lsi_compose_set_views(c, add(problem, c, LS_ALLGATHER, LS_MOVE, true, name), own, all);
}

static void reduce_by(const struct lsi_problem *problem, struct lsi_composition *c,
	enum ls_claim claim, const char *name)
{
	const int buffer = lsi_compose_buffer(c, (struct lsi_scratch){ problem->nodes, 1 });
	const struct lsi_buffer_view own = lsi_buffer_view_own(buffer, 1);

	lsi_compose_set_views(c, add(problem, c, LS_REDUCE_SCATTER, claim, false, name),
		lsi_buffer_view_same(LS_INPUT), own);
	lsi_compose_set_views(
		c, add(problem, c, LS_GATHER, LS_MOVE, false, name), own, lsi_buffer_view_same(LS_OUTPUT));
}

static void allreduce_by(const struct lsi_problem *problem, struct lsi_composition *c,
	enum ls_claim claim, const char *name)
{
	const struct lsi_buffer_view own = lsi_buffer_view_own(LS_OUTPUT, 1);

	lsi_compose_set_views(c, add(problem, c, LS_REDUCE_SCATTER, claim, problem->in_place, name),
		lsi_buffer_view_same(LS_INPUT), own);
	lsi_compose_set_views(c, add(problem, c, LS_ALLGATHER, LS_MOVE, true, name), own,
		lsi_buffer_view_same(LS_OUTPUT));
}

static void broadcast(const struct lsi_problem *problem, struct lsi_composition *c)
{
	broadcast_by(problem, c, NULL);
}

static void ordered_reduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_by(problem, c, LS_ORDERED, NULL);
}

static void commutative_reduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_by(problem, c, LS_COMMUTATIVE, NULL);
}

static void ordered_allreduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	allreduce_by(problem, c, LS_ORDERED, NULL);
}

static void commutative_allreduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	allreduce_by(problem, c, LS_COMMUTATIVE, NULL);
}

static void broadcast_matchings(const struct lsi_problem *problem, struct lsi_composition *c)
{
	broadcast_by(problem, c, matchings);
}

static void reduce_matchings(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_by(problem, c, LS_COMMUTATIVE, matchings);
}

static void allreduce_matchings(const struct lsi_problem *problem, struct lsi_composition *c)
{
	allreduce_by(problem, c, LS_COMMUTATIVE, matchings);
}

LSI_COMPOSED(broadcast)
LSI_COMPOSED(ordered_reduce)
LSI_COMPOSED(commutative_reduce)
LSI_COMPOSED(ordered_allreduce)
LSI_COMPOSED(commutative_allreduce)
LSI_COMPOSED(broadcast_matchings)
LSI_COMPOSED(reduce_matchings)
LSI_COMPOSED(allreduce_matchings)

/* Two parts; every node moves p - 1 blocks in an exchange, the root in the other part, by port. */
static struct ls_counts matchings_predict_least(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, others = p - 1, length = (int64_t)n / p;
	const bool twice = problem->operation == LS_ALLREDUCE;
	const int64_t blocks = others + (twice ? others : others / problem->ports);

	return (struct ls_counts){ others + (twice ? others : 1), 0, 0, lsi_mul_sat(blocks, length) };
}

#define FORM(compose, called, operation, formula, claims) \
	{ \
		.operations = LSI_FOR(operation), .name = called, \
		.networks = "any network with its own algorithms for both parts", .rounds = formula, \
		.bound = LSI_ROUND_BOUND, .source = "Grama, Gupta, Karypis, Kumar 2003, section 4.7", \
		.claim = claims, .identical = true, .level = LSI_LEVEL_FORM, \
		.lower_bound = lsi_round_lower_bound, LSI_COMPOSED_FUNCTIONS(compose) \
	}

const struct lsi_algorithm lsi_broadcast_scatter_allgather =
	FORM(broadcast, "scatter-allgather", LS_BROADCAST, "scatter + all-gather", LS_MOVE);
const struct lsi_algorithm lsi_reduce_reduce_scatter_gather_ordered =
	FORM(ordered_reduce, "reduce-scatter-gather", LS_REDUCE, "reduce-scatter + gather", LS_ORDERED);
const struct lsi_algorithm lsi_reduce_reduce_scatter_gather = FORM(commutative_reduce,
	"reduce-scatter-gather", LS_REDUCE, "reduce-scatter + gather", LS_COMMUTATIVE);
const struct lsi_algorithm lsi_allreduce_reduce_scatter_allgather_ordered = FORM(ordered_allreduce,
	"reduce-scatter-allgather", LS_ALLREDUCE, "reduce-scatter + all-gather", LS_ORDERED);
const struct lsi_algorithm lsi_allreduce_reduce_scatter_allgather = FORM(commutative_allreduce,
	"reduce-scatter-allgather", LS_ALLREDUCE, "reduce-scatter + all-gather", LS_COMMUTATIVE);

#define MATCHINGS(compose, operation, formula, claims) \
	{ \
		.operations = LSI_FOR(operation), .name = matchings, \
		.networks = "any network without switches, in hop mode", .rounds = formula, \
		.bound = LSI_ROUND_BOUND, .source = "greedy matchings, after TACOS: Won et al. 2024", \
		.claim = claims, .identical = true, .general = true, .level = LSI_LEVEL_FORM, \
		.lower_bound = lsi_round_lower_bound, .predict_least = matchings_predict_least, \
		LSI_COMPOSED_FUNCTIONS(compose) \
	}

const struct lsi_algorithm lsi_broadcast_matchings =
	MATCHINGS(broadcast_matchings, LS_BROADCAST, "scatter + all-gather by matchings", LS_MOVE);
const struct lsi_algorithm lsi_reduce_matchings =
	MATCHINGS(reduce_matchings, LS_REDUCE, "reduce-scatter by matchings + gather", LS_COMMUTATIVE);
const struct lsi_algorithm lsi_allreduce_matchings = MATCHINGS(
	allreduce_matchings, LS_ALLREDUCE, "reduce-scatter + all-gather by matchings", LS_COMMUTATIVE);
