/*
 * 004: Grama, Gupta, Karypis, Kumar 2003, section 4.1.
 */
#include "reproduce/reproduce.h"
#include "base/messages.h"

#include <inttypes.h>
#include <string.h>

#define BROADCAST(specs) ROUTED_MODE(specs, LS_BROADCAST, "binomial")
#define REDUCE(specs)    ROUTED_MODE(specs, LS_REDUCE, "binomial")
#define WRONG_ORDER(where) \
	{ \
		.networks = "ring:8", .operation = LS_BROADCAST, .algorithm = "wrong-order", \
		.mode = LS_ROUTED, .routes_of = where \
	}

static const struct claim_run ring_4 = BROADCAST("ring:4"), ring_4_back = REDUCE("ring:4");
static const struct claim_run ring_8 = BROADCAST("ring:8"), ring_8_back = REDUCE("ring:8");
static const struct claim_run mesh_4x4 = BROADCAST("mesh:4x4"), cube_3 = BROADCAST("hypercube:3");
static const struct claim_run tree_8 = BROADCAST("tree:8");

static void draw_pattern(void)
{
	puts("one-to-all broadcast");
	draw_rounds(&ring_4, 1, NULL, write_sent_blocks);
	puts("\nall-to-one reduction");
	draw_rounds(&ring_4_back, 1, NULL, write_sent_blocks);
}
static void draw_ring(void)
{
	draw_rounds(&ring_8, 1, NULL, write_sent_blocks);
}
static void draw_ring_back(void)
{
	draw_rounds(&ring_8_back, 1, NULL, write_sent_blocks);
}
static void draw_mesh(void)
{
	draw_rounds(&mesh_4x4, 1, NULL, write_sent_blocks);
}
static void draw_cube(void)
{
	draw_rounds(&cube_3, 1, NULL, write_sent_blocks);
}
static void draw_tree(void)
{
	draw_rounds(&tree_8, 1, NULL, write_sent_blocks);
}

/* Switches on the route of the first message of each round. */
static void find_switches(const struct claim *claim, char *found)
{
	struct claim_plan plan;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;

	struct message_trace trace = trace_plan(&plan, 1);

	found[0] = '\0';
	for (size_t i = 0; i < trace.rows; i++)
		if (i == 0 || trace.row[i].round != trace.row[i - 1].round)
			append_text(found, "%s%" PRId64, blank_between(found),
				ls_distance(plan.topology, trace.row[i].src, trace.row[i].dst) - 1);
	free_trace(&trace);
	close_claim_plan(&plan);
}

/* Destination in one iteration of Algorithm 4.2; Algorithm 4.1 is the case source = 0. */
static int64_t broadcast_destination(int i, int64_t my_id, int64_t source)
{
	const int64_t my_virtual_id = my_id ^ source;
	const int64_t mask = ((int64_t)1 << i) - 1;

	if ((my_virtual_id & mask) != 0 || (my_virtual_id >> i & 1) != 0)
		return LS_NO_RANK;
	return my_virtual_id ^ (int64_t)1 << i ^ source;
}

/* Destination in one iteration of Algorithm 4.3, which reduces to node 0. */
static int64_t reduce_destination(int i, int64_t my_id)
{
	const int64_t mask = ((int64_t)1 << i) - 1;

	return (my_id & mask) == 0 && my_id >> i & 1 ? my_id ^ (int64_t)1 << i : LS_NO_RANK;
}

static bool matches_algorithm(const struct claim_plan *plan, int d, bool reduces, int64_t source)
{
	for (int64_t step = 0; step < d; step++)
		for (int64_t r = 0; r < (int64_t)1 << d; r++) {
			const int64_t to = reduces ? reduce_destination((int)step, r)
									   : broadcast_destination(d - 1 - (int)step, r, source);
			struct ls_step actual;

			ls_plan_step(plan->plan, r, step, &actual);
			if ((actual.ports > 0 ? actual.to[0] : LS_NO_RANK) != to)
				return false;
		}
	return true;
}

/* Compare the plans with Algorithm 4.2 for every source, or with Algorithm 4.3. */
static void find_algorithm(const struct claim *claim, char *found)
{
	const bool reduces = claim->run.operation == LS_REDUCE;
	const char *networks = claim->run.networks;
	char spec[64];

	snprintf(found, FOUND_SIZE, "the messages of the plan");
	for (int d = 1; next_spec(&networks, spec); d++)
		for (int64_t source = 0; source < (reduces ? 1 : (int64_t)1 << d); source++) {
			struct claim_run run = claim->run;
			struct claim_plan plan;

			run.root = source;
			if (!open_claim_plan(&run, spec, &plan, found))
				return;
			if (!matches_algorithm(&plan, d, reduces, source))
				snprintf(found, FOUND_SIZE, "different messages for d = %d", d);
			close_claim_plan(&plan);
		}
}

