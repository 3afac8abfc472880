/*
 * 003: Grama, Gupta, Karypis, Kumar 2003, section 4.2.
 */
#include "reproduce/reproduce.h"
#include "report/text_table.h"
#include "base/messages.h"

#include <inttypes.h>
#include <string.h>

#define RINGS(specs) ON(specs, LS_ALLGATHER, "ring")
#define CUBES(specs) ON(specs, LS_ALLGATHER, "doubling")

static const struct seed_run ring_8 = RINGS("ring:8");
static const struct seed_run mesh_3x3 = ROUTED("mesh:3x3", LS_ALLGATHER, "ring");
static const struct seed_run cube_3 = CUBES("hypercube:3");

static void draw_pattern(void)
{
	seed_draw(&ring_8, 7, "before", seed_cell_held);
}
static void draw_ring(void)
{
	seed_draw(&ring_8, 1, NULL, seed_cell_sent);
}
static void draw_mesh(void)
{
	seed_draw(&mesh_3x3, 1, "before", seed_cell_held);
}
static void draw_cube(void)
{
	seed_draw(&cube_3, 1, "before", seed_cell_held);
}

/* The links of a ring that the messages of one step cross, each a row; and how many cross each. */
static void draw_contention(void)
{
	enum { P = 8, AWAY = 4 };
	const char *head[] = { "message", "0>1", "1>2", "2>3", "3>4", "4>5", "5>6", "6>7", "7>0",
		NULL };
	struct table table = table_begin(head);
	ls_topology *ring = NULL;
	int load[P] = { 0 };

	if (ls_topology_make("ring:8", &ring, NULL) != LS_OK)
		return;
	for (int64_t from = 0; from < P; from++) {
		const int64_t to = from ^ AWAY;
		bool crossed[P] = { false };

		for (int64_t at = from; at != to; at = ls_neighbor(ring, at, ls_first_hop(ring, at, to)))
			crossed[at] = true;
		table_cell(&table, "%" PRId64 " to %" PRId64, from, to);
		for (int link = 0; link < P; link++) {
			load[link] += crossed[link];
			table_cell(&table, "%s", crossed[link] ? "-->" : "");
		}
	}
	table_cell(&table, "%s", "messages");
	for (int link = 0; link < P; link++)
		table_cell(&table, "%d", load[link]);
	table_text(&table, 0);
	table_end(&table);
	ls_topology_destroy(ring);
}

/* The label of the arc from node 0 to node 1 in step 2: "2 (7)". */
static void find_arc(const struct seed_claim *claim, char *found)
{
	struct seed_plan plan;

	if (!seed_open(&claim->run, claim->run.networks, &plan, found))
		return;

	struct seed_play play = seed_play_begin(plan.plan, 0);

	found[0] = '\0';
	while (play.round < 2 && seed_play_round(&play))
		;
	for (size_t i = 0; i < play.messages; i++)
		if (play.message[i].src == 0 && play.message[i].dst == 1) {
			char text[64];

			seed_set_text(play.message[i].value[0].atoms, text, sizeof text);
			seed_add(found, "%" PRId64 " %s", play.round, text);
		}
	seed_play_end(&play);
	seed_close(&plan);
}

/* What every node holds at the end; nothing if they differ. */
static void find_held(const struct seed_claim *claim, char *found)
{
	struct seed_plan plan;

	if (!seed_open(&claim->run, claim->run.networks, &plan, found))
		return;

	struct seed_play play = seed_play_begin(plan.plan, 0);
	bool is_same = true;

	while (seed_play_round(&play))
		;
	for (int64_t r = 0; r < play.nodes; r++)
		is_same = is_same && play.held[r][0] == play.held[0][0];
	snprintf(found, SEED_TEXT, "different messages");
	if (is_same)
		seed_set_text(play.held[0], found, SEED_TEXT);
	seed_play_end(&play);
	seed_close(&plan);
}

/* What node 0 sends first in the reduction. */
static void find_first_sent(const struct seed_claim *claim, char *found)
{
	struct seed_plan plan;
	struct ls_step step;

	if (!seed_open(&claim->run, claim->run.networks, &plan, found))
		return;
	ls_plan_step(plan.plan, 0, 0, &step);
	snprintf(found, SEED_TEXT, "msg[%" PRId64 "] to %" PRId64, ls_slice_at(&step.send[0], 0),
		step.to[0]);
	seed_close(&plan);
}

/* Step 3 of Figure 4.11 on a ring: even nodes one way round, odd nodes the other. */
static void find_split_ways(const struct seed_claim *claim, char *found)
{
	enum { P = 8 };
	int load[2][P] = { { 0 } }, most = 0;

	(void)claim;
	for (int r = 0; r < P; r++)
		for (int hop = 0; hop < P / 2; hop++) {
			const int at = r % 2 == 0 ? (r + hop) % P : (r - hop + P) % P;
			const int here = ++load[r % 2][at];

			most = here > most ? here : most;
		}
	snprintf(found, SEED_TEXT, "%d", most);
}

