/*
 * All-reduce for long vectors, in rank order: recursive halving, then recursive doubling.
 *
 * Let p = 2^d + x.  The x extra nodes form pairs with others (pairs.h), and the vector is cut into
 * 2^d blocks.  In round i of the halving the virtual ranks that differ in bit i have the same range
 * of blocks.  The one with bit i clear keeps the first half, the other the second.  Each sends its
 * sums of the other half and adds what it receives.  The lowest bit comes first, so sums stand for
 * contiguous ranges of ranks.  Virtual rank v ends with block bit-reverse(v).  The doubling uses
 * the same pairs in reverse order.  No round overwrites blocks that it sends, so there is no
 * scratch.
 *
 *   rounds     2d, and two more if x > 0
 *   traffic    2d 2^d + 2x messages, 2 m (2^d - 1) + 2x m elements
 *   cost       2d t_s + 2 m (1 - 2^-d) t_w, and 2 (t_s + m t_w) more if x > 0
 *   requires   hop mode: hypercube, complete network; routed mode: any topology
 *   source     R. Rabenseifner 1997; R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Perform.
 *              Comput. Appl. 19(1), 2005; halves of a hypercube: Grama, Gupta, Karypis, Kumar 2003,
 *              section 4.3
 */
#include "collective/exchange/doubling.h"
#include "collective/exchange/pairs.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const struct lsi_pairs pairs = lsi_pairs_of(problem->nodes);

	return (struct lsi_frame){
		.rounds = lsi_pairs_rounds(pairs, 2 * pairs.bits),
		.blocks = (int64_t)1 << pairs.bits,
	};
}

/* The bit of one of the 2d rounds. */
static int64_t bit_of(int bits, int64_t i)
{
	return i < bits ? i : 2 * bits - 1 - i;
}

/* The blocks that virtual rank v keeps after the rounds of the bits 0 .. bit. */
static struct ls_slice kept(int buffer, int bits, int64_t v, int64_t bit)
{
	int64_t first = 0;

	for (int64_t i = 0; i <= bit; i++)
		first |= (v >> i & 1) << (bits - 1 - i);
	return lsi_blocks(buffer, first, (int64_t)1 << (bits - 1 - bit));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);
	const int64_t i = lsi_pairs_round(pairs, 2 * pairs.bits, round);

	if (i < 0)
		lsi_pairs_peers(pairs, rank, round, out);
	else if (lsi_pairs_role(pairs, rank) != LSI_ROLE_SENDS)
		out->to[0] = out->from[0] = lsi_pairs_node(
			pairs, lsi_doubling_partner(lsi_pairs_virtual(pairs, rank), bit_of(pairs.bits, i)));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_pairs pairs = lsi_pairs_of(plan->problem.nodes);
	const enum lsi_role role = lsi_pairs_role(pairs, rank);
	const int64_t i = lsi_pairs_round(pairs, 2 * pairs.bits, round);

	if (i < 0)
		lsi_pairs_body(role, round, plan->frame.blocks, LS_OUTPUT, step);
	if (i < 0 || role == LSI_ROLE_SENDS)
		return;

	const int64_t bit = bit_of(pairs.bits, i);
	const int64_t v = lsi_pairs_virtual(pairs, rank), peer = lsi_doubling_partner(v, bit);
	const struct ls_slice sum = kept(LS_OUTPUT, pairs.bits, v, bit);
	const int source = i == 0 && role == LSI_ROLE_ALONE ? LS_INPUT : LS_OUTPUT;
	const struct ls_slice mine = kept(source, pairs.bits, v, bit);

	lsi_step_send(step, i < pairs.bits ? kept(source, pairs.bits, peer, bit) : sum);
	lsi_step_receive(step, sum.run);
	if (i >= pairs.bits)
		lsi_step_copy(step, kept(LS_OUTPUT, pairs.bits, peer, bit), lsi_arrival(step));
	else if (peer < v)
		lsi_step_combine(step, sum, lsi_arrival(step), mine);
	else
		lsi_step_combine(step, sum, mine, lsi_arrival(step));
}

/* Longer blocks come first in the vector, so the longest message of a round is its first part. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t m = (int64_t)n;
	struct ls_counts c = { 0 };
	int64_t power = 1;

	for (; power <= problem->nodes / 2; power *= 2)
		c.rounds += 2;
	for (int64_t part = power / 2; part > 0; part /= 2) {
		const int64_t rest = m % power;

		c.volume += 2 * (part * (m / power) + (part < rest ? part : rest));
	}

	const int64_t x = problem->nodes - power;

	c.messages = lsi_add_sat(lsi_mul_sat(c.rounds, power), 2 * x);
	c.words = lsi_mul_sat(2 * m, lsi_add_sat(power - 1, x));
	c.rounds += x > 0 ? 2 : 0;
	c.volume += x > 0 ? 2 * m : 0;
	return c;
}

const struct lsi_algorithm lsi_allreduce_halving_doubling = {
	.operations = LSI_FOR(LS_ALLREDUCE),
	.name = "halving-doubling",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "2 floor(log2 p), plus 2 if p is not a power of 2",
	.bound = "ceil(log2 p) with one port",
	.source = "Rabenseifner 1997; Thakur, Rabenseifner, Gropp 2005",
	.claim = LS_ORDERED,
	.identical = true,
	.supports = lsi_reaches_across_bits,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
