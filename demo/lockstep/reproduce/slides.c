/*
 * 001: slides to Grama, Gupta, Karypis, Kumar, "Introduction to Parallel Computing", chapter 4.
 */
#include "reproduce/slides.h"
#include "base/messages.h"

#define CUBES "hypercube:1 hypercube:3 hypercube:4 hypercube:6"
#define EXACT "exact for p = 2 8 16 64; m = 1 5 64"

static const struct claim_run scatter_8 = HOP_MODE("hypercube:3", LS_SCATTER, "binomial");
static const struct claim_run exchange_6 = HOP_MODE("ring:6", LS_ALLTOALL, "ring");
static const struct claim_run exchange_9 = ROUTED_MODE("mesh:3x3", LS_ALLTOALL, "ring");
static const struct claim_run exchange_8 = HOP_MODE("hypercube:3", LS_ALLTOALL, "dimension");
static const struct claim_run shift_16 = { .networks = "mesh:4x4",
	.operation = LS_SHIFT,
	.algorithm = "textbook",
	.mode = LS_ROUTED,
	.shift = 5 };
static const struct claim_run shift_8 = {
	.networks = "ring:8", .operation = LS_SHIFT, .algorithm = "gray", .mode = LS_ROUTED, .shift = 5
};

static void draw_scatter(void)
{
	draw_rounds(&scatter_8, 1, "before", write_held_blocks);
}
static void draw_ring(void)
{
	draw_rounds(&exchange_6, 1, NULL, write_sent_blocks);
}
static void draw_mesh(void)
{
	draw_rounds(&exchange_9, 2, "before", write_held_blocks);
}
static void draw_cube(void)
{
	draw_rounds(&exchange_8, 1, NULL, write_held_blocks);
}
static void draw_mesh_shift(void)
{
	draw_rounds(&shift_16, 1, "before", write_held_blocks);
}
static void draw_gray_shift(void)
{
	draw_rounds(&shift_8, 1, "before", write_held_blocks);
}

static const struct claim broadcast[] = {
	{ "equation 1: ring, reduction", "T = (t_s + t_w m) log p", .expected = EXACT,
		.find = find_equation,
		.run = ROUTED_MODE("ring:2 ring:8 ring:16 ring:64", LS_REDUCE, "binomial"),
		.formula = cost_log },
	{ "equation 1: hypercube, broadcast", "T = (t_s + t_w m) log p", .expected = EXACT,
		.find = find_equation, .run = HOP_MODE(CUBES, LS_BROADCAST, "binomial"),
		.formula = cost_log },
	{ "matrix times vector, products \"accumulated to the first row\" along the columns: A x",
		"30 70 110 150", .expected = "28 64 108 160",
		.reason =
			"The sum along column j is x[j] times the sum of column j of A; section 4.1 correctly "
			"reduces along the rows",
		.find = find_product_by_columns },
	{ "balanced binary tree, processors at the leaves: \"source processor is the root\"",
		"a processor", .expected = "a switch",
		.reason = "The processors are the leaves of the tree, and its root is a switch",
		.find = find_root, .run = { .networks = "tree:8" } },
};

static const struct claim all_to_all[] = {
	{ "ring", "(t_s + t_w m)(p - 1)", .expected = EXACT, .find = find_equation,
		.run = HOP_MODE("ring:2 ring:8 ring:16 ring:64", LS_ALLGATHER, "ring"),
		.formula = cost_ring },
	{ "mesh", "2 t_s (sqrt p - 1) + t_w m (p - 1)", .expected = "exact for p = 4 16 64; m = 1 5 64",
		.find = find_equation,
		.run = ROUTED_MODE("mesh:2x2 mesh:4x4 mesh:8x8", LS_ALLGATHER, "ring"),
		.formula = cost_mesh },
	{ "equation 2: hypercube", "T = t_s log p + t_w m (p - 1)", .expected = EXACT,
		.find = find_equation, .run = HOP_MODE(CUBES, LS_ALLGATHER, "doubling"),
		.formula = cost_cube },
	{ "messages that each node of a 3 x 3 mesh holds at the end", "8", .expected = "9",
		.reason = "Nine nodes have nine messages; (0,1,2,3,4,5,6,7) omits the last",
		.find = find_size, .run = { .networks = "mesh:3x3" } },
	{ "the hypercube algorithm on a ring: messages on the busiest link, step by step", "contention",
		.expected = "1 2 4", .find = find_loads,
		.run = { .networks = "hypercube:3",
			.operation = LS_ALLGATHER,
			.algorithm = "doubling",
			.routes_of = "ring:8" } },
	{ "all-reduce", "(t_s + t_w m) log p", .expected = EXACT, .find = find_equation,
		.run = HOP_MODE(CUBES, LS_ALLREDUCE, "doubling"), .formula = cost_log },
};

