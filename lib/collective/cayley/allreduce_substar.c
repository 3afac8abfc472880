/*
 * All-reduce, reduce and prefix sums in rank order on the star graph, with the messages of the
 * paper.  The pancake graph uses the same messages.  On the bubble-sort graph the links carry other
 * sums.
 *
 * At level k a node collects the sums of all k sub-stars S_{k-1} of its S_k.  Sub-stars are
 * contiguous ranges of ranks.  The node stores each sum in the slot that the sub-star has in rank
 * order.  At the end of the level it folds the k slots from left to right.  So all nodes evaluate
 * the same expression, and the operation need not be commutative.
 *
 * Let the node be q = q_1 .. q_n.  The sub-star with symbol s at position k has slot(s): the number
 * of symbols among q_1 .. q_k that are larger than s.  The links carry these sums:
 *
 *                        sends the sum of      receives the sum of
 *   star, pancake  k     s = q_k, its own      s = q_1
 *                  d<k   s = q_1               s = q_d
 *   bubble-sort    d     s = q_d               s = q_{d-1}
 *
 * The first two rows need a link that swaps q_1 and q_d and moves no symbol beyond d.  Link d of
 * the bubble-sort graph swaps q_{d-1} and q_d instead, so there each message forwards the last
 * arrival.
 *
 * In a scan, a node also folds the slots below its own, and adds the result to OUTPUT as the left
 * operand.
 *
 * A reduce omits the messages that do not lead to the root.  In every S_k one node, the leader,
 * gets the sum; the root leads S_n.  The leader L of an S_k also leads its own S_{k-1}.  The other
 * S_{k-1} are led by L's neighbor over link k and, for d = 2 .. k-1, by the neighbor over link k of
 * L's neighbor over link d.  The first sends its sum to L.  Each other one sends its sum to L's
 * neighbor over link d, which forwards it to L.
 *
 *   rounds     n(n-1)/2
 *   traffic    N n(n-1)/2 messages of m elements, N = n! nodes; reduce M(n) = n M(n-1) + 2n - 3;
 *              no contribution reaches a node twice
 *   cost       (t_s + t_w m) n(n-1)/2
 *   memory     two banks of n blocks, for odd and even levels; scan: one more block
 *   requires   star graph; except for reduce also pancake and bubble-sort graphs; n(n-1)/2 is the
 *              diameter of the bubble-sort graph
 *   source     messages: E. Oh, H. Choi, D. Primeaux, ICCS 2005
 */
#include "collective/cayley/star_levels.h"
#include "collective/prefix.h"
#include "collective/round_bound.h"

#include <string.h>

/* Bits of a shape; the slots are above them. */
enum { SENDS = 1, RECEIVES = 2, FOLDS = 4, BEGUN = 8, FLAGS = 16 };

enum { SPARE = LS_SCRATCH + 2 };

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_is_star(problem)
		|| (problem->operation != LS_REDUCE
			&& (lsi_topology_is(t, &lsi_network_pancake)
				|| lsi_topology_is(t, &lsi_network_bubblesort)));
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t n = problem->topology->number[0], spare = lsi_is_prefix(problem);

	return (struct lsi_frame){
		.rounds = lsi_level_rounds(problem),
		.blocks = 1,
		.has_prologue = true,
		.scratch = { { n, n }, { n, n }, { spare, spare } },
	};
}

static int64_t across(const struct lsi_problem *problem, int64_t rank, int link)
{
	return problem->topology->network->neighbor(problem->topology, rank, link - 2);
}

/* The positions in q of the symbols whose sums are sent and received in a round. */
struct exchange {
	int sent, received;
};

static struct exchange exchange_at(const struct lsi_problem *problem, struct lsi_level level)
{
	const int k = level.k, d = level.link;

	if (lsi_topology_is(problem->topology, &lsi_network_bubblesort))
		return (struct exchange){ d, d - 1 };
	return d == k ? (struct exchange){ k, 1 } : (struct exchange){ 1, d };
}

static bool equal(const struct lsi_permutation *a, const struct lsi_permutation *b)
{
	return memcmp(a->symbol, b->symbol, sizeof a->symbol) == 0;
}

/* From the leader of the S_k of u to the leader of the S_{k-1} of u. */
static void descend(struct lsi_permutation *leader, const struct lsi_permutation *u, int k)
{
	int d = 1;

	while (leader->symbol[d] != u->symbol[k])
		d++;
	if (d == k)
		return;
	lsi_star_swap(leader, d);
	lsi_star_swap(leader, k);
}

