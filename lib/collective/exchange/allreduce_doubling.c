/*
 * All-reduce by recursive doubling, in rank order, for any number of nodes.
 *
 * Let p = 2^d + x.  The x extra nodes form pairs with others (pairs.h).  In the i-th of d rounds
 * the virtual ranks that differ in bit i exchange their sums and add them (doubling.h).  A sum
 * stands for a contiguous range of ranks, and the lower range is the first operand.
 *
 *   rounds     d, and two more if x > 0
 *   traffic    d 2^d + 2x messages of m elements
 *   cost       (t_s + t_w m) rounds
 *   memory     one block; in place two
 *   requires   hop mode: hypercube, complete network; routed mode: any topology
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.3; other p: R. Thakur, R. Rabenseifner,
 *              W. Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005
 */
#include "collective/exchange/doubling.h"
#include "collective/exchange/pairs.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const struct lsi_pairs pairs = lsi_pairs_of(problem->nodes);
	const int values = pairs.bits + (pairs.extra > 0);
	struct lsi_frame f = { .rounds = lsi_pairs_rounds(pairs, pairs.bits), .blocks = 1 };

	f.has_prologue = problem->in_place && pairs.bits == 1;
	if (values > 1 || problem->in_place)
		f.scratch[0] = (struct lsi_scratch){ 1, 1 };
	if (values > 2 && problem->in_place)
		f.scratch[1] = (struct lsi_scratch){ 1, 1 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);
	const int64_t i = lsi_pairs_round(pairs, pairs.bits, round);

	if (i < 0)
		lsi_pairs_peers(pairs, rank, round, out);
	else if (lsi_pairs_role(pairs, rank) != LSI_ROLE_SENDS)
		out->to[0] = out->from[0] =
			lsi_pairs_node(pairs, lsi_doubling_partner(lsi_pairs_virtual(pairs, rank), i));
}

/* A shape: the role, and whether the node is the upper one of its pair. */
static int64_t shape_of(enum lsi_role role, bool is_upper)
{
	return 2 * role + is_upper;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);
	const int64_t i = lsi_pairs_round(pairs, pairs.bits, round);

	return shape_of(lsi_pairs_role(pairs, rank),
		i >= 0 && lsi_doubling_is_upper(lsi_pairs_virtual(pairs, rank), i));
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);

	return pairs.extra > 0 || round < 0 ? plan->problem.nodes : lsi_doubling_period(round);
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *shape)
{
	if (lsi_pairs_of(plan->problem.nodes).extra > 0)
		return false;
	for (int64_t i = 0; i < count; i++) {
		peer[i] = lsi_doubling_partner(first + i, round);
		shape[i] = shape_of(LSI_ROLE_ALONE, lsi_doubling_is_upper(first + i, round));
	}
	return true;
}

/* In place a single round would overwrite the block that it sends, so it sends a copy. */
static bool copies(enum lsi_role role, const struct ls_plan *plan)
{
	return plan->frame.has_prologue && role == LSI_ROLE_ALONE;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);
	const enum lsi_role role = round < 0 ? lsi_pairs_role(pairs, at) : (enum lsi_role)(at / 2);
	const int64_t i = lsi_pairs_round(pairs, pairs.bits, round);
	const int added = role == LSI_ROLE_RECEIVES, values = pairs.bits + added;
	const bool in_place = plan->problem.in_place;

	if (round < 0) {
		if (copies(role, plan))
			lsi_step_copy(step, lsi_block(LS_SCRATCH, 0), lsi_block(LS_INPUT, 0));
		return;
	}
	if (i < 0) {
		lsi_pairs_body(role, round, 1, lsi_alternating_buffer(1, values, in_place), step);
		return;
	}
	if (role == LSI_ROLE_SENDS)
		return;

	const int from =
		copies(role, plan) ? LS_SCRATCH : lsi_alternating_buffer(i + added, values, in_place);
	const int to = lsi_alternating_buffer(i + added + 1, values, in_place);
	const struct ls_slice mine = lsi_block(from, 0), sum = lsi_block(to, 0);

	lsi_step_send(step, mine);
	lsi_step_receive(step, 1);
	if (at % 2)
		lsi_step_combine(step, sum, lsi_arrival(step), mine);
	else
		lsi_step_combine(step, sum, mine, lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t power = 1, d = 0;

	for (; power <= problem->nodes / 2; power *= 2)
		d++;

	const int64_t x = problem->nodes - power, rounds = d + (x > 0 ? 2 : 0);
	const int64_t messages = lsi_add_sat(lsi_mul_sat(d, power), 2 * x);

	return lsi_equal_counts(rounds, messages, n);
}

static const struct lsi_whole_machine whole = { .period = period, .exchanges = exchanges };

const struct lsi_algorithm lsi_allreduce_doubling = {
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.name = "doubling",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "floor(log2 p), plus 2 if p is not a power of 2",
	.bound = "ceil(log2 p) with one port",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.3, Problem 4.1",
	.claim = LS_ORDERED,
	.identical = true,
	.supports = lsi_reaches_across_bits,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
