/*
 * Cartesian products: one phase per factor, each with an algorithm of that factor.
 *
 * The factors are axes like those of a grid.  The nodes that differ in the coordinate of one factor
 * form a line, and the line is linked like the factor:
 *
 *   ring:4*linear:2     0 - 2 - 4 - 6 - (0)     lines of the ring: stride 2
 *                       |   |   |   |
 *                       1 - 3 - 5 - 7 - (1)     lines of the linear array: stride 1
 *
 * After some phases a node has the blocks of all nodes that agree with it on the other factors.  In
 * the next phase a message carries this number of blocks instead of one.
 *
 *   rounds     the sum over the factors
 *   requires   a Cartesian product whose factors have algorithms
 *   source     Grama, Gupta, Karypis, Kumar 2003, sections 4.1 to 4.4, for meshes and tori; any
 *              factors: this project
 */
#include "collective/compose/compose.h"
#include "collective/round_bound.h"

enum { LEVEL = 2 };

struct axis {
	const struct ls_topology *factor;
	int64_t stride;
};

/*
 * Operations that spread from a root or split data take the first factor first, so that blocks that
 * stay together are contiguous.  Operations that collect data, or must keep rank order, take the
 * last factor first.
 */
static bool takes_first(const struct lsi_problem *problem, enum ls_claim claim)
{
	const enum ls_operation operation = problem->operation;

	return operation == LS_BROADCAST || operation == LS_SCATTER
		|| (operation == LS_REDUCE_SCATTER && claim < LS_ORDERED);
}

/*
 * The factors with more than one node in the order of the phases; returns their number, 0: too
 * many.
 */
static int axes(const struct lsi_problem *problem, bool reversed, struct axis out[LSI_PARTS])
{
	const struct ls_topology *t = problem->topology;
	const int factors = lsi_topology_factors(t);
	int64_t stride = 1;
	int n = 0;

	for (int i = factors - 1; i >= 0; i--) {
		const struct ls_topology *factor = lsi_topology_factor(t, i);

		if (n == LSI_PARTS)
			return 0;
		if (factor->nodes > 1)
			out[n++] = (struct axis){ factor, stride };
		stride *= factor->nodes;
	}
	for (int i = 0; reversed && i < n / 2; i++) {
		const struct axis swap = out[i];

		out[i] = out[n - 1 - i];
		out[n - 1 - i] = swap;
	}
	return n;
}

/*
 * The buffer of value k of a node, k = 0 .. K: phase k-1 writes it and phase k reads it.  Value 0
 * is in INPUT, value K in OUTPUT.  An all-to-all alternates between buffers.  In other operations
 * all values between are in OUTPUT if it has room for them at every node, else in a scratch buffer.
 */
static int held_in(const struct lsi_problem *problem, int k, int K, int between)
{
	if (k == 0)
		return LS_INPUT;
	if (problem->operation == LS_ALLTOALL)
		return lsi_alternating_buffer(k, K, problem->in_place);
	return k == K ? LS_OUTPUT : between;
}

static void view_exchange(struct lsi_composition *c, struct lsi_part *part, int from, int to)
{
	const int64_t line = part->stride * part->problem.nodes;

	part->width = c->nodes / part->problem.nodes;
	part->input = lsi_buffer_view_line(from, part->stride, part->problem.nodes);
	part->input.unit = 0;
	part->input.outer = c->nodes / line;
	part->input.outer_pitch = line;
	part->output = part->input;
	part->output.buffer = to;
	lsi_compose_scratch(c, part);
}

/* In an all-gather or gather the node's blocks grow to those of its line; else they shrink. */
static void view_blocks(struct lsi_composition *c, struct lsi_part *part, int from, int to)
{
	const enum ls_operation operation = part->problem.operation;
	const bool grows = lsi_operation_gathers(operation);
	const int64_t stride = part->stride, side = part->problem.nodes;
	struct lsi_buffer_view *one = grows ? &part->input : &part->output,
						   *line = grows ? &part->output : &part->input;
	const int ones = grows ? from : to, lines = grows ? to : from;

	part->width = stride;
	*one = ones == (grows ? LS_INPUT : LS_OUTPUT) ? lsi_buffer_view_same(ones)
												  : lsi_buffer_view_own(ones, stride);
	*line = lsi_buffer_view_line(lines, stride, side);
	lsi_compose_scratch_full(c, part, *line);
}

/*
 * Reduce-scatter in rank order: a block stands for the blocks that differ from it only in
 * coordinates of larger stride.
 */
static void view_ordered(struct lsi_composition *c, struct lsi_part *part, int from, int to)
{
	const int64_t stride = part->stride, line = stride * part->problem.nodes;
	const struct lsi_buffer_view strided = { .below = stride,
		.pitch = stride,
		.inner = 1,
		.outer = c->nodes / line,
		.outer_pitch = line,
		.each = 1 };

	part->width = c->nodes / line;
	part->input = part->output = strided;
	part->input.buffer = from;
	part->output.buffer = to;
	part->output.below = line;
	if (to == LS_OUTPUT)
		part->output = lsi_buffer_view_same(to);
	lsi_compose_scratch_full(c, part, strided);
}