/* Check that the reduction sends the messages of the broadcast in reverse order and direction. */
static void find_dual(const struct claim *claim, char *found)
{
	const struct claim_run back = REDUCE(claim->run.networks);
	struct claim_plan one, other;

	if (!open_claim_plan(&claim->run, claim->run.networks, &one, found))
		return;
	if (open_claim_plan(&back, claim->run.networks, &other, found)) {
		struct message_trace there = trace_plan(&one, 1), here = trace_plan(&other, 1);
		size_t pairs = 0;

		for (size_t i = 0; i < there.rows; i++)
			for (size_t k = 0; k < here.rows; k++)
				pairs += there.row[i].src == here.row[k].dst && there.row[i].dst == here.row[k].src
					&& there.row[i].round + here.row[k].round == ls_plan_rounds(one.plan) + 1;
		snprintf(found, FOUND_SIZE,
			pairs == there.rows && pairs == here.rows ? "the same messages backwards"
													  : "other messages");
		free_trace(&there);
		free_trace(&here);
		close_claim_plan(&other);
	}
	close_claim_plan(&one);
}

static const struct claim figure1[] = {
	{ "one-to-all broadcast: p copies, one per process; p = 1 .. 8", "p copies",
		.expected = "proved", .find = find_laws,
		.run = BROADCAST("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6 ring:7 ring:8") },
	{ "all-to-one reduction: the result at one process; p = 1 .. 8", "one buffer",
		.expected = "proved", .find = find_laws,
		.run = REDUCE("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6 ring:7 ring:8") },
	{ "reduction is the dual of broadcast", "reversed direction and order",
		.expected = "the same messages backwards", .find = find_dual, .run = BROADCAST("ring:16") },
};

static const struct claim figure2[] = {
	{ "the first message goes to node 4, the farthest; each step halves the distance",
		"0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7", .find = find_schedule, .run = BROADCAST("ring:8") },
	{ "messages on the busiest link, step by step", "no congestion", .expected = "1 1 1",
		.find = find_loads, .run = BROADCAST("ring:8") },
	{ "the same on a linear array", "no congestion", .expected = "1 1 1", .find = find_loads,
		.run = BROADCAST("linear:8") },
	{ "steps, p = 2, 4, .. 64", "log p", .expected = "1 2 3 4 5 6", .find = find_executed,
		.run = BROADCAST("ring:2 ring:4 ring:8 ring:16 ring:32 ring:64") },
	{ "steps of the naive broadcast, p = 2, 4, 8, 16", "p - 1 messages", .expected = "1 3 7 15",
		.find = find_executed,
		.run = ROUTED_MODE("ring:2 ring:4 ring:8 ring:16", LS_BROADCAST, "naive") },
	{ "0>1 first: messages on the busiest link, step by step", "\"would be congested\"",
		.expected = "1 2 4", .find = find_loads, .run = WRONG_ORDER(NULL) },
	{ "any number of processes (Problem 4.1, left to the reader): steps, p = 3, 5, 6, 7, 33", NULL,
		.expected = "2 3 3 3 6", .find = find_executed,
		.run = BROADCAST("ring:3 ring:5 ring:6 ring:7 ring:33") },
	{ "messages on the busiest link, p = 3, 5, 6, 7, 33", NULL, .expected = "1 1 1 1 1",
		.find = find_load, .run = BROADCAST("ring:3 ring:5 ring:6 ring:7 ring:33") },
};

static const struct claim figure3[] = {
	{ "odd nodes send first, then 2 and 6, then 4", "1>0 3>2 5>4 7>6 | 2>0 6>4 | 4>0",
		.find = find_schedule, .run = REDUCE("ring:8") },
	{ "messages on the busiest link, step by step", NULL, .expected = "1 1 1", .find = find_loads,
		.run = REDUCE("ring:8") },
};

static const struct claim example[] = {
	{ "y = A x in the leftmost column, A = 1 .. 16, x = 1 .. 4", "30 70 110 150",
		.find = find_product_by_rows },
	{ "P9 receives x[1] from P1, multiplies it by A[2,1], and reduces with P8, P10, P11 to y[2] on "
	  "P8",
		"x[1], A[2,1], y[2]",
		.expected = "x[1] = 2, times A[2,1] = 10; y[2] = 9 + 20 + 33 + 48 = 110",
		.find = find_node_9 },
};

static const struct claim figure5[] = {
	{ "steps 1 and 2 in the row, 3 and 4 in the columns",
		"0>2 | 0>1 2>3 | 0>8 1>9 2>10 3>11 | 0>4 1>5 2>6 3>7 8>12 9>13 10>14 11>15",
		.find = find_schedule, .run = BROADCAST("mesh:4x4") },
	{ "messages on the busiest link, step by step", NULL, .expected = "1 1 1 1", .find = find_loads,
		.run = BROADCAST("mesh:4x4") },
	{ "three dimensions, p = 8, 27, 64: steps", "three phases", .expected = "3 6 6",
		.find = find_executed, .run = BROADCAST("mesh:2x2x2 mesh:3x3x3 mesh:4x4x4") },
};

static const struct claim figure6[] = {
	{ "sources and destinations \"are identical to\" Figure 4.2", "0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7",
		.find = find_schedule, .run = BROADCAST("hypercube:3") },
	{ "from the lowest dimension: messages on the busiest link of the hypercube", "no congestion",
		.expected = "1 1 1", .find = find_loads, .run = WRONG_ORDER("hypercube:3") },
	{ "the same messages on a linear array", NULL, .expected = "1 2 4", .find = find_loads,
		.run = WRONG_ORDER("linear:8") },
};