static const struct seed_claim figure8[] = {
	{ "all-to-all broadcast: every message at every node, p = 1 .. 6", "p messages",
		.right = "proved", .find = find_laws,
		.run = RINGS("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6") },
	{ "all-to-all reduction: every node a reduction of its own, p = 1 .. 6", "p reductions",
		.right = "proved", .find = find_laws,
		.run = ON("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6", LS_REDUCE_SCATTER, "ring") },
};

static const struct seed_claim figure9[] = {
	{ "the arc between nodes 0 and 1", "2 (7)", .find = find_arc, .run = RINGS("ring:8") },
	{ "each node receives all p - 1 pieces in p - 1 steps, p = 2, 5, 8, 13", "1 4 7 12",
		.find = find_executed, .run = RINGS("ring:2 ring:5 ring:8 ring:13") },
	{ "\"complete in a total of p nearest-neighbor communication steps\", p = 8", "8", .right = "7",
		.why = "It is p - 1, as the section says itself", .find = find_executed,
		.run = RINGS("ring:8") },
	{ "the same on a linear array, its links both ways: messages on one link", "works",
		.right = "1 1 1", .find = find_load,
		.run = ROUTED("linear:3 linear:8 linear:13", LS_ALLGATHER, "ring") },
};

static const struct seed_claim figure10[] = {
	{ "by the end all nodes get", "(0,1,2,3,4,5,6,7)", .right = "(0,1,2,3,4,5,6,7,8)",
		.why = "Nine nodes have nine messages; so on the slide", .find = find_held,
		.run = ROUTED("mesh:3x3", LS_ALLGATHER, "ring") },
	{ "messages are sqrt p times as long in the second phase", "m sqrt p", .right = "1 1 3 3",
		.find = find_messages, .run = ROUTED("mesh:3x3", LS_ALLGATHER, "ring") },
};

static const struct seed_claim figure11[] = {
	{ "all messages at every node", "(0,1,2,3,4,5,6,7)", .find = find_held,
		.run = CUBES("hypercube:3") },
	{ "words of a message double at each step", "m, 2m, 4m", .right = "1 2 4",
		.find = find_messages, .run = CUBES("hypercube:3") },
};

static const struct seed_claim figure12[] = {
	{ "the steps of Figure 4.11 on a ring, distance ties broken one way: messages on one link",
		"\"traversed by all four messages\"", .right = "1 2 4", .find = find_loads,
		.run = { .networks = "hypercube:3",
			.operation = LS_ALLGATHER,
			.algorithm = "doubling",
			.along = "ring:8" } },
	{ "on a linear array", NULL, .right = "1 2 4", .find = find_loads,
		.run = { .networks = "hypercube:3",
			.operation = LS_ALLGATHER,
			.algorithm = "doubling",
			.along = "linear:8" } },
	{ "the third step on a ring", "4", .right = "2",
		.why = "Both ways are as short: 4 if all go one way, 2 if odd nodes go the other",
		.find = find_split_ways },
};

static const struct seed_claim algorithms[] = {
	{ "Algorithm 4.4: rings of any length", "procedure", .right = "proved", .find = find_laws,
		.run = RINGS("ring:2 ring:3 ring:8 ring:33") },
	{ "Algorithm 4.5, its first step: node 0 sends", "msg[1] to 7", .find = find_first_sent,
		.run = ON("ring:8", LS_REDUCE_SCATTER, "ring") },
	{ "Algorithm 4.5: reduction on a ring", "procedure", .right = "proved", .find = find_laws,
		.run = ON("ring:2 ring:3 ring:8 ring:33", LS_REDUCE_SCATTER, "ring") },
	{ "Algorithm 4.6: square meshes, p = 4, 9, 16, 25", "procedure", .right = "proved",
		.find = find_laws,
		.run = ROUTED("mesh:2x2 mesh:3x3 mesh:4x4 mesh:5x5", LS_ALLGATHER, "ring") },
	{ "Algorithm 4.7: hypercubes, p = 2 .. 32", "procedure", .right = "proved", .find = find_laws,
		.run = CUBES(CUBES_TO_32) },
	{ "Algorithm 4.8: reduction on hypercubes, p = 2 .. 32", "\"All-to-all broadcast\"",
		.right = "proved", .why = "The caption of a reduction, which the plan is proved to be",
		.find = find_laws, .run = ON(CUBES_TO_32, LS_REDUCE_SCATTER, "halving") },
	{ "its messages, 2^i words for i = d - 1 down to 0", "for i := d - 1 to 0", .right = "4 2 1",
		.why = "\"to\" counts up; it should be \"downto\"", .find = find_messages,
		.run = ON("hypercube:3", LS_REDUCE_SCATTER, "halving") },
};

