/*
 * Gather and scatter on a Cayley graph, along a word of links: what of the all-gather along it
 * concerns the root.
 *
 * Blocks go to the root as in the all-gather, and nowhere else.  A message of a round is part of
 * what every node sends in that round of the all-gather, and one of them, to the root, is all of
 * it; so the volume is the least there is.  The scatter is the same back in time.
 *
 *   rounds     the letters of the word: collective/word.h
 *   traffic    root: (p - 1) m words; in all a hop of every block: star:3..5 9, 66, 486 m
 *   cost       t_s rounds + t_w m (p - 1)
 *   storage    a node holds what it passes on, in place of its origin among p blocks
 *   requires   hop mode, a Cayley graph with a word
 *   source     words on star and pancake graphs: found by search (scripts/link_words.c)
 */
#include "collective/bound.h"
#include "collective/word_path.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct ls_frame){ .rounds = ls_word_rounds(problem->topology), .blocks = p,
		.lead = true, .scratch[0] = { p, 1 } };
}

static bool gathers(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_GATHER;
}

/* The round of the gather that is done, or undone. */
static int64_t round_of(const struct ls_plan *plan, int64_t round)
{
	return gathers(plan) ? round : plan->frame.rounds - 1 - round;
}

/* What a node sends, and its neighbor sends it, in a round of the gather. */
struct view {
	struct ls_word_range sent, arrives;
	int64_t to, from;
};

/* A node as seen from the root. */
static int64_t seen(const struct ls_problem *problem, int64_t rank)
{
	const struct ls_topology *t = problem->topology;

	return t->network->product(t, t->network->inverse(t, problem->root), rank);
}

static struct view view_of(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_topology *t = plan->problem.topology;
	const int64_t r = round_of(plan, round), at = seen(&plan->problem, rank);
	const int64_t back = ls_word_back(t, r);

	return (struct view){
		ls_word_gather_sent(plan->table, at, r),
		ls_word_gather_sent(plan->table, ls_neighbor(t, at, back), r),
		ls_neighbor(t, rank, ls_word_link(t, r)), ls_neighbor(t, rank, back)
	};
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct view v = view_of(plan, rank, round);
	const int64_t above = v.sent.count ? v.to : LS_NOBODY;
	const int64_t below = v.arrives.count ? v.from : LS_NOBODY;

	out->to[0] = gathers(plan) ? above : below;
	out->from[0] = gathers(plan) ? below : above;
}

static struct ls_slice blocks(const struct ls_plan *plan, int buffer, struct ls_word_range range)
{
	const struct ls_word_gather *g = plan->table;

	return ls_named(ls_indexed(buffer, g->origin + range.first, range.count),
		&g->relation.naming, plan->problem.root);
}

/* Whether a node's own block comes first in what it sends. */
static bool has_own(const struct ls_plan *plan, int64_t rank, struct ls_word_range sent)
{
	const struct ls_word_gather *g = plan->table;

	return sent.count && g->origin[sent.first] == seen(&plan->problem, rank);
}

/* Whether the block of a node other than the root goes, in the gather, with others. */
static bool is_joined(const struct ls_plan *plan, int64_t rank)
{
	const struct ls_word_gather *g = plan->table;
	const int64_t at = seen(&plan->problem, rank);
	const struct ls_word_range all = ls_word_gather_all(g, at);
	int64_t i = all.first;

	while (g->origin[i] != at)
		i++;
	return i + 1 < all.first + all.count && g->hop[i + 1].key == g->hop[i].key;
}

static void lead(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	if (rank == plan->problem.root && gathers(plan))
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, 0));
	else if (rank == plan->problem.root)
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_INPUT, rank));
	else if (gathers(plan) && is_joined(plan, rank))
		ls_step_copy(step, ls_one(LS_SCRATCH, rank), ls_one(LS_INPUT, 0));
}

static void gather(
	const struct ls_plan *plan, int64_t rank, const struct view *v, struct ls_step *step)
{
	const bool alone = v->sent.count == 1 && has_own(plan, rank, v->sent);

	if (v->sent.count)
		ls_step_send(step, alone ? ls_one(LS_INPUT, 0) : blocks(plan, LS_SCRATCH, v->sent));
	if (v->arrives.count) {
		ls_step_receive(step, v->arrives.count);
		ls_step_copy(step, blocks(plan, rank == plan->problem.root ? LS_OUTPUT : LS_SCRATCH,
			v->arrives), ls_arrival(step));
	}
}

static void scatter(
	const struct ls_plan *plan, int64_t rank, const struct view *v, struct ls_step *step)
{
	struct ls_word_range rest = v->sent;

	if (v->arrives.count)
		ls_step_send(step, blocks(plan, rank == plan->problem.root ? LS_INPUT : LS_SCRATCH,
			v->arrives));
	if (rest.count == 0)
		return;
	ls_step_receive(step, rest.count);
	if (has_own(plan, rank, rest)) {
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_ARRIVAL, 0));
		rest.first++;
		rest.count--;
	}
	if (rest.count)
		ls_step_copy(step, blocks(plan, LS_SCRATCH, rest),
			ls_blocks(LS_ARRIVAL, v->sent.count - rest.count, rest.count));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	if (round < 0) {
		lead(plan, rank, step);
		return;
	}

	const struct view v = view_of(plan, rank, round);

	if (gathers(plan))
		gather(plan, rank, &v, step);
	else
		scatter(plan, rank, &v, step);
}

static struct ls_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct ls_topology *t = plan->problem.topology;
	const struct ls_word_gather *g = plan->table;
	const struct ls_word_range all = ls_word_gather_all(g, seen(&plan->problem, rank));
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
		return (struct ls_window){ 0, 0 };
	return (struct ls_window){ least, most - least + 1 };
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const struct ls_word_costs costs = ls_word_costs(problem->topology);

	return (struct ls_counts){ ls_word_rounds(problem->topology), costs.messages,
		ls_mul(costs.spread, (int64_t)n), ls_mul(problem->nodes - 1, (int64_t)n) };
}

const struct ls_algorithm ls_gather_word = {
	.operations = LS_FOR(LS_GATHER) | LS_FOR(LS_SCATTER),
	.name = "word",
	.networks = LS_WORD_NETWORKS,
	.rounds = LS_WORD_ROUNDS,
	.bound = LS_WORD_BOUND,
	.source = LS_WORD_SOURCE,
	.claim = LS_MOVE,
	.nodup = true,
	.supports = ls_word_gather_supports,
	.frame = frame,
	.prepare = ls_word_gather_prepare,
	.peers = peers,
	.body = body,
	.window = window,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