static void add_phase(const struct lsi_problem *problem, struct lsi_composition *c,
	struct lsi_part_request request, struct axis axis, int from, int to)
{
	struct lsi_part *part;

	request.problem = *problem;
	request.problem.topology = axis.factor;
	request.problem.nodes = axis.factor->nodes;
	request.problem.root = problem->root / axis.stride % axis.factor->nodes;
	request.problem.in_place =
		from == to || (from == LS_INPUT && to == LS_OUTPUT && problem->in_place);
	part = lsi_compose_add(c, &request);
	if (!part)
		return;
	part->stride = axis.stride;
	part->lines = c->nodes / axis.factor->nodes;
	part->rooted = lsi_operation_is_rooted(problem->operation);
	if (part->rooted)
		part->lines /= axis.stride;
	if (lsi_operation_is_vector(problem->operation))
		lsi_compose_set_views(c, part, lsi_buffer_view_same(from), lsi_buffer_view_same(to));
	else if (problem->operation == LS_ALLTOALL)
		view_exchange(c, part, from, to);
	else if (problem->operation == LS_REDUCE_SCATTER && request.claim >= LS_ORDERED)
		view_ordered(c, part, from, to);
	else
		view_blocks(c, part, from, to);
	part->multiplied = (size_t)part->width;
}

/* The buffer of all values between the first phase and the last. */
static int between(const struct lsi_problem *problem, struct lsi_composition *c, int K)
{
	switch (problem->operation) {
	case LS_REDUCE:
		return K > 1 ? lsi_compose_buffer(c, (struct lsi_scratch){ 1, 1 }) : LS_OUTPUT;
	case LS_REDUCE_SCATTER:
	case LS_SCATTER:
	case LS_GATHER:
		return K > 1 ? lsi_compose_buffer(c, (struct lsi_scratch){ c->nodes, 1 }) : LS_OUTPUT;
	case LS_ALLTOALL:
		for (int k = 0; k < (problem->in_place && K > 2 ? 2 : K > 1); k++)
			lsi_compose_buffer(c, (struct lsi_scratch){ c->nodes, 1 });
		return -1;
	default:
		return LS_OUTPUT;
	}
}

static void phases(
	const struct lsi_problem *problem, struct lsi_composition *c, enum ls_claim claim)
{
	struct axis axis[LSI_PARTS];
	const int K = axes(problem, takes_first(problem, claim), axis);
	const int middle = between(problem, c, K);

	c->possible &= K > 0;
	for (int k = 0; k < K && c->possible; k++) {
		struct lsi_part_request request = { .level = LEVEL,
			.claim = claim,
			.n = 1,
			.scratches = LS_SCRATCH_BUFFERS - 1,
			.uncut = lsi_operation_is_vector(problem->operation),
			.full =
				!lsi_operation_is_vector(problem->operation) && problem->operation != LS_ALLTOALL };

		add_phase(problem, c, request, axis[k], held_in(problem, k, K, middle),
			held_in(problem, k + 1, K, middle));
	}
}

static void ordered(const struct lsi_problem *problem, struct lsi_composition *c)
{
	phases(problem, c, LS_ORDERED);
}

static void commutative(const struct lsi_problem *problem, struct lsi_composition *c)
{
	phases(problem, c, LS_COMMUTATIVE);
}

static void idempotent(const struct lsi_problem *problem, struct lsi_composition *c)
{
	phases(problem, c, LS_IDEMPOTENT);
}

LSI_COMPOSED(ordered)
LSI_COMPOSED(commutative)
LSI_COMPOSED(idempotent)

#define PRODUCT(how, claims, is_identical, ...) \
	{ \
		.operations = __VA_ARGS__, .name = "product", .networks = "A*B, mct:R,L", \
		.rounds = "sum over all factors: rounds on the factor", .bound = LSI_ROUND_BOUND, \
		.source = \
			"factor by factor, as on meshes in Grama, Gupta, Karypis, Kumar 2003, chapter 4", \
		.claim = claims, .identical = is_identical, .level = LEVEL, \
		.lower_bound = lsi_round_lower_bound, LSI_COMPOSED_FUNCTIONS(how) \
	}

const struct lsi_algorithm lsi_product_move = PRODUCT(ordered, LS_MOVE, true,
	LSI_FOR(LS_BROADCAST) | LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER) | LSI_FOR(LS_ALLGATHER)
		| LSI_FOR(LS_ALLTOALL));
const struct lsi_algorithm lsi_product_ordered = PRODUCT(ordered, LS_ORDERED, true,
	LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_REDUCE_SCATTER));
const struct lsi_algorithm lsi_product_commutative = PRODUCT(commutative, LS_COMMUTATIVE, true,
	LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_REDUCE_SCATTER));
const struct lsi_algorithm lsi_product_idempotent =
	PRODUCT(idempotent, LS_IDEMPOTENT, false, LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER));