static const struct claim figure7[] = {
	{ "sources and destinations are those of Figure 4.6", "0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7",
		.find = find_schedule, .run = BROADCAST("tree:8") },
	{ "messages on the busiest link, step by step", "no congestion", .expected = "1 1 1",
		.find = find_loads, .run = BROADCAST("tree:8") },
	{ "switches on the route of a message, step by step", "a different number", .expected = "5 3 1",
		.find = find_switches, .run = BROADCAST("tree:8") },
};

static const struct claim algorithms[] = {
	{ "Algorithms 4.1 and 4.2, every source, p = 2 .. 32", "procedure",
		.expected = "the messages of the plan", .find = find_algorithm,
		.run = ROUTED_MODE(CUBES_TO_32, LS_BROADCAST, "binomial") },
	{ "Algorithm 4.3, p = 2 .. 32", "procedure", .expected = "the messages of the plan",
		.find = find_algorithm, .run = REDUCE(CUBES_TO_32) },
	{ "Algorithm 4.3: required properties of the operator, sum at node 0 in rank order",
		"any associative operator", .expected = "associative, the same bits", .find = find_order,
		.run = REDUCE("hypercube:4") },
};

static const struct claim equation[] = {
	{ "hypercube, broadcast", "T = (t_s + t_w m) log p",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = BROADCAST("hypercube:1 hypercube:3 hypercube:4 hypercube:6"), .formula = cost_log },
	{ "ring, broadcast", "T = (t_s + t_w m) log p",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = BROADCAST("ring:2 ring:8 ring:16 ring:64"), .formula = cost_log },
	{ "mesh, broadcast", "T = (t_s + t_w m) log p", .expected = "exact for p = 4 16 64; m = 1 5 64",
		.find = find_equation, .run = BROADCAST("mesh:2x2 mesh:4x4 mesh:8x8"),
		.formula = cost_log },
	{ "tree, broadcast", "T = (t_s + t_w m) log p",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = BROADCAST("tree:2 tree:8 tree:16 tree:64"), .formula = cost_log },
	{ "hypercube, reduction", "T = (t_s + t_w m) log p",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = REDUCE("hypercube:1 hypercube:3 hypercube:4 hypercube:6"), .formula = cost_log },
};

static const struct misprint misprints[] = {
	{ "4.1.2: \"with rows and columns\", \"the remaining () nodes\"",
		"\"with sqrt p rows and sqrt p columns\", \"(sqrt p - 1)\"; the text lost the roots" },
	{ "Algorithm 4.3, line 7: \"if (my_id AND 2^i) 0\"",
		"\"if (my_id AND 2^i) != 0\"; the text lost \"!=\"" },
	{ "\"zero in their least significant bits\" for i = 1",
		"\"bit\": for i = 1 only the lowest bit is zero" },
	{ "Algorithms 4.2 and 4.3", "the \"endif\" of the outer if is missing" },
	{ "Algorithm 4.3, line 12", "the node receives into X and overwrites its own message" },
	{ "Equation 4.1", "an image in the text; restored from equation (1) of the slides" },
	{ "p is a power of two throughout", "any other p takes ceil(log p) steps, as figure4.2 shows" },
};

#define ITEM(name_, title_, claims_, ...) \
	{ \
		name_, title_, CLAIMS(claims_), __VA_ARGS__ \
	}
static const struct source_item items[] = {
	ITEM("figure4.1",
		"Figure 4.1: broadcast and reduction; >2 (0) sends the message of node 0 to node 2",
		figure1, .draw = draw_pattern),
	ITEM("figure4.2",
		"Figure 4.2: broadcast on a ring; >4 (0) sends the message of node 0 to node 4", figure2,
		.draw = draw_ring),
	ITEM("figure4.3",
		"Figure 4.3: reduction on a ring; parentheses list the origins of the numbers added",
		figure3, .draw = draw_ring_back),
	ITEM("example4.1", "Example 4.1, Figure 4.4: a matrix times a vector, run on 16 threads",
		example, .draw = draw_product),
	ITEM("figure4.5", "Figure 4.5: broadcast on a 4 x 4 mesh", figure5, .draw = draw_mesh),
	ITEM("figure4.6", "Figure 4.6: broadcast on a 3-dimensional hypercube", figure6,
		.draw = draw_cube),
	ITEM(
		"figure4.7", "Figure 4.7: broadcast on a tree of 8 processors", figure7, .draw = draw_tree),
	ITEM("algorithm4.3", "Algorithms 4.1, 4.2 and 4.3", algorithms, .draw = NULL),
	ITEM("equation4.1", "Equation 4.1: the time of broadcast and reduction", equation,
		.misprint = misprints, .misprints = ARRAY_LENGTH(misprints)),
};

const struct source_document source_broadcast = { "004",
	"Grama, Gupta, Karypis, Kumar 2003, section 4.1: Broadcast and Reduction", ITEMS(items) };