/* Whether a node sends in this round, and whether it leads its S_k. */
struct role {
	bool sends, leads;
};

static struct role role_of(const struct lsi_problem *problem, int64_t rank, struct lsi_level level)
{
	if (problem->operation != LS_REDUCE)
		return (struct role){ true, true };

	const int n = (int)problem->topology->number[0];
	const struct lsi_permutation u = lsi_permutation_of(rank, n);
	struct lsi_permutation leader = lsi_permutation_of(problem->root, n);
	struct role role;

	for (int k = n; k > level.k; k--)
		descend(&leader, &u, k);
	role.leads = equal(&leader, &u);
	if (level.link == level.k)
		descend(&leader, &u, level.k);
	else
		lsi_star_swap(&leader, level.link);
	role.sends = equal(&leader, &u) && !role.leads;
	return role;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_level level = lsi_level_of(round);
	const int64_t peer = across(&plan->problem, rank, level.link);

	if (role_of(&plan->problem, rank, level).sends)
		out->to[0] = peer;
	if (role_of(&plan->problem, peer, level).sends)
		out->from[0] = peer;
}

static int bank(int k)
{
	return LS_SCRATCH + k % 2;
}

/* The part of the shape without slots. */
static int64_t flags(
	const struct lsi_problem *problem, int64_t rank, struct lsi_level level, bool prefix)
{
	const struct role mine = role_of(problem, rank, level);
	const struct role other = problem->operation == LS_REDUCE
		? role_of(problem, across(problem, rank, level.link), level)
		: mine;

	return (mine.sends ? SENDS : 0) + (other.sends ? RECEIVES : 0)
		+ (mine.leads && level.link == 2 ? FOLDS : 0)
		+ (prefix && rank % lsi_factorial(level.k - 1) > 0 ? BEGUN : 0);
}

/*
 * The slots of the sums that are sent and received.  At the end of a level also the slot of the
 * folded sum at the next level, and in a scan the node's own slot at this level.
 */
static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_level level = lsi_level_of(round);
	const int k = level.k;
	const struct exchange e = exchange_at(problem, level);
	const bool ends = level.link == 2, prefix = ends && lsi_is_prefix(problem);
	const bool next = ends && k < problem->topology->number[0];
	int digit[LSI_SYMBOLS_MAX + 1];

	lsi_permutation_digits(rank, k + next, digit);

	const int64_t own = (next ? digit[k + 1] : 0) * k + (prefix ? digit[k] : 0);
	const int64_t slots = (own * k + lsi_digits_position(digit, e.sent, k)) * k
		+ lsi_digits_position(digit, e.received, k);

	return slots * FLAGS + flags(problem, rank, level, prefix);
}

/*
 * Slots at level k, and so shapes, depend on q_1 .. q_k; the slot at the next level also on
 * q_{k+1}.
 */
static int64_t period(const struct ls_plan *plan, int64_t round)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_level level = lsi_level_of(round);

	if (problem->operation == LS_REDUCE || (round < 0 && problem->operation == LS_SCAN))
		return problem->nodes;
	if (round < 0)
		return problem->nodes > 1 ? 2 : 1;
	return lsi_factorial(level.k + (level.link == 2 && level.k < problem->topology->number[0]));
}

/* Shapes of many nodes at once: ranks in a block of 120 differ in the order of q_1 .. q_5 only. */
enum { FIRST = 5, ORDERS = 120 };

/*
 * For each order of the first symbols: the number of them that are larger than the one at
 * `position`.
 */
static void tabulate(int position, uint8_t larger[ORDERS])
{
	int digit[LSI_SYMBOLS_MAX + 1];

	for (int64_t r = 0; r < ORDERS; r++) {
		lsi_permutation_digits(r, FIRST, digit);
		larger[r] = (uint8_t)(position > FIRST ? 0 : lsi_digits_position(digit, position, FIRST));
	}
}

/*
 * slots[i]: `unit` times the slot of the symbol at `position`, if i of the first symbols are
 * larger.  For a later symbol, i has no effect.
 */
static void slots_at(const int *digit, int position, int k, int64_t unit, int64_t slots[FIRST])
{
	for (int larger = 0; larger < FIRST; larger++)
		slots[larger] = unit
			* (position > FIRST ? lsi_digits_position(digit, position, k)
								: lsi_digits_larger(digit, larger, FIRST, k));
}