#define EXACT_SQUARES "exact for p = 4 9 16 64; m = 1 5 64"
static const struct seed_claim equations[] = {
	{ "equation 4.2, ring", "T = (t_s + t_w m)(p - 1)",
		.right = "exact for p = 2 5 8 16 33; m = 1 5 64", .find = find_equation,
		.run = RINGS("ring:2 ring:5 ring:8 ring:16 ring:33"), .formula = cost_ring },
	{ "equation 4.3, mesh", "T = 2 t_s (sqrt p - 1) + t_w m (p - 1)", .right = EXACT_SQUARES,
		.find = find_equation,
		.run = ROUTED("mesh:2x2 mesh:3x3 mesh:4x4 mesh:8x8", LS_ALLGATHER, "ring"),
		.formula = cost_mesh },
	{ "the same with wraparound, each message over one link", NULL, .right = EXACT_SQUARES,
		.find = find_equation, .run = RINGS("torus:2x2 torus:3x3 torus:4x4 torus:8x8"),
		.formula = cost_mesh },
	{ "equation 4.4, hypercube", "T = t_s log p + t_w m (p - 1)",
		.right = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = CUBES("hypercube:1 hypercube:3 hypercube:4 hypercube:6"), .formula = cost_cube },
	{ "reduction, ring", "the same", .right = "exact for p = 2 5 8 16 33; m = 1 5 64",
		.find = find_equation,
		.run = ON("ring:2 ring:5 ring:8 ring:16 ring:33", LS_REDUCE_SCATTER, "ring"),
		.formula = cost_ring },
	{ "reduction, mesh", "the same", .right = EXACT_SQUARES, .find = find_equation,
		.run = ROUTED("mesh:2x2 mesh:3x3 mesh:4x4 mesh:8x8", LS_REDUCE_SCATTER, "ring"),
		.formula = cost_mesh },
	{ "reduction, hypercube", "the same", .right = "exact for p = 2 8 16 64; m = 1 5 64",
		.find = find_equation,
		.run = ON("hypercube:1 hypercube:3 hypercube:4 hypercube:6", LS_REDUCE_SCATTER, "halving"),
		.formula = cost_cube },
	{ "p broadcasts pipelined: p - 1 steps, p = 8, 16, 32", "(t_s + t_w m)(p - 1)",
		.right = "7 15 31", .find = find_rounds, .run = RINGS("ring:8 ring:16 ring:32") },
	{ "against log p steps for each broadcast by itself, p = 8, 16, 32", "n (t_s + t_w m) log p",
		.right = "3 4 5", .find = find_rounds,
		.run = ON("hypercube:3 hypercube:4 hypercube:5", LS_BROADCAST, "binomial") },
};

static const struct seed_misprint misprints[] = {
	{ "Algorithms 4.4, 4.6 and 4.7, equations 4.2, 4.3 and 4.4",
		"cut off in the text; restored from the slides" },
	{ "Algorithm 4.8: \"2i\" and inner \"for j\"",
		"2^i; the inner loop uses j again, which does no harm" },
	{ "\"(my_id - 1) mod sqrt p\"",
		"the mathematical mod: % of C is -1 at the first node of a row" },
};

static const struct seed_item items[] = {
	{ "figure4.8", "Figure 4.8: all-to-all broadcast and reduction; whose messages a node has",
		SEED_CLAIMS(figure8), .draw = draw_pattern },
	{ "figure4.9", "Figure 4.9: on an 8-node ring; >1 (7): to 1, the message of 7",
		SEED_CLAIMS(figure9), .draw = draw_ring },
	{ "figure4.10", "Figure 4.10: on a 3 x 3 mesh, whose messages a node has",
		SEED_CLAIMS(figure10), .draw = draw_mesh },
	{ "figure4.11", "Figure 4.11: on a 3-dimensional hypercube", SEED_CLAIMS(figure11),
		.draw = draw_cube },
	{ "figure4.12", "Figure 4.12: the hypercube's steps on a ring; the links of the third",
		SEED_CLAIMS(figure12), .draw = draw_contention },
	{ "algorithm4.8", "Algorithms 4.4 to 4.8", SEED_CLAIMS(algorithms) },
	{ "equation4.4", "Equations 4.2, 4.3 and 4.4", SEED_CLAIMS(equations), .misprint = misprints,
		.misprints = SEED_COUNT(misprints) },
};

const struct seed_document seed_allgather = { "003",
	"Grama, Gupta, Karypis, Kumar 2003, section 4.2: All-to-All Broadcast and Reduction",
	SEED_ITEMS(items) };
