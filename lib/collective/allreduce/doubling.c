/*
 * All-reduce by recursive doubling, in rank order, for any number of nodes.
 *
 * p = 2^d + x.  In the i-th of d rounds virtual ranks that differ in bit i exchange all they have
 * and add it; what they have stands for contiguous ranges of ranks, the lower range being the first
 * operand.
 *
 *   rounds     d, and two more when x > 0
 *   traffic    d 2^d + 2x messages of m elements
 *   cost       (t_s + t_w m) rounds
 *   requires   hop mode: hypercube, complete network; routed mode: any topology
 *   source     Grama, Gupta, Karypis, Kumar, section 4.3; other p: R. Thakur, R. Rabenseifner, W.
 *              Gropp, Int. J. High Perform. Comput. Appl. 19(1), 2005
 */
#include "collective/allreduce/pairs.h"
#include "collective/bound.h"

static bool supports(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED || ls_topology_is(problem->topology, &ls_network_hypercube)
		|| ls_topology_is(problem->topology, &ls_network_complete);
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	const struct ls_pairs pairs = ls_pairs(problem->nodes);
	const int values = pairs.bits + (pairs.extra > 0);
	struct ls_frame f = { .rounds = ls_pairs_rounds(pairs, pairs.bits), .blocks = 1 };

	f.lead = problem->in_place && pairs.bits == 1;
	if (values > 1 || problem->in_place)
		f.scratch[0] = (struct ls_scratch){ 1, 1 };
	if (values > 2 && problem->in_place)
		f.scratch[1] = (struct ls_scratch){ 1, 1 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_pairs pairs = ls_pairs(plan->problem.nodes);
	const int64_t i = ls_pairs_round(pairs, pairs.bits, round);

	if (i < 0)
		ls_pairs_peers(pairs, rank, round, out);
	else if (ls_pairs_role(pairs, rank) != LS_ROLE_GIVES)
		out->to[0] = out->from[0] =
			ls_pairs_node(pairs, ls_pairs_virtual(pairs, rank) ^ (int64_t)1 << i);
}

/* Twice the role, and 1 when the peer is the lower one. */
static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_pairs pairs = ls_pairs(plan->problem.nodes);
	const int64_t i = ls_pairs_round(pairs, pairs.bits, round);

	return 2 * ls_pairs_role(pairs, rank) + (i >= 0 ? ls_pairs_virtual(pairs, rank) >> i & 1 : 0);
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	const struct ls_pairs pairs = ls_pairs(plan->problem.nodes);

	return pairs.extra > 0 || round < 0 ? plan->problem.nodes : (int64_t)2 << round;
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	if (ls_pairs(plan->problem.nodes).extra > 0)
		return false;
	for (int64_t i = 0; i < count; i++) {
		peer[i] = (first + i) ^ (int64_t)1 << round;
		at[i] = 2 * LS_ROLE_ALONE + ((first + i) >> round & 1);
	}
	return true;
}

/* In place a single round would overwrite what it sends: it sends a copy. */
static bool copies(enum ls_role role, const struct ls_plan *plan)
{
	return plan->frame.lead && role == LS_ROLE_ALONE;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct ls_pairs pairs = ls_pairs(plan->problem.nodes);
	const enum ls_role role = round < 0 ? ls_pairs_role(pairs, at) : (enum ls_role)(at / 2);
	const int64_t i = ls_pairs_round(pairs, pairs.bits, round);
	const int takes = role == LS_ROLE_TAKES, values = pairs.bits + takes;
	const bool in_place = plan->problem.in_place;

	if (round < 0) {
		if (copies(role, plan))
			ls_step_copy(step, ls_one(LS_SCRATCH, 0), ls_one(LS_INPUT, 0));
		return;
	}
	if (i < 0) {
		ls_pairs_body(role, round, 1, ls_place(1, values, in_place), step);
		return;
	}
	if (role == LS_ROLE_GIVES)
		return;

	const int from = copies(role, plan) ? LS_SCRATCH : ls_place(i + takes, values, in_place);
	const int to = ls_place(i + takes + 1, values, in_place);
	const struct ls_slice mine = ls_one(from, 0), sum = ls_one(to, 0);

	ls_step_send(step, mine);
	ls_step_receive(step, 1);
	if (at % 2)
		ls_step_combine(step, sum, ls_arrival(step), mine);
	else
		ls_step_combine(step, sum, mine, ls_arrival(step));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t m = (int64_t)n;
	int64_t power = 1, d = 0;

	for (; power <= problem->nodes / 2; power *= 2)
		d++;

	const int64_t x = problem->nodes - power, rounds = d + (x > 0 ? 2 : 0);
	const int64_t messages = ls_add(ls_mul(d, power), 2 * x);

	return (struct ls_counts){ rounds, messages, ls_mul(messages, m), ls_mul(rounds, m) };
}

const struct ls_algorithm ls_allreduce_doubling = {
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER),
	.name = "doubling",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "floor(log2 p), 2 more when p is not a power of 2",
	.bound = "ceil(log2 p)",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.3, Problem 4.1",
	.claim = LS_ORDERED,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.period = period,
	.exchanges = exchanges,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
