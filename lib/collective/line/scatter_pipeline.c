/*
 * Scatter and gather by a pipeline of neighbors, farthest first: on a line or ring in both
 * directions from the root (`pipeline`), on a mesh or torus dimension by dimension (`dimension`).
 * A share is the data for one node of a line: a block, or the blocks of a whole hyperplane in early
 * dimensions.
 *
 * Let a line have chains of lengths A >= B (chains.h).  In round t the root sends to the node at
 * distance max(A, B + 1) - t.  From the first round in which both chains need data, they take
 * turns.  Each message then has two shares, for a node and its inner neighbor, so neither chain
 * waits.  With two ports both chains get one share per round.  Gather is the scatter in reverse
 * time order.
 *
 *   rounds     line: max(a, b), one more if a = b; a and b nodes on each side of the root; ring:
 *              ceil(s/2); two ports: max(a, b) and floor(s/2); grids: the sum over the dimensions
 *   volume     with one port the sum over the rounds of the longest message is p - 1 blocks of m
 *              words
 *   cost       t_s rounds + t_w m (p - 1): the least of both terms on a line or ring
 *   memory     the node's share for the dimensions to come, and three shares in transit
 *   requires   a grid of any sides
 *   source     farthest first: folklore; shares in pairs: this project
 */
#include "collective/line/chains.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

enum { HELD = LS_SCRATCH, TRANSIT };

/* The share of a node on the first dimension with more than one node. */
static int64_t largest_share(const struct ls_topology *t)
{
	int d = 0;

	while (ls_topology_side(t, d) == 1)
		d++;
	return lsi_topology_stride(t, d);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_chains_rounds),
		.blocks = problem->nodes,
		.scratch = { { problem->nodes, 1 }, { 3 * largest_share(problem->topology), 1 } } };
}

/* A node on its line in a round; `round` counts from the start of the phase in a scatter. */
struct node_round {
	const struct lsi_problem *problem;
	struct lsi_axis axis;
	struct lsi_chains chains;
	struct lsi_chain_position at;
	int64_t rank, rounds, round;
	bool is_last; /* last round of the scatter, first of the gather */
};

static bool gathers(const struct lsi_problem *problem)
{
	return problem->operation == LS_GATHER;
}

static struct node_round node_round_of(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t mirrored = gathers(problem) ? round : plan->frame.rounds - 1 - round;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_chains_rounds, mirrored);
	struct node_round node_round = { .problem = problem,
		.axis = phase.axis,
		.rank = rank,
		.chains = lsi_chains_of(problem, phase.axis),
		.rounds = lsi_chains_rounds(problem, phase.axis),
		.is_last = mirrored == 0 };

	node_round.round = node_round.rounds - 1 - phase.round;
	node_round.at = lsi_chain_position_of(&node_round.chains, phase.axis, rank);
	return node_round;
}

/* Shares that move together: of the nodes of a chain at these distances; none if near > far. */
struct bundle {
	int way;
	int64_t near, far;
};

static bool is_some(struct bundle b)
{
	return b.near <= b.far;
}

/* The shares for distances `from` and beyond, among those that the source sends along a chain. */
static struct bundle bundle_of(const struct node_round *s, int way, int64_t round, int64_t from)
{
	const int64_t *const length = s->chains.length, *const start = s->chains.start;
	const bool takes_turns = start[LSI_UP] != start[LSI_DOWN], first = start[way] == 0;
	/* The round, counted from the first turn of the shorter chain. */
	const int64_t turn = round - s->rounds + length[first ? !way : way];
	struct bundle b = { way, s->rounds - round, s->rounds - round };

	if (round < 0 || (takes_turns && first != (turn < 0 || turn % 2 == 1)))
		return (struct bundle){ way, 1, 0 };
	if (takes_turns)
		b.near -= turn >= -1;
	else
		b.near = b.far = length[way] - round;
	if (b.far > length[way])
		b.far = length[way];
	if (b.near < from)
		b.near = from;
	return b;
}

/*
 * The shares that a node receives from its inner neighbor in this round, and those that it sends
 * on.
 */
static struct bundle got(const struct node_round *s)
{
	const int64_t distance = s->at.distance;

	return bundle_of(s, s->at.chain, s->round - distance + 1, distance);
}

static struct bundle passed(const struct node_round *s, int way)
{
	const int64_t distance = s->at.distance;

	return bundle_of(s, way, s->round - distance, distance + 1);
}

/*
 * The blocks of a bundle.  TRANSIT has fewer slots than there are ranks.  On a line through all
 * ranks the numbers run on beyond the end, so that neighbors use different slots.
 */
