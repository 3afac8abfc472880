/*
 * Prefix sums on the hypercube as in the textbook, dimension by dimension.
 *
 * After round i a node has two sums over its subcube of the lowest i + 1 dimensions: of all its
 * nodes, and of those up to the node itself.  The sum from the lower neighbor is the first operand.
 * The textbook puts it last, which is correct for commutative operators only.  The sum of the whole
 * cube is not needed, so the last round does not compute it.
 *
 *   rounds     log2 p
 *   messages   p log2 p, of m words
 *   cost       (t_s + t_w m) log2 p
 *   memory     two blocks
 *   requires   hypercube
 *   source     Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.9
 */
#include "collective/exchange/doubling.h"
#include "collective/prefix.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

/* Bits of a shape. */
enum { IS_UPPER = 1, BEGUN = 2, IS_FIRST = 4 };

/* In place, round 0 would write OUTPUT while it sends INPUT, so it sends a copy. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t rounds = lsi_log2_floor(problem->nodes);
	const int64_t first = rounds > 2 || problem->in_place, second = rounds > 1;

	return (struct lsi_frame){ .rounds = rounds,
		.blocks = 1,
		.has_prologue = problem->in_place,
		.scratch = { { first, first }, { second, second } } };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	(void)plan;
	out->to[0] = out->from[0] = lsi_doubling_partner(rank, round);
}

/* Whether rank 0, and no other node, has its result in this round. */
static bool begins(const struct ls_plan *plan, int64_t round)
{
	return round == 0 && plan->problem.operation == LS_SCAN;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return (lsi_doubling_is_upper(rank, round) ? IS_UPPER : 0)
		+ (rank % ((int64_t)1 << round) ? BEGUN : 0)
		+ (begins(plan, round) && rank == 0 ? IS_FIRST : 0);
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	if (round < 0)
		return 1;
	return begins(plan, round) ? plan->problem.nodes : lsi_doubling_period(round);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	for (int64_t i = 0; i < count; i++) {
		peer[i] = lsi_doubling_partner(first + i, round);
		at[i] = shape(plan, first + i, round);
	}
	return true;
}

/* The sum of a subcube with this number of dimensions. */
static struct ls_slice sum(const struct ls_plan *plan, int64_t dimensions)
{
	const bool is_input = dimensions == 0 && !plan->problem.in_place;

	return lsi_block(is_input ? LS_INPUT : LS_SCRATCH + (int)(dimensions % 2), 0);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct ls_slice mine = sum(plan, round < 0 ? 0 : round), both = sum(plan, round + 1);

	if (round < 0) {
		lsi_step_copy(step, mine, lsi_block(LS_INPUT, 0));
		return;
	}
	lsi_step_send(step, mine);
	lsi_step_receive(step, 1);
	if (at & IS_FIRST)
		lsi_prefix_first(&plan->problem, 1, step);
	if (at & IS_UPPER)
		lsi_prefix_combine(&plan->problem, 0, at & BEGUN, lsi_arrival(step), step);
	if (round + 1 == plan->frame.rounds)
		return;
	if (at & IS_UPPER)
		lsi_step_combine(step, both, lsi_arrival(step), mine);
	else
		lsi_step_combine(step, both, mine, lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = problem->topology->degree,
				  messages = lsi_mul_sat(rounds, problem->nodes);

	return lsi_equal_counts(rounds, messages, n);
}

static const struct lsi_whole_machine whole = { .period = period, .exchanges = exchanges };

const struct lsi_algorithm lsi_scan_dimension = {
	.operations = LSI_PREFIXES,
	.name = "dimension",
	.networks = "hypercube:D",
	.rounds = "log2 p",
	.bound = "log2 p with one port",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.9",
	.claim = LS_ORDERED,
	.nodup = true,
	.supports = lsi_is_hypercube,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
