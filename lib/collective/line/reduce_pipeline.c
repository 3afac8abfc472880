/*
 * Reduction by a pipeline of neighbors: on a line or ring from both ends to the root (`pipeline`),
 * on a mesh or torus dimension by dimension, first in all rows, then in the root's column
 * (`dimension`).  It is the broadcast of the same name in reverse time order.
 *
 * Operands stay in rank order.  On a ring one of the two chains may use the link between the last
 * node and the first.  Beyond that link a message has two partial results: LOW of the first ranks
 * and HIGH of the last ranks.  The root puts its own operand and the other chain's result between
 * them.
 *
 *   rounds     line: max(a, b), one more if a = b; a and b nodes on each side of the root; ring:
 *              ceil(s/2); two ports: max(a, b) and ceil((s - 1)/2); grids: the sum over the
 *              dimensions
 *   messages   p - 1, of m words; in each ring with a != b, min(a, b) of them have 2 m words
 *   cost       (t_s + t_w m) rounds, and t_w m min(a, b) more per dimension with such rings
 *   memory     one block, on a ring or torus two; none at the root
 *   requires   a grid of any sides; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1, hop by hop
 */
#include "collective/line/chains.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/reduce_tree.h"

enum { LOW, HIGH };

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t parts = problem->topology->network->grid == LSI_GRID_WRAPPED ? 2 : 1;

	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_chains_rounds),
		.blocks = 1,
		.scratch = { { parts, parts } } };
}

/* The round of the broadcast that a round of a phase mirrors. */
static int64_t mirror(const struct lsi_problem *problem, struct lsi_axis_phase phase)
{
	return lsi_chains_rounds(problem, phase.axis) - 1 - phase.round;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_chains_rounds, round);
	const struct lsi_chains chains = lsi_chains_of(problem, phase.axis);
	struct lsi_peers spread = *out;

	if (!lsi_axis_same_before(phase.axis, rank, problem->root))
		return;
	lsi_chains_peers(&chains, phase.axis, rank, mirror(problem, phase), &spread);
	for (int q = 0; q < LS_PORTS; q++) {
		out->to[q] = spread.from[q];
		out->from[q] = spread.to[q];
	}
}

/* A chain of this phase. */
struct chain {
	const struct lsi_chains *chains;
	int way;
	int64_t side;
};

/* Whether a distance is beyond the link between the last node and the first. */
static bool is_past(struct chain c, int64_t distance)
{
	const int64_t at = c.chains->source + (c.way == LSI_UP ? distance : -distance);

	return at < 0 || at >= c.side;
}

/* Whether the sum of this distance and all beyond has two parts. */
static bool is_split(struct chain c, int64_t distance)
{
	return !is_past(c, distance) && is_past(c, c.chains->length[c.way]);
}

/* The part of this side of the chain; data from above come after the operand of the source. */
static int near_part(struct chain c)
{
	return c.way == LSI_UP ? HIGH : LOW;
}

/* dst := own (+) arrived if arrived is `after`, of higher ranks, else arrived (+) own. */
static void join(struct ls_step *step, struct ls_slice dst, struct ls_slice own,
	struct ls_slice arrived, bool after)
{
	if (after)
		lsi_step_combine(step, dst, own, arrived);
	else
		lsi_step_combine(step, dst, arrived, own);
}

/* A node inside a chain adds the sum of the nodes beyond it. */
static void take_in(struct chain c, int64_t distance, struct ls_slice own, struct ls_step *step)
{
	const int near = near_part(c);
	const bool two = is_split(c, distance + 1);

	lsi_step_receive(step, two ? 2 : 1);
	if (!is_split(c, distance)) {
		join(step, lsi_block(LS_SCRATCH, 0), own, lsi_arrival(step), near == HIGH);
		return;
	}
	if (two)
		join(step, lsi_block(LS_SCRATCH, near), own, lsi_block(LS_ARRIVAL, near), near == HIGH);
	else
		lsi_step_copy(step, lsi_block(LS_SCRATCH, near), own);
	lsi_step_copy(step, lsi_block(LS_SCRATCH, !near), lsi_block(LS_ARRIVAL, two ? !near : 0));
}

