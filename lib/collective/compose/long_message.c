/*
 * Long messages: the vector is cut into p blocks, one per node, and moves in pieces.
 *
 *   broadcast    scatter, then all-gather
 *   reduce       reduce-scatter, then gather
 *   all-reduce   reduce-scatter, then all-gather
 *
 *   rounds     the sum over the parts
 *   traffic    a message of m words becomes p messages of m/p words
 *   requires   an algorithm for this network for each part; the all-reduce `matchings` serves any
 *              network without switches: its parts are those of allgather_matchings.c
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.7; their slides to chapter 4,
 *              "Basic Communication Operations", equation (10);
 *              R. van de Geijn 1994; R. Rabenseifner 2004
 */
#include "collective/compose/compose.h"
#include "collective/matching/block_matchings.h"
#include "collective/round_bound.h"

enum { LONG = 1 << 14 }; /* parts are chosen for blocks of this number of elements */

static const char matchings[] = "matchings";

/* `name` NULL: an algorithm made for this network, of one segment. */
static struct lsi_part *add(const struct lsi_problem *problem, struct lsi_composition *c,
	enum ls_operation operation, enum ls_claim claim, bool in_place, const char *name)
{
	struct lsi_part_request request = { .problem = *problem,
		.level = LSI_LEVEL_FORM,
		.claim = claim,
		.name = name,
		.particular = !name,
		.every = name != NULL,
		.scratches = LS_SCRATCH_BUFFERS - 1,
		.n = LONG };
	struct lsi_part *part;

	request.problem.operation = operation;
	request.problem.in_place = in_place;
	request.problem.segments = name ? problem->segments : 1;
	part = lsi_compose_add(c, &request);
	if (part)
		part->divided = (size_t)problem->nodes;
	return part;
}

static void broadcast(const struct lsi_problem *problem, struct lsi_composition *c)
{
	const struct lsi_buffer_view own = lsi_buffer_view_own(LS_OUTPUT, 1),
								 all = lsi_buffer_view_same(LS_OUTPUT);

	lsi_compose_set_views(c, add(problem, c, LS_SCATTER, LS_MOVE, problem->in_place, NULL),
		lsi_buffer_view_same(LS_INPUT), own);
	lsi_compose_set_views(c, add(problem, c, LS_ALLGATHER, LS_MOVE, true, NULL), own, all);
}

static void reduce_by(
	const struct lsi_problem *problem, struct lsi_composition *c, enum ls_claim claim)
{
	const int buffer = lsi_compose_buffer(c, (struct lsi_scratch){ problem->nodes, 1 });
	const struct lsi_buffer_view own = lsi_buffer_view_own(buffer, 1);

	lsi_compose_set_views(c, add(problem, c, LS_REDUCE_SCATTER, claim, false, NULL),
		lsi_buffer_view_same(LS_INPUT), own);
	lsi_compose_set_views(
		c, add(problem, c, LS_GATHER, LS_MOVE, false, NULL), own, lsi_buffer_view_same(LS_OUTPUT));
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

static void ordered_reduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_by(problem, c, LS_ORDERED);
}

static void commutative_reduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	reduce_by(problem, c, LS_COMMUTATIVE);
}

static void ordered_allreduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	allreduce_by(problem, c, LS_ORDERED, NULL);
}

static void commutative_allreduce(const struct lsi_problem *problem, struct lsi_composition *c)
{
	allreduce_by(problem, c, LS_COMMUTATIVE, NULL);
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
LSI_COMPOSED(allreduce_matchings)

/* Both parts move p - 1 blocks. */
static struct ls_counts matchings_predict_least(const struct lsi_problem *problem, size_t n)
{
	const struct ls_counts part = lsi_block_predict_least(problem, n, n / (size_t)problem->nodes);

	return (struct ls_counts){ 2 * part.rounds, 0, 0, lsi_mul_sat(2, part.volume) };
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

const struct lsi_algorithm lsi_allreduce_matchings = {
	.operations = LSI_FOR(LS_ALLREDUCE),
	.name = matchings,
	.networks = "any network without switches, in hop mode",
	.rounds = "reduce-scatter + all-gather by matchings",
	.bound = LSI_ROUND_BOUND,
	.source = "greedy matchings, after TACOS: Won et al. 2024",
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.general = true,
	.level = LSI_LEVEL_FORM,
	.lower_bound = lsi_round_lower_bound,
	.predict_least = matchings_predict_least,
	LSI_COMPOSED_FUNCTIONS(allreduce_matchings),
};
