#include "collective/allgather/exchange.h"

static bool adds(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_REDUCE_SCATTER;
}

struct ls_frame ls_exchange_frame(const struct ls_problem *problem, int64_t rounds, int64_t slots)
{
	struct ls_frame frame = { .rounds = rounds, .blocks = problem->nodes };

	if (problem->operation == LS_REDUCE_SCATTER && problem->nodes > 2)
		frame.scratch[0] = (struct ls_scratch){ slots, 1 };
	return frame;
}

int ls_exchange_ports(const struct ls_problem *problem)
{
	return problem->ports < 2 ? 1 : 2;
}

/* The round of the all-gather that a round is, or mirrors. */
static int64_t round_of(const struct ls_plan *plan, int64_t round)
{
	return adds(plan) ? plan->frame.rounds - 1 - round : round;
}

void ls_exchange_peers(const struct ls_plan *plan, ls_exchange_at *exchange, int64_t rank,
	int64_t round, struct ls_peers *out)
{
	for (int q = 0; q < ls_exchange_ports(&plan->problem); q++) {
		const struct ls_exchange e = exchange(plan, rank, round_of(plan, round), q);

		out->to[q] = adds(plan) ? e.from : e.to;
		out->from[q] = adds(plan) ? e.to : e.from;
	}
}

/* The same blocks in another buffer; only those of scratch 0 may be numbered unwrapped. */
static struct ls_slice in(const struct ls_plan *plan, int buffer, struct ls_slice slice)
{
	slice.buffer = (uint8_t)buffer;
	if (buffer != LS_SCRATCH)
		slice.first %= plan->problem.nodes;
	return slice;
}

static void spread(const struct ls_plan *plan, const struct ls_exchange *e, int q, bool first,
	struct ls_step *step)
{
	if (e->to != LS_NOBODY)
		ls_step_send_on(step, q,
			first ? ls_one(LS_INPUT, 0) : in(plan, LS_OUTPUT, e->sends));
	if (e->from == LS_NOBODY)
		return;
	ls_step_receive_on(step, q, ls_slice_blocks(&e->gets));
	ls_step_copy(step, in(plan, LS_OUTPUT, e->gets), ls_arrival_on(step, q));
}

/* The last sums are the node's own block, on each port once more. */
static void add(const struct ls_plan *plan, const struct ls_exchange *e, int q, bool last,
	int64_t rank, struct ls_step *step)
{
	const struct ls_slice own = ls_one(LS_OUTPUT, 0);
	struct ls_slice mine = in(plan, e->again ? LS_SCRATCH : LS_INPUT, e->sends);
	struct ls_slice sum = in(plan, LS_SCRATCH, e->sends);

	if (e->from != LS_NOBODY)
		ls_step_send_on(step, q, in(plan, e->passed ? LS_SCRATCH : LS_INPUT, e->gets));
	if (e->to == LS_NOBODY)
		return;
	ls_step_receive_on(step, q, ls_slice_blocks(&e->sends));
	if (last) {
		mine = step->n_moves > 0 ? own : mine;
		sum = own;
	}
	if (e->to < rank)
		ls_step_combine(step, sum, ls_arrival_on(step, q), mine);
	else
		ls_step_combine(step, sum, mine, ls_arrival_on(step, q));
}

void ls_exchange_body(const struct ls_plan *plan, ls_exchange_at *exchange, int64_t rank,
	int64_t round, struct ls_step *step)
{
	const int64_t at = round_of(plan, round);

	for (int q = 0; q < ls_exchange_ports(&plan->problem); q++) {
		const struct ls_exchange e = exchange(plan, rank, at, q);

		if (adds(plan))
			add(plan, &e, q, at == 0, rank, step);
		else
			spread(plan, &e, q, at == 0, step);
	}
	if (at == 0 && !adds(plan))
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, 0));
	else if (at == 0 && step->n_moves == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_SCRATCH, rank));
}

struct ls_counts ls_exchange_counts(const struct ls_problem *problem, int64_t rounds, size_t n)
{
	const int64_t p = problem->nodes, words = ls_mul(p - 1, (int64_t)n);

	return (struct ls_counts){ rounds, ls_mul(p, rounds), ls_mul(p, words), words };
}