static const struct claim scatter[] = {
	{ "equation 3: hypercube", "T = t_s log p + t_w m (p - 1)", .expected = EXACT,
		.find = find_equation, .run = HOP_MODE(CUBES, LS_SCATTER, "binomial"),
		.formula = cost_cube },
	{ "gather", "the inverse", .expected = EXACT, .find = find_equation,
		.run = HOP_MODE(CUBES, LS_GATHER, "binomial"), .formula = cost_cube },
	{ "linear array", "\"This time holds\"", .expected = EXACT, .find = find_equation,
		.run = ROUTED_MODE("linear:2 linear:8 linear:16 linear:64", LS_SCATTER, "binomial"),
		.formula = cost_cube },
	{ "2-D mesh", "\"This time holds\"", .expected = "exact for p = 4 16 64; m = 1 5 64",
		.find = find_equation,
		.run = ROUTED_MODE("mesh:2x2 mesh:4x4 mesh:8x8", LS_SCATTER, "binomial"),
		.formula = cost_cube },
	{ "linear array, messages between neighbors only: steps, p = 8, 16, 64", "3 4 6",
		.expected = "7 15 63",
		.reason =
			"log p steps require messages that bypass nodes; between neighbors the scatter takes "
			"p - 1 steps",
		.find = find_rounds,
		.run = HOP_MODE("linear:8 linear:16 linear:64", LS_SCATTER, "pipeline") },
};

static const struct claim exchange_ring[] = {
	{ "equation 4: p - 1 steps of m(p - i) words", "T = (t_s + t_w m p/2)(p - 1)",
		.expected = "exact for p = 2 5 6 8 16; m = 1 5 64", .find = find_equation,
		.run = HOP_MODE("ring:2 ring:5 ring:6 ring:8 ring:16", LS_ALLTOALL, "ring"),
		.formula = cost_ring_exchange },
	{ "words of a message, step by step, p = 6", "5m, 4m, ..", .expected = "5 4 3 2 1",
		.find = find_messages, .run = HOP_MODE("ring:6", LS_ALLTOALL, "ring") },
	{ "factor by which two directions reduce the t_w term, p = 6, 16, 64", "2.00 2.00 2.00",
		.expected = "1.67 1.88 1.97",
		.reason =
			"With one message at a time the two directions alternate, and only the paths become "
			"shorter; the factor approaches 2 on long rings",
		.find = find_ratio, .run = HOP_MODE("ring:6 ring:16 ring:64", LS_ALLTOALL, "ring") },
	{ "transposing a 4 x 4 matrix of 1 .. 16, one row per process, on threads", "the transpose",
		.expected = "1 5 9 13; 2 6 10 14; 3 7 11 15; 4 8 12 16", .find = find_transposed,
		.run = HOP_MODE("ring:4", LS_ALLTOALL, "ring") },
};

static const struct claim exchange_mesh[] = {
	{ "equation 5: mesh", "T = (2 t_s + t_w m p)(sqrt p - 1)",
		.expected = "exact for p = 4 9 16 64; m = 1 5 64", .find = find_equation,
		.run = ROUTED_MODE("mesh:2x2 mesh:3x3 mesh:4x4 mesh:8x8", LS_ALLTOALL, "ring"),
		.formula = cost_mesh_exchange },
	{ "the same on a torus, where every message crosses one link", NULL,
		.expected = "exact for p = 4 9 16 64; m = 1 5 64", .find = find_equation,
		.run = HOP_MODE("torus:2x2 torus:3x3 torus:4x4 torus:8x8", LS_ALLTOALL, "ring"),
		.formula = cost_mesh_exchange },
};

static const struct claim exchange_cube[] = {
	{ "equation 6: by dimensions", "T = (t_s + t_w m p/2) log p", .expected = EXACT,
		.find = find_equation, .run = HOP_MODE(CUBES, LS_ALLTOALL, "dimension"),
		.formula = cost_cube_exchange },
	{ "words that a node sends, one at a time, p = 8, 16, 64: \"This is not optimal!\"",
		"m p/2 log p", .expected = "12 32 192", .find = find_volume,
		.run = HOP_MODE("hypercube:3 hypercube:4 hypercube:6", LS_ALLTOALL, "dimension") },
};