static struct ls_slice blocks_of(const struct node_round *s, struct bundle b, int buffer)
{
	const struct lsi_axis axis = s->axis;
	const int64_t begin = b.way == LSI_UP ? s->chains.source + b.near : s->chains.source - b.far;
	const int64_t run = (b.far - b.near + 1) * axis.stride, period = axis.side * axis.stride;
	const bool past_first = b.way == LSI_DOWN && s->chains.length[LSI_DOWN] > s->chains.source;

	if (buffer == TRANSIT && lsi_axis_is_last(s->problem, axis))
		return lsi_blocks(buffer, (begin + past_first * axis.side) * axis.stride, run);
	return lsi_cyclic(
		buffer, s->rank - s->rank % period + lsi_wrap(begin, axis.side) * axis.stride, run, period);
}

/* The node's own share, when it is complete. */
static struct ls_slice share(const struct node_round *s)
{
	if (s->axis.stride == 1)
		return lsi_block(LS_INPUT, 0);
	return lsi_blocks(HELD, s->rank - s->rank % s->axis.stride, s->axis.stride);
}

static int64_t peer(const struct node_round *s, int way, int64_t distance)
{
	const int64_t at = s->chains.source + (way == LSI_UP ? distance : -distance);

	return lsi_axis_node(s->axis, s->rank, lsi_wrap(at, s->axis.side));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct node_round s = node_round_of(plan, rank, round);
	const int64_t distance = s.at.distance;
	int64_t *const down = gathers(s.problem) ? out->from : out->to;
	int64_t *const up = gathers(s.problem) ? out->to : out->from;

	if (!lsi_axis_same_before(s.axis, rank, s.problem->root))
		return;
	for (int way = 0; way < LSI_CHAINS; way++) {
		const int port = distance == 0 ? lsi_chain_port(&s.chains, way) : 0;

		if ((distance == 0 || way == s.at.chain) && is_some(passed(&s, way)))
			down[port] = peer(&s, way, distance + 1);
	}
	if (distance > 0 && is_some(got(&s)))
		up[0] = peer(&s, s.at.chain, distance - 1);
}

/* ---- Steps */

static void at_source(const struct node_round *s, struct ls_step *step)
{
	const bool root = s->rank == s->problem->root, gather = gathers(s->problem);
	const int buffer = !root ? HELD : gather ? LS_OUTPUT : LS_INPUT;

	for (int way = 0; way < LSI_CHAINS; way++) {
		const struct bundle b = passed(s, way);
		const int port = lsi_chain_port(&s->chains, way);

		if (!is_some(b))
			continue;
		if (!gather) {
			lsi_step_send_on(step, port, blocks_of(s, b, buffer));
			continue;
		}
		lsi_step_receive_on(step, port, (b.far - b.near + 1) * s->axis.stride);
		lsi_step_copy(step, blocks_of(s, b, buffer), lsi_arrival_on(step, port));
	}
	if (s->is_last && gather)
		lsi_step_copy(step, lsi_block(buffer, s->rank), lsi_block(LS_INPUT, 0));
	else if (s->is_last && root)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, s->rank));
}

/* A node of a chain takes its own share, which is at the near end of what arrives. */
static void take_share(const struct node_round *s, struct bundle b, struct ls_step *step)
{
	const int64_t stride = s->axis.stride, distance = s->at.distance;
	const int64_t shares = b.far - b.near + 1;
	const bool own = b.near == distance;
	const int64_t own_at = b.way == LSI_UP ? 0 : (shares - 1) * stride;
	const int64_t rest_at = own && b.way == LSI_UP ? stride : 0;

	lsi_step_receive(step, shares * stride);
	if (own && stride > 1)
		lsi_step_copy(step, share(s), lsi_blocks(LS_ARRIVAL, own_at, stride));
	if (own)
		lsi_step_copy(
			step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_ARRIVAL, own_at + s->rank % stride));
	b.near += own;
	if (is_some(b))
		lsi_step_copy(step, blocks_of(s, b, TRANSIT),
			lsi_blocks(LS_ARRIVAL, rest_at, (shares - own) * stride));
}

