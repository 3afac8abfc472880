#include "collective/exchange/pairs.h"

static bool sends(enum lsi_role role, int64_t round)
{
	return (role == LSI_ROLE_SENDS) == (round == 0);
}

void lsi_pairs_peers(struct lsi_pairs pairs, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const enum lsi_role role = lsi_pairs_role(pairs, rank);

	if (role == LSI_ROLE_ALONE)
		return;
	*(sends(role, round) ? out->to : out->from) = rank ^ 1;
}

void lsi_pairs_body(
	enum lsi_role role, int64_t round, int64_t blocks, int sum, struct ls_step *step)
{
	const struct ls_slice input = lsi_blocks(LS_INPUT, 0, blocks);
	const struct ls_slice output = lsi_blocks(LS_OUTPUT, 0, blocks);

	if (role == LSI_ROLE_ALONE)
		return;
	if (sends(role, round)) {
		lsi_step_send(step, round == 0 ? input : output);
		return;
	}
	lsi_step_receive(step, blocks);
	if (round == 0)
		lsi_step_combine(step, lsi_blocks(sum, 0, blocks), input, lsi_arrival(step));
	else
		lsi_step_copy(step, output, lsi_arrival(step));
}