static const struct claim exchange_optimal[] = {
	{ "equation 7: p - 1 steps", "T = (t_s + t_w m)(p - 1)", .expected = EXACT,
		.find = find_equation, .run = ROUTED_MODE(CUBES, LS_ALLTOALL, "ecube"),
		.formula = cost_ring },
	{ "in step j node i exchanges data with node", "i XOR j", .find = find_partners,
		.run = ROUTED_MODE("hypercube:4", LS_ALLTOALL, "ecube") },
	{ "routes of the seventh step",
		"0>1>3>7 1>0>2>6 2>3>1>5 3>2>0>4 4>5>7>3 5>4>6>2 6>7>5>1 7>6>4>0", .find = find_routes },
	{ "\"none of the bidirectional links carry more than one message in the same direction\"",
		"congestion-free", .expected = "1 1 1 1 1 1 1", .find = find_loads,
		.run = ROUTED_MODE("hypercube:3", LS_ALLTOALL, "ecube") },
};

#define RINGS   "ring:4 ring:8 ring:16 ring:32 ring:64"
#define CUBES_4 "hypercube:2 hypercube:3 hypercube:4 hypercube:5 hypercube:6"
#define TORUSES "torus:2x2 torus:3x3 torus:4x4 torus:5x5 torus:6x6 torus:7x7 torus:8x8"
static const struct claim shift_mesh[] = {
	{ "ring, min(q, p - q) steps, p = 8, q = 1 .. 7", "1 2 3 4 3 2 1", .find = find_each_shift,
		.run = HOP_MODE("ring:8", LS_SHIFT, "ring") },
	{ "5-shift on a 4 x 4 mesh: steps", "3", .find = find_rounds,
		.run = { .networks = "mesh:4x4",
			.operation = LS_SHIFT,
			.algorithm = "textbook",
			.mode = LS_ROUTED,
			.shift = 5 } },
	{ "maximum steps over all q on an s x s mesh with wraparound, s = 2 .. 8",
		"at most sqrt p + 1 = 3 4 5 6 7 8 9", .expected = "3 3 5 5 7 7 9", .find = find_most_rounds,
		.run = HOP_MODE(TORUSES, LS_SHIFT, "textbook") },
	{ "maximum steps if rows shift forward only, 4 x 4 and 8 x 8", "5 9", .expected = "6 12",
		.reason = "The bound sqrt p + 1 holds only if rows shift in the shorter direction, over "
				  "wraparound "
				  "links",
		.find = find_forward_rows },
	{ "maximum steps if each line shifts by its own amount, without compensation, s = 2 .. 8", NULL,
		.expected = "2 2 4 4 6 6 8", .find = find_most_rounds,
		.run = HOP_MODE(TORUSES, LS_SHIFT, "dimension") },
};

static const struct claim shift_cube[] = {
	{ "equation 8: maximum steps over all q with the Gray code, p = 4, 8, .. 64", "2 log p - 1",
		.expected = "3 5 7 9 11", .find = find_most_rounds,
		.run = ROUTED_MODE(RINGS, LS_SHIFT, "gray") },
	{ "messages on the busiest link of the hypercube in these shifts", NULL,
		.expected = "1 1 1 1 1", .find = find_most_load,
		.run = { .networks = RINGS,
			.operation = LS_SHIFT,
			.algorithm = "gray",
			.mode = LS_ROUTED,
			.routes_of = "hypercube",
			.vertex_of = gray_code } },
	{ "maximum steps if powers of 2 may also be subtracted, p = 8, 16, 32", "5 7 9",
		.expected = "3 4 5",
		.reason = "Subtraction shortens shifts, as in 7 = 8 - 1; 2 log p - 1 is the bound for sums "
				  "of powers",
		.find = find_signed_digits },
	{ "natural labels, one link per step, p = 4, 8, .. 64: log p", NULL, .expected = "2 3 4 5 6",
		.find = find_most_rounds, .run = HOP_MODE(CUBES_4, LS_SHIFT, "dimension") },
	{ "equation 9: E-cube routing", "T = t_s + t_w m",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = { .networks = CUBES,
			.operation = LS_SHIFT,
			.algorithm = "ecube",
			.mode = LS_ROUTED,
			.shift = 1 },
		.formula = cost_step },
	{ "messages on the busiest link for any q, p = 4, 8, .. 64", "1 1 1 1 1",
		.find = find_most_load, .run = ROUTED_MODE(CUBES_4, LS_SHIFT, "ecube") },
	{ "the same with the labels of the previous slide, the Gray code", "1 1 1 1 1",
		.expected = "1 2 2 2 2",
		.reason =
			"With the Gray code two messages can share a link; equation 9 holds only for natural "
			"labels",
		.find = find_most_load,
		.run = { .networks = RINGS,
			.operation = LS_SHIFT,
			.algorithm = "direct",
			.mode = LS_ROUTED,
			.routes_of = "hypercube",
			.vertex_of = gray_code } },
	{ "links of the longest route, q = 1 .. 7: log p minus the trailing zero bits of q", NULL,
		.expected = "3 2 3 1 3 2 3", .find = find_longest_routes,
		.run = ROUTED_MODE("hypercube:3", LS_SHIFT, "ecube") },
};