/* A node of a chain in a gather stores the shares that it will send on, and adds its own share. */
static void collect(const struct node_round *s, struct bundle b, struct ls_step *step)
{
	const int64_t distance = s->at.distance;
	const struct bundle own = { b.way, distance, distance };

	lsi_step_receive(step, (b.far - b.near + 1) * s->axis.stride);
	lsi_step_copy(step, blocks_of(s, b, TRANSIT), lsi_arrival(step));
	if (bundle_of(s, b.way, s->round - distance, distance).near == distance)
		lsi_step_copy(step, blocks_of(s, own, TRANSIT), share(s));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct node_round s = node_round_of(plan, rank, round);
	const struct bundle up = got(&s), down = passed(&s, s.at.chain);

	if (!lsi_axis_same_before(s.axis, rank, s.problem->root))
		return;
	if (s.at.distance == 0) {
		at_source(&s, step);
		return;
	}
	if (gathers(s.problem)) {
		if (is_some(up))
			lsi_step_send(step, up.far == s.at.distance ? share(&s) : blocks_of(&s, up, TRANSIT));
		if (is_some(down))
			collect(&s, down, step);
		return;
	}
	if (is_some(down))
		lsi_step_send(step, blocks_of(&s, down, TRANSIT));
	if (is_some(up))
		take_share(&s, up, step);
}

/* A node is in a chain along one axis only: the last one on which it differs from the root. */
static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t slots = plan->frame.scratch[k].slots;
	struct lsi_axis axis = { 1, 1 };

	if (rank == problem->root)
		return (struct lsi_window){ 0, 0 };
	for (int d = lsi_axes(problem->topology) - 1;
		 lsi_axis_same_before((struct lsi_axis){ 1, axis.stride * axis.side }, rank, problem->root);
		 d--) {
		axis.stride *= axis.side;
		axis.side = lsi_axis_side(problem->topology, d);
	}

	const struct lsi_chains chains = lsi_chains_of(problem, axis);
	const struct lsi_chain_position at = lsi_chain_position_of(&chains, axis, rank);
	const int64_t period = axis.side * axis.stride;

	if (LS_SCRATCH + k == HELD && axis.stride > 1)
		return (struct lsi_window){ rank - rank % axis.stride, axis.stride };
	if (LS_SCRATCH + k == HELD || at.distance == chains.length[at.chain])
		return (struct lsi_window){ 0, 0 };
	if (lsi_axis_is_last(problem, axis))
		return (struct lsi_window){ 0, slots };
	return (struct lsi_window){ (rank - rank % period) % slots, period };
}

static int64_t triangle(int64_t n)
{
	return n % 2 ? lsi_mul_sat(n, (n + 1) / 2) : lsi_mul_sat(n / 2, n + 1);
}

/* Messages of a line with these chains; in pairs both take as many as the longer one alone. */
static int64_t messages(int ports, int64_t a, int64_t b)
{
	const int64_t longer = a > b ? a : b;

	if (ports > 1)
		return lsi_add_sat(triangle(a), triangle(b));
	return a == b ? triangle(a + 1) - 1 : triangle(longer);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct ls_topology *t = problem->topology;
	const int64_t m = (int64_t)n;
	struct ls_counts c = { 0 };
	int64_t lines = 1;

	for (int d = 0; d < ls_topology_dims(t); d++) {
		const int64_t side = ls_topology_side(t, d), stride = lsi_topology_stride(t, d);
		const int64_t at = ls_topology_coordinate(t, problem->root, d);
		const int64_t a = t->network->grid == LSI_GRID_WRAPPED ? side / 2 : at;
		const int64_t b = side - 1 - a;
		const int64_t rounds = lsi_chains_rounds_predicted(problem, d);

		c.rounds += rounds;
		c.messages = lsi_add_sat(c.messages, lsi_mul_sat(lines, messages(problem->ports, a, b)));
		c.words = lsi_add_sat(
			c.words, lsi_mul_sat(lines * stride, lsi_add_sat(triangle(a), triangle(b))));
		c.volume += stride * (problem->ports == 1 ? side - 1 : rounds);
		lines *= side;
	}
	c.words = lsi_mul_sat(c.words, m);
	c.volume = lsi_mul_sat(c.volume, m);
	return c;
}

static const struct lsi_whole_machine whole = { .window = window };

#define COMMON \
	.source = "this project: farthest first, blocks in pairs", .claim = LS_MOVE, .nodup = true, \
	.frame = frame, .peers = peers, .body = body, .whole = &whole, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_scatter_pipeline = { COMMON, LSI_CHAINS_ON_LINE,
	.operations = LSI_FOR(LS_SCATTER) };

const struct lsi_algorithm lsi_gather_pipeline = { COMMON, LSI_CHAINS_ON_LINE,
	.operations = LSI_FOR(LS_GATHER) };

const struct lsi_algorithm lsi_scatter_dimension = { COMMON, LSI_CHAINS_ON_GRID,
	.operations = LSI_FOR(LS_SCATTER) };

const struct lsi_algorithm lsi_gather_dimension = { COMMON, LSI_CHAINS_ON_GRID,
	.operations = LSI_FOR(LS_GATHER) };