/* The source of the line adds a whole chain. */
static void finish(struct chain c, struct ls_slice own, struct ls_slice sum, struct ls_step *step)
{
	const int near = near_part(c), port = lsi_chain_port(c.chains, c.way);
	const bool two = is_split(c, 1);

	lsi_step_receive_on(step, port, two ? 2 : 1);
	if (!is_past(c, 1)) {
		join(step, sum, own, lsi_block(LS_ARRIVAL + port, two ? near : 0), near == HIGH);
		own = sum;
	}
	if (is_past(c, c.chains->length[c.way]))
		join(step, sum, own, lsi_block(LS_ARRIVAL + port, two ? !near : 0), near == LOW);
}

/*
 * The chain that starts second in the broadcast arrives first, and does not use the closing link.
 */
static void collect(const struct lsi_chains *chains, int64_t side, int64_t broadcast_round,
	struct ls_slice own, struct ls_slice sum, struct ls_step *step)
{
	const int last = is_past((struct chain){ chains, LSI_DOWN, side }, chains->length[LSI_DOWN])
			|| chains->start[LSI_UP] > chains->start[LSI_DOWN]
		? LSI_DOWN
		: LSI_UP;

	for (int i = 0; i < LSI_CHAINS; i++) {
		const int way = i == 0 ? !last : last;

		if (chains->length[way] == 0)
			continue;
		if (broadcast_round == chains->start[way])
			finish((struct chain){ chains, way, side }, own, sum, step);
		own = sum;
	}
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_chains_rounds, round);
	const struct lsi_chains chains = lsi_chains_of(problem, phase.axis);
	const struct lsi_chain_position position = lsi_chain_position_of(&chains, phase.axis, rank);
	const struct chain chain = { &chains, position.chain, phase.axis.side };
	const struct ls_slice sum = lsi_block(rank == problem->root ? LS_OUTPUT : LS_SCRATCH, 0);
	const struct ls_slice own = lsi_axis_is_first(phase.axis) ? lsi_block(LS_INPUT, 0) : sum;
	const int64_t broadcast_round = mirror(problem, phase);
	const int64_t reached = broadcast_round - chains.start[position.chain] + 1,
				  length = chains.length[position.chain];

	if (!lsi_axis_same_before(phase.axis, rank, problem->root))
		return;
	if (position.distance == 0)
		collect(&chains, phase.axis.side, broadcast_round, own, sum, step);
	else if (reached == position.distance && is_split(chain, position.distance))
		lsi_step_send(step, lsi_blocks(LS_SCRATCH, LOW, 2));
	else if (reached == position.distance)
		lsi_step_send(step, position.distance == length ? own : sum);
	else if (reached == position.distance + 1 && reached <= length)
		take_in(chain, position.distance, own, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct ls_topology *t = problem->topology;
	struct ls_counts counts = { .messages = problem->nodes - 1 };
	int64_t blocks = problem->nodes - 1, longest = 0, lines = 1;

	for (int d = 0; d < ls_topology_dims(t); d++) {
		const int64_t side = ls_topology_side(t, d);
		const int64_t below = ls_topology_coordinate(t, problem->root, d), above = side - 1 - below;
		const int64_t nearer = below < above ? below : above;
		const int64_t twice = t->network->grid == LSI_GRID_WRAPPED && below != above ? nearer : 0;

		counts.rounds += lsi_chains_rounds_predicted(problem, d);
		longest += twice;
		blocks += lines * twice;
		lines *= side;
	}
	counts.words = lsi_mul_sat(blocks, (int64_t)n);
	counts.volume = lsi_mul_sat(counts.rounds + longest, (int64_t)n);
	return counts;
}

#define COMMON \
	.operations = LSI_FOR(LS_REDUCE), .claim = LS_ORDERED, .identical = true, .nodup = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1, hop by hop", .frame = frame, \
	.peers = peers, .body = body, .whole = &lsi_reduce_whole, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_reduce_pipeline = { COMMON, LSI_CHAINS_ON_LINE };

const struct lsi_algorithm lsi_reduce_dimension = { COMMON, LSI_CHAINS_ON_GRID };
