/*
 * Prefix sums by recursive doubling, for any number of nodes.
 *
 * In round i node u sends its sum to u + 2^i.  Before the round this sum stands for the 2^i ranks
 * that end with u, or for 0 .. u if there are fewer.  An exscan also keeps the same sum without the
 * operand of u.
 *
 *   rounds     ceil(log2 p), the least possible
 *   messages   p - 2^i in round i: p ceil(log2 p) - 2^ceil(log2 p) + 1, of m words
 *   cost       (t_s + t_w m) ceil(log2 p)
 *   memory     one block; in place and in an exscan two
 *   requires   hop mode: complete network; routed mode: any topology
 *   source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", Commun. ACM 29(12), 1986
 */
#include "collective/prefix.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

/* Bits of a shape; above them the number of messages that the node receives in all rounds. */
enum { SENDS = 1, RECEIVES = 2, SENDS_LATER = 4, FLAGS = 8 };

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const bool exclusive = problem->operation == LS_EXSCAN, in_place = problem->in_place;
	struct lsi_frame f = { .rounds = lsi_log2_ceil(problem->nodes), .blocks = 1 };

	f.has_prologue = in_place && (exclusive || problem->nodes > 2);
	if (f.rounds > 1 || f.has_prologue)
		f.scratch[0] = (struct lsi_scratch){ 1, 1 };
	if (f.rounds > 1 && (exclusive || in_place))
		f.scratch[1] = (struct lsi_scratch){ 1, 1 };
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t far = (int64_t)1 << round;

	if (rank < plan->problem.nodes - far)
		out->to[0] = rank + far;
	if (rank >= far)
		out->from[0] = rank - far;
}

static int64_t arrivals(int64_t rank)
{
	return rank > 0 ? lsi_log2_floor(rank) + 1 : 0;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const int64_t far = (int64_t)1 << round, above = plan->problem.nodes - rank;

	return arrivals(rank) * FLAGS + (above > far ? SENDS : 0) + (rank >= far ? RECEIVES : 0)
		+ (above / 2 >= far && above > 2 * far ? SENDS_LATER : 0);
}

/*
 * The buffer of a node's sum after k of its K messages.  In place a node that sends INPUT while it
 * writes OUTPUT, the same storage, sends a copy.
 */
static int value(const struct lsi_problem *problem, int64_t k, int64_t K)
{
	const bool exclusive = problem->operation == LS_EXSCAN;

	if (k == 0 && problem->in_place && K > 0 && (exclusive || (K == 1 && problem->nodes > 2)))
		return LS_SCRATCH;
	if (exclusive)
		return k == 0 ? LS_INPUT : LS_SCRATCH + (int)(k % 2);
	return lsi_alternating_buffer(k, K, problem->in_place);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t K = round < 0 ? arrivals(at) : at / FLAGS, k = round < K ? round : K;
	const struct ls_slice mine = lsi_block(value(problem, round < 0 ? 0 : k, K), 0);

	if (round < 0) {
		if (mine.buffer == LS_SCRATCH)
			lsi_step_copy(step, mine, lsi_block(LS_INPUT, 0));
		return;
	}
	if (at & SENDS)
		lsi_step_send(step, mine);
	if (K == 0 && round == 0)
		lsi_prefix_first(problem, 1, step);
	if (!(at & RECEIVES))
		return;
	lsi_step_receive(step, 1);
	if (problem->operation == LS_SCAN || at & SENDS_LATER)
		lsi_step_combine(step, lsi_block(value(problem, k + 1, K), 0), lsi_arrival(step), mine);
	if (problem->operation == LS_EXSCAN)
		lsi_prefix_combine(problem, 0, k > 0, lsi_arrival(step), step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0, reach = 1;

	for (; reach < problem->nodes; reach *= 2)
		rounds++;

	const int64_t messages = lsi_mul_sat(rounds, problem->nodes) - reach + 1;

	return lsi_equal_counts(rounds, messages, n);
}

const struct lsi_algorithm lsi_scan_doubling = {
	.operations = LSI_PREFIXES,
	.name = "doubling",
	.networks = "complete:P; any in routed mode",
	.rounds = "ceil(log2 p)",
	.bound = "ceil(log2 p) with one port",
	.source = "Hillis, Steele 1986",
	.claim = LS_ORDERED,
	.nodup = true,
	.supports = lsi_reaches_all,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
