/*
 * All-gather on the star graph, as in the paper: its all-to-all broadcast.
 *
 * When level k = 2..n begins, every node has the blocks of its S_{k-1}.  It sends them over link k.
 * Then it forwards the blocks that it received there over the links k-1, .., 2 (star_levels.h).
 * Sub-stars are contiguous ranges of ranks, so a message is one run of blocks.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages, (N - 1) m words per node, N = n! nodes; no block reaches a node
 *              twice
 *   cost       t_s n(n-1)/2 + t_w m (N - 1)
 *   requires   star graph
 *   source     E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using
 *              All-to-All Broadcast Communication Pattern", ICCS 2005, Theorem 1
 */
#include "collective/cayley/star_levels.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_level_rounds(problem), .blocks = problem->nodes };
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_level level = lsi_level_of(round);
	const bool begins = level.link == level.k;
	const struct ls_slice arrives =
		lsi_level_substar(LS_OUTPUT, rank, begins ? 1 : level.link, level.k);

	(void)plan;
	lsi_step_send(step,
		round == 0 ? lsi_block(LS_INPUT, 0)
				   : lsi_level_substar(LS_OUTPUT, rank, begins ? level.k : 1, level.k));
	lsi_step_receive(step, ls_slice_blocks(&arrives));
	lsi_step_copy(step, arrives, lsi_arrival(step));
	if (round == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
}

const struct lsi_algorithm lsi_allgather_paper = {
	.operations = LSI_FOR(LS_ALLGATHER),
	.name = "paper",
	.networks = "star:N",
	.rounds = "n(n-1)/2",
	.bound = LSI_STAR_BOUND,
	.source = "Oh, Choi, Primeaux 2005, Theorem 1",
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.supports = lsi_is_star,
	.frame = frame,
	.peers = lsi_level_peers,
	.body = body,
	.predict = lsi_level_block_counts,
	.lower_bound = lsi_round_lower_bound,
};
