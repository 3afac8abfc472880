#include "collective/broadcast/tree.h"

/* Bits of a shape; SENDS is followed by one bit a port. */
enum { ROOT = 1, RECEIVES = 2, SENDS = 4 };

int64_t ls_broadcast_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	int64_t shape = rank == plan->problem.root ? ROOT : 0;
	struct ls_peers peers;

	for (int q = 0; q < LS_PORTS; q++)
		peers.to[q] = peers.from[q] = LS_NOBODY;
	plan->algorithm->peers(plan, rank, round, &peers);
	if (peers.from[0] != LS_NOBODY)
		shape |= RECEIVES;
	for (int q = 0; q < LS_PORTS; q++)
		if (peers.to[q] != LS_NOBODY)
			shape |= SENDS << q;
	return shape;
}

int64_t ls_broadcast_edge_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_edge edge)
{
	(void)round;
	return (rank == plan->problem.root ? ROOT : 0)
		| (edge.peer == LS_NOBODY ? 0 : edge.up ? RECEIVES : SENDS);
}

void ls_broadcast_body(const struct ls_plan *plan, int64_t round, int64_t shape,
	struct ls_step *step)
{
	(void)plan;
	for (int q = 0; q < LS_PORTS; q++)
		if (shape & SENDS << q)
			ls_step_send_on(step, q, ls_one(shape & ROOT ? LS_INPUT : LS_OUTPUT, 0));
	if (shape & RECEIVES) {
		ls_step_receive(step, 1);
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_arrival(step));
	}
	if (shape & ROOT && round == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_INPUT, 0));
}

struct ls_counts ls_broadcast_counts(const struct ls_problem *problem, int64_t rounds, size_t n)
{
	const int64_t messages = problem->nodes - 1;

	return (struct ls_counts){ rounds, messages, ls_mul(messages, (int64_t)n),
		ls_mul(rounds, (int64_t)n) };
}
