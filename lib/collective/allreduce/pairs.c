#include "collective/allreduce/pairs.h"

static bool sends(enum ls_role role, int64_t round)
{
	return (role == LS_ROLE_GIVES) == (round == 0);
}

void ls_pairs_peers(struct ls_pairs pairs, int64_t rank, int64_t round, struct ls_peers *out)
{
	const enum ls_role role = ls_pairs_role(pairs, rank);

	if (role == LS_ROLE_ALONE)
		return;
	*(sends(role, round) ? out->to : out->from) = rank ^ 1;
}

void ls_pairs_body(enum ls_role role, int64_t round, int64_t blocks, int sum, struct ls_step *step)
{
	const struct ls_slice input = ls_blocks(LS_INPUT, 0, blocks);
	const struct ls_slice output = ls_blocks(LS_OUTPUT, 0, blocks);

	if (role == LS_ROLE_ALONE)
		return;
	if (sends(role, round)) {
		ls_step_send(step, round == 0 ? input : output);
		return;
	}
	ls_step_receive(step, blocks);
	if (round == 0)
		ls_step_combine(step, ls_blocks(sum, 0, blocks), input, ls_arrival(step));
	else
		ls_step_copy(step, output, ls_arrival(step));
}