#define LONG_CUBES "hypercube:3 hypercube:4 hypercube:6 hypercube:10"
static const struct claim improving[] = {
	{ "equation 10: broadcast by scatter and all-to-all broadcast",
		"T = 2 (t_s log p + t_w (p - 1) m/p)", .expected = "exact for p = 2 8 16 64; m = p 5p 64p",
		.find = find_equation_parts, .run = HOP_MODE(CUBES, LS_BROADCAST, "scatter-allgather"),
		.formula = cost_parts },
	{ "reduction by all-to-all reduction and gather", "dual",
		.expected = "exact for p = 2 8 16 64; m = p 5p 64p", .find = find_equation_parts,
		.run = HOP_MODE(CUBES, LS_REDUCE, "reduce-scatter-gather"), .formula = cost_parts },
	{ "all-reduce by all-to-all reduction and all-to-all broadcast", "similar",
		.expected = "exact for p = 2 8 16 64; m = p 5p 64p", .find = find_equation_parts,
		.run = HOP_MODE(CUBES, LS_ALLREDUCE, "halving-doubling"), .formula = cost_parts },
	{ "smallest m at which the long broadcast is faster, t_s = 1000 t_w; p = 8, 16, 64, 1024", NULL,
		.expected = "2403 1885 1497 1314", .find = find_crossovers,
		.run = { .networks = LONG_CUBES,
			.operation = LS_BROADCAST,
			.algorithm = "scatter-allgather",
			.baseline = "binomial" } },
	{ "smallest m at which the long all-reduce is faster, for the same t_s and p", NULL,
		.expected = "2405 1886 1505 1378", .find = find_crossovers,
		.run = { .networks = LONG_CUBES,
			.operation = LS_ALLREDUCE,
			.algorithm = "halving-doubling",
			.baseline = "doubling" } },
	{ "smallest m at which the long all-reduce beats that of the star paper on S_4, S_5, S_6", NULL,
		.expected = "1476 1014 906", .find = find_crossovers,
		.run = { .networks = "star:4 star:5 star:6",
			.operation = LS_ALLREDUCE,
			.algorithm = "reduce-scatter-allgather",
			.baseline = "paper" } },
};

static const struct misprint misprints[] = {
	{ "Introduction: \"t_s + t_m w\"", "t_s + t_w m" },
	{ "\"the k-node subset\" of prefix sums", "k + 1 nodes, as in 002" },
	{ "\"less much less than this communication time\"", "much less" },
	{ "GENERAL_ONE_TO_ALL_BC and ALL_TO_ONE_REDUCE: \"endelse\" without \"endif\"",
		"\"endif\" is missing, and the reduction overwrites X" },
	{ "table of E-cube routes",
		"stray \">\" marks, and the other panels are lost; the routes above are computed" },
	{ "equations (1) to (10)",
		"the numbers differ from 4.1 to 4.12 of the book; that of the mesh shift has no number" },
};

#define ITEM(name_, title_, claims_, ...) \
	{ \
		name_, title_, CLAIMS(claims_), __VA_ARGS__ \
	}
static const struct source_item items[] = {
	ITEM("equation1", "Broadcast and reduction", broadcast, .draw = NULL),
	ITEM("equation2", "All-to-all broadcast and reduction, all-reduce", all_to_all, .draw = NULL),
	ITEM("scatter", "Scatter on a hypercube: destinations of the messages at each node; equation 3",
		scatter, .draw = draw_scatter),
	ITEM("exchange-ring", "Total exchange on a ring: xy is {x,y}, from x to y; equation 4",
		exchange_ring, .draw = draw_ring),
	ITEM("exchange-mesh", "Total exchange on a mesh: messages at each node; equation 5",
		exchange_mesh, .draw = draw_mesh),
	ITEM("exchange-cube", "Total exchange on a hypercube: messages at each node; equation 6",
		exchange_cube, .draw = draw_cube),
	ITEM("exchange-ecube",
		"Optimal total exchange on a hypercube: routes of the seventh step; equation 7",
		exchange_optimal, .draw = draw_routes),
	ITEM("shift-mesh", "Circular shift by 5 on a 4 x 4 mesh: origin of the packet at each node",
		shift_mesh, .draw = draw_mesh_shift),
	ITEM("shift-cube",
		"Circular shift by 5 = 4 + 1 on a hypercube with Gray-code positions; equations 8, 9",
		shift_cube, .draw = draw_gray_shift),
	ITEM("equation10", "Long messages sent in parts; equation 10", improving, .misprint = misprints,
		.misprints = ARRAY_LENGTH(misprints)),
};

const struct source_document source_slides = { "001",
	"Slides to Grama, Gupta, Karypis, Kumar 2003, chapter 4", ITEMS(items) };
