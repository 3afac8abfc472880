#include "collective/tree/broadcast_tree.h"

/* Bits of a shape; from SENDS on there is one bit per port. */
enum { ROOT = 1, RECEIVES = 2, SENDS = 4 };

int64_t lsi_broadcast_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	int64_t shape = rank == plan->problem.root ? ROOT : 0;
	struct lsi_peers peers;

	for (int q = 0; q < LS_PORTS; q++)
		peers.to[q] = peers.from[q] = LS_NO_RANK;
	plan->algorithm->peers(plan, rank, round, &peers);
	if (peers.from[0] != LS_NO_RANK)
		shape |= RECEIVES;
	for (int q = 0; q < LS_PORTS; q++)
		if (peers.to[q] != LS_NO_RANK)
			shape |= SENDS << q;
	return shape;
}

int64_t lsi_broadcast_edge_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	(void)round;
	return (rank == plan->problem.root ? ROOT : 0)
		| (edge.peer == LS_NO_RANK ? 0
				: edge.up          ? RECEIVES
								   : SENDS);
}

void lsi_broadcast_body(
	const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	(void)plan;
	for (int q = 0; q < LS_PORTS; q++)
		if (shape & SENDS << q)
			lsi_step_send_on(step, q, lsi_block(shape & ROOT ? LS_INPUT : LS_OUTPUT, 0));
	if (shape & RECEIVES) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_arrival(step));
	}
	if (shape & ROOT && round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, 0));
}

struct ls_counts lsi_broadcast_counts(const struct lsi_problem *problem, int64_t rounds, size_t n)
{
	const int64_t messages = problem->nodes - 1;

	return lsi_equal_counts(rounds, messages, n);
}
