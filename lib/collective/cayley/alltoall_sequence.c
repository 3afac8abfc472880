/*
 * All-to-all (total exchange) on a Cayley graph along a link sequence.
 *
 * A block from u to u.g takes the shortest subsequence that leads to g, which is the same for all
 * u. So in a round all nodes send, over the same link, the blocks of the same displacements g.
 *
 *   rounds     length of the link sequence (link_sequence.h)
 *   traffic    p messages per round, X m words per node, X the sum of the lengths of these
 *              subsequences: 9, 64, 468, 3920, 33156, 313914 on star:3..8; the sum of the distances
 *              is a lower bound
 *   cost       t_s rounds + t_w m X
 *   memory     2 p blocks; half of them begin as a copy of INPUT
 *   requires   hop mode, a Cayley graph with a link sequence
 *   source     star and pancake graphs: sequences found by scripts/link_sequence_search.c
 */
#include "collective/cayley/sequence_paths.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct lsi_frame){ .rounds = lsi_sequence_rounds(problem->topology),
		.blocks = p,
		.has_prologue = true,
		.scratch[0] = { 2 * p, 2 } };
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_sequence_exchange *s = plan->table;
	const struct ls_block_map *map = &s->relation.map;
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 1, p - 1),
			lsi_mapped(lsi_blocks(LS_INPUT, 1, p - 1), map, rank));
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, rank));
		return;
	}

	const int64_t first = s->first[round], count = s->first[round + 1] - first;
	const int64_t ends = s->passing[round] - first;

	lsi_step_send(step, lsi_indexed(LS_SCRATCH, s->sent + first, count));
	lsi_step_receive(step, count);
	if (ends > 0)
		lsi_step_copy(step, lsi_mapped(lsi_indexed(LS_OUTPUT, s->kept + first, ends), map, rank),
			lsi_blocks(LS_ARRIVAL, 0, ends));
	if (ends < count)
		lsi_step_copy(step, lsi_indexed(LS_SCRATCH, s->kept + first + ends, count - ends),
			lsi_blocks(LS_ARRIVAL, ends, count - ends));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t rounds = lsi_sequence_rounds(problem->topology), p = problem->nodes;
	const int64_t words =
		lsi_mul_sat(lsi_sequence_costs_of(problem->topology).shortest_path_hops, (int64_t)n);

	return (struct ls_counts){ rounds, lsi_mul_sat(rounds, p), lsi_mul_sat(words, p), words };
}

const struct lsi_algorithm lsi_alltoall_sequence = {
	LSI_SEQUENCE_FIELDS,
	.operations = LSI_FOR(LS_ALLTOALL),
	.claim = LS_MOVE,
	.nodup = true,
	.supports = lsi_sequence_exchange_supports,
	.frame = frame,
	.prepare = lsi_sequence_exchange_prepare,
	.peers = lsi_sequence_peers,
	.body = body,
	.predict = predict,
};