static void shapes(
	const struct ls_plan *plan, int64_t first, int64_t count, int64_t round, int64_t *out)
{
	const struct lsi_level level = lsi_level_of(round);
	const struct exchange e = exchange_at(&plan->problem, level);
	uint8_t sent[ORDERS], received[ORDERS];

	tabulate(e.sent, sent);
	tabulate(e.received, received);
	for (int64_t i = 0; i < count;) {
		const int64_t at = (first + i) % ORDERS, left = count - i, block = first + i - at;
		const int64_t end = at + left < ORDERS ? at + left : ORDERS;
		int64_t goes[FIRST], comes[FIRST], rest;
		int digit[LSI_SYMBOLS_MAX + 1];

		lsi_permutation_digits(block, level.k, digit);
		slots_at(digit, e.sent, level.k, level.k * FLAGS, goes);
		slots_at(digit, e.received, level.k, FLAGS, comes);
		/*
		 * The nodes of the block differ only in the slots that they send and receive; the first may
		 * also lack BEGUN.  `rest` is what the last has in common with all others.
		 */
		rest = shape(plan, block + ORDERS - 1, round) - goes[sent[ORDERS - 1]]
			- comes[received[ORDERS - 1]];
		if (at == 0)
			out[i++] = shape(plan, block, round);
		for (int64_t r = at > 0 ? at : 1; r < end; r++)
			out[i++] = rest + goes[sent[r]] + comes[received[r]];
	}
}

static bool exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *at)
{
	const struct lsi_level level = lsi_level_of(round);

	if (plan->problem.operation == LS_REDUCE)
		return false;
	lsi_neighbors(plan->problem.topology, first, count, level.link - 2, peer);
	if (level.k > FIRST && count >= ORDERS)
		shapes(plan, first, count, round, at);
	else
		for (int64_t i = 0; i < count; i++)
			at[i] = shape(plan, first + i, round);
	return true;
}

static void prologue(const struct ls_plan *plan, int64_t rank, struct ls_step *step)
{
	lsi_step_copy(step, lsi_block(bank(2), lsi_level_position(rank, 2, 2)), lsi_block(LS_INPUT, 0));
	if (rank == 0)
		lsi_prefix_first(&plan->problem, 1, step);
}

/*
 * The end of level k: `own` and `next` are the slots of the node's sum at this level and the next.
 */
static void fold(
	const struct ls_plan *plan, int k, int64_t own, int64_t next, bool begun, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct ls_slice sums = lsi_blocks(bank(k), 0, k);

	if (k < problem->topology->number[0])
		lsi_step_fold(step, lsi_block(bank(k + 1), next), sums);
	else if (!lsi_is_prefix(problem))
		lsi_step_fold(step, lsi_block(LS_OUTPUT, 0), sums);
	if (own > 0)
		lsi_prefix_combine_all(
			problem, begun, lsi_blocks(bank(k), 0, own), lsi_block(SPARE, 0), step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	if (round < 0) {
		prologue(plan, at, step);
		return;
	}

	const int k = lsi_level_of(round).k;
	const int64_t slots = at / FLAGS, ends = slots / k / k;

	if (at & SENDS)
		lsi_step_send(step, lsi_block(bank(k), slots / k % k));
	if (at & RECEIVES) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(bank(k), slots % k), lsi_arrival(step));
	}
	if (at & FOLDS)
		fold(plan, k, ends % k, ends / k, at & BEGUN, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	struct ls_counts c = lsi_level_counts(problem, n);

	if (problem->operation != LS_REDUCE)
		return c;
	c.messages = 0;
	for (int64_t k = 2; k <= problem->topology->number[0]; k++)
		c.messages = lsi_add_sat(lsi_mul_sat(k, c.messages), 2 * k - 3);
	c.words = lsi_mul_sat(c.messages, (int64_t)n);
	return c;
}

static const struct lsi_whole_machine whole = { .period = period, .exchanges = exchanges };

#define COMMON \
	.name = "substar", .rounds = "n(n-1)/2", .claim = LS_ORDERED, .nodup = true, \
	.source = "Oh, Choi, Primeaux 2005", .bound = LSI_STAR_BOUND "; bubblesort: n(n-1)/2", \
	.supports = supports, .frame = frame, .peers = peers, .shape = shape, .whole = &whole, \
	.body = body, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allreduce_substar = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_REDUCE) | LSI_FOR(LS_BARRIER),
	.networks = "star:N; except reduce: pancake:N bubblesort:N",
	.identical = true,
};

const struct lsi_algorithm lsi_scan_substar = {
	COMMON,
	.operations = LSI_PREFIXES,
	.networks = "star:N pancake:N bubblesort:N",
};
