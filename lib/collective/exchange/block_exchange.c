#include "collective/exchange/block_exchange.h"

static bool adds(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_REDUCE_SCATTER;
}

struct lsi_frame lsi_block_exchange_frame(
	const struct lsi_problem *problem, int64_t rounds, int64_t slots)
{
	struct lsi_frame frame = { .rounds = rounds, .blocks = problem->nodes };

	if (problem->operation == LS_REDUCE_SCATTER && problem->nodes > 2)
		frame.scratch[0] = (struct lsi_scratch){ slots, 1 };
	return frame;
}

/* One or two. */
static int ports_in_use(const struct lsi_problem *problem)
{
	return problem->ports < 2 ? 1 : 2;
}

/* The round of the all-gather that a round performs or reverses. */
static int64_t round_of(const struct ls_plan *plan, int64_t round)
{
	return adds(plan) ? plan->frame.rounds - 1 - round : round;
}

void lsi_block_exchange_peers(const struct ls_plan *plan, lsi_block_exchange_at *exchange,
	int64_t rank, int64_t round, struct lsi_peers *out)
{
	for (int q = 0; q < ports_in_use(&plan->problem); q++) {
		const struct lsi_block_exchange e = exchange(plan, rank, round_of(plan, round), q);

		out->to[q] = adds(plan) ? e.from : e.to;
		out->from[q] = adds(plan) ? e.to : e.from;
	}
}

/* The same blocks in another buffer; only numbers of scratch 0 may run past p. */
static struct ls_slice in(const struct ls_plan *plan, int buffer, struct ls_slice slice)
{
	slice.buffer = (uint8_t)buffer;
	if (buffer != LS_SCRATCH)
		slice.first %= plan->problem.nodes;
	return slice;
}

static void spread(const struct ls_plan *plan, const struct lsi_block_exchange *e, int q,
	bool first, struct ls_step *step)
{
	if (e->to != LS_NO_RANK)
		lsi_step_send_on(step, q, first ? lsi_block(LS_INPUT, 0) : in(plan, LS_OUTPUT, e->sends));
	if (e->from == LS_NO_RANK)
		return;
	lsi_step_receive_on(step, q, ls_slice_blocks(&e->receives));
	lsi_step_copy(step, in(plan, LS_OUTPUT, e->receives), lsi_arrival_on(step, q));
}

/* The last sum is the node's own block; with two ports each adds to it. */
static void add(const struct ls_plan *plan, const struct lsi_block_exchange *e, int q, bool last,
	int64_t rank, struct ls_step *step)
{
	const struct ls_slice own = lsi_block(LS_OUTPUT, 0);
	struct ls_slice mine = in(plan, e->again ? LS_SCRATCH : LS_INPUT, e->sends);
	struct ls_slice sum = in(plan, LS_SCRATCH, e->sends);

	if (e->from != LS_NO_RANK)
		lsi_step_send_on(step, q, in(plan, e->passed ? LS_SCRATCH : LS_INPUT, e->receives));
	if (e->to == LS_NO_RANK)
		return;
	lsi_step_receive_on(step, q, ls_slice_blocks(&e->sends));
	if (last) {
		mine = step->n_moves > 0 ? own : mine;
		sum = own;
	}
	if (e->to < rank)
		lsi_step_combine(step, sum, lsi_arrival_on(step, q), mine);
	else
		lsi_step_combine(step, sum, mine, lsi_arrival_on(step, q));
}

void lsi_block_exchange_body(const struct ls_plan *plan, lsi_block_exchange_at *exchange,
	int64_t rank, int64_t round, struct ls_step *step)
{
	const int64_t at = round_of(plan, round);

	for (int q = 0; q < ports_in_use(&plan->problem); q++) {
		const struct lsi_block_exchange e = exchange(plan, rank, at, q);

		if (adds(plan))
			add(plan, &e, q, at == 0, rank, step);
		else
			spread(plan, &e, q, at == 0, step);
	}
	if (at == 0 && !adds(plan))
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
	else if (at == 0 && step->n_moves == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_SCRATCH, rank));
}

struct ls_counts lsi_block_exchange_counts(
	const struct lsi_problem *problem, int64_t rounds, size_t n)
{
	const int64_t p = problem->nodes, words = lsi_mul_sat(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, lsi_mul_sat(p, rounds), lsi_mul_sat(p, words), words };
}
