/*
 * Gather and scatter on a Cayley graph along a link sequence.
 *
 * A block goes to the root by the path that it takes in the all-gather along this sequence, and
 * nowhere else.  So each message is a part of a message of that all-gather.  In each round the
 * message to the root is a whole one, which gives the least volume.  Scatter is the gather in
 * reverse time order.
 *
 *   rounds     length of the link sequence (link_sequence.h)
 *   traffic    root: (p - 1) m words; in total one word per hop and element: 9, 66, 486 m words on
 *              star:3..5
 *   cost       t_s rounds + t_w m (p - 1)
 *   memory     a node stores a forwarded block in the slot of its origin, out of p slots
 *   requires   hop mode, a Cayley graph with a link sequence
 *   source     star and pancake graphs: sequences found by scripts/link_sequence_search.c
 */
#include "collective/cayley/sequence_paths.h"
#include "collective/round_bound.h"

static bool gathers(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_GATHER;
}

/* The round of the gather that this round performs or, in a scatter, reverses. */
static int64_t round_of(const struct ls_plan *plan, int64_t round)
{
	return gathers(plan) ? round : plan->frame.rounds - 1 - round;
}

/* The blocks that a node sends and receives in a round of the gather. */
struct view {
	struct lsi_sequence_range sent, arrives;
	int64_t to, from;
};

/* A node relative to the root. */
static int64_t seen(const struct lsi_problem *problem, int64_t rank)
{
	const struct ls_topology *t = problem->topology;

	return t->network->product(t, t->network->inverse(t, problem->root), rank);
}

static struct view view_of(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t r = round_of(plan, round), at = seen(&plan->problem, rank);
	const int64_t back = lsi_sequence_link_back(t, r);

	return (struct view){ lsi_sequence_gather_sent(plan->table, at, r),
		lsi_sequence_gather_sent(plan->table, ls_neighbor(t, at, back), r),
		ls_neighbor(t, rank, lsi_sequence_link(t, r)), ls_neighbor(t, rank, back) };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct view v = view_of(plan, rank, round);
	const int64_t above = v.sent.count ? v.to : LS_NO_RANK;
	const int64_t below = v.arrives.count ? v.from : LS_NO_RANK;

	out->to[0] = gathers(plan) ? above : below;
	out->from[0] = gathers(plan) ? below : above;
}

static struct ls_slice blocks(
	const struct ls_plan *plan, int buffer, struct lsi_sequence_range range)
{
	const struct lsi_sequence_gather *g = plan->table;

	return lsi_mapped(lsi_indexed(buffer, g->origin + range.first, range.count), &g->relation.map,
		plan->problem.root);
}

/* Whether the node's own block comes first in its message. */
static bool has_own(const struct ls_plan *plan, int64_t rank, struct lsi_sequence_range sent)
{
	const struct lsi_sequence_gather *g = plan->table;

	return sent.count && g->origin[sent.first] == seen(&plan->problem, rank);
}

/* Whether in the gather the block of a node other than the root leaves in a message with others. */
static bool is_joined(const struct ls_plan *plan, int64_t rank)
{
	const struct lsi_sequence_gather *g = plan->table;
	const int64_t at = seen(&plan->problem, rank);
	const struct lsi_sequence_range all = lsi_sequence_gather_all(g, at);
	int64_t i = all.first;

	while (g->origin[i] != at)
		i++;
	return i + 1 < all.first + all.count && g->hop[i + 1].key == g->hop[i].key;
}

static void prologue(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	if (rank == plan->problem.root && gathers(plan))
		lsi_step_copy(step, lsi_block(LS_OUTPUT, rank), lsi_block(LS_INPUT, 0));
	else if (rank == plan->problem.root)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, rank));
	else if (gathers(plan) && is_joined(plan, rank))
		lsi_step_copy(step, lsi_block(LS_SCRATCH, rank), lsi_block(LS_INPUT, 0));
}

static void gather(
	const struct ls_plan *plan, int64_t rank, const struct view *v, struct ls_step *step)
{
	const bool alone = v->sent.count == 1 && has_own(plan, rank, v->sent);

	if (v->sent.count)
		lsi_step_send(step, alone ? lsi_block(LS_INPUT, 0) : blocks(plan, LS_SCRATCH, v->sent));
	if (v->arrives.count) {
		lsi_step_receive(step, v->arrives.count);
		lsi_step_copy(step,
			blocks(plan, rank == plan->problem.root ? LS_OUTPUT : LS_SCRATCH, v->arrives),
			lsi_arrival(step));
	}
}

static void scatter(
	const struct ls_plan *plan, int64_t rank, const struct view *v, struct ls_step *step)
{
	struct lsi_sequence_range rest = v->sent;

	if (v->arrives.count)
		lsi_step_send(
			step, blocks(plan, rank == plan->problem.root ? LS_INPUT : LS_SCRATCH, v->arrives));
	if (rest.count == 0)
		return;
	lsi_step_receive(step, rest.count);
	if (has_own(plan, rank, rest)) {
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_ARRIVAL, 0));
		rest.first++;
		rest.count--;
	}
	if (rest.count)
		lsi_step_copy(step, blocks(plan, LS_SCRATCH, rest),
			lsi_blocks(LS_ARRIVAL, v->sent.count - rest.count, rest.count));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	if (round < 0) {
		prologue(plan, rank, step);
		return;
	}

	const struct view v = view_of(plan, rank, round);

	if (gathers(plan))
		gather(plan, rank, &v, step);
	else
		scatter(plan, rank, &v, step);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct ls_topology *t = plan->problem.topology;
	const struct lsi_sequence_gather *g = plan->table;
	const struct lsi_sequence_range all = lsi_sequence_gather_all(g, seen(&plan->problem, rank));
	int64_t least = plan->problem.nodes, most = -1;

	(void)k;
	for (int64_t i = all.first; i < all.first + all.count; i++) {
		const int64_t block = t->network->product(t, plan->problem.root, g->origin[i]);

		if (block == rank && !(gathers(plan) && is_joined(plan, rank)))
			continue;
		least = block < least ? block : least;
		most = block > most ? block : most;
	}
	if (most < 0)
		return (struct lsi_window){ 0, 0 };
	return (struct lsi_window){ least, most - least + 1 };
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct lsi_sequence_costs costs = lsi_sequence_costs_of(problem->topology);

	return (struct ls_counts){ lsi_sequence_rounds(problem->topology), costs.first_path_messages,
		lsi_mul_sat(costs.first_path_hops, (int64_t)n),
		lsi_mul_sat(problem->nodes - 1, (int64_t)n) };
}

static const struct lsi_whole_machine whole = { .window = window };

const struct lsi_algorithm lsi_gather_sequence = {
	LSI_SEQUENCE_FIELDS,
	.operations = LSI_FOR(LS_GATHER) | LSI_FOR(LS_SCATTER),
	.claim = LS_MOVE,
	.nodup = true,
	.supports = lsi_sequence_gather_supports,
	.frame = lsi_sequence_frame,
	.prepare = lsi_sequence_gather_prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
	.whole = &whole,
};
