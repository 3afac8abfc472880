/*
 * 003: Grama, Gupta, Karypis, Kumar 2003, section 4.2.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "report/text_table.h"
#include "base/messages.h"

#include <inttypes.h>
#include <string.h>

#define RINGS(specs) HOP_MODE(specs, LS_ALLGATHER, "ring")
#define CUBES(specs) HOP_MODE(specs, LS_ALLGATHER, "doubling")

static const struct claim_run ring_8 = RINGS("ring:8");
static const struct claim_run mesh_3x3 = ROUTED_MODE("mesh:3x3", LS_ALLGATHER, "ring");
static const struct claim_run cube_3 = CUBES("hypercube:3");

static void draw_pattern(void)
{
	draw_rounds(&ring_8, 7, "before", write_held_blocks);
}
static void draw_ring(void)
{
	draw_rounds(&ring_8, 1, NULL, write_sent_blocks);
}
static void draw_mesh(void)
{
	draw_rounds(&mesh_3x3, 1, "before", write_held_blocks);
}
static void draw_cube(void)
{
	draw_rounds(&cube_3, 1, "before", write_held_blocks);
}

/* One row per message of a step with the links that it crosses; the last row counts messages. */
static void draw_contention(void)
{
	enum { P = 8, DISTANCE = 4 };
	const char *head[] = { "message", "0>1", "1>2", "2>3", "3>4", "4>5", "5>6", "6>7", "7>0",
		NULL };
	struct table table = table_begin(head);
	ls_topology *ring = NULL;
	int load[P] = { 0 };

	if (ls_topology_make("ring:8", &ring, NULL) != LS_OK)
		return;
	for (int64_t from = 0; from < P; from++) {
		const int64_t to = from ^ DISTANCE;
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
static void find_arc(const struct claim *claim, char *found)
{
	struct claim_plan plan;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;

	struct origin_replay replay = origin_replay_begin(plan.plan);

	found[0] = '\0';
	while (replay.round < 2 && origin_replay_round(&replay))
		;
	for (int64_t i = 0; i < replay.terms.messages; i++) {
		const struct term_message *message = &replay.terms.message[i];
		char text[64];

		if (message->src == 0 && message->dst == 1) {
			format_origins(origins_of_message(&replay, message), text, sizeof text);
			append_text(found, "%" PRId64 " %s", replay.round, text);
		}
	}
	origin_replay_end(&replay);
	close_claim_plan(&plan);
}

/* The blocks that every node holds at the end. */
static void find_held(const struct claim *claim, char *found)
{
	struct claim_plan plan;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;

	struct origin_replay replay = origin_replay_begin(plan.plan);
	bool is_same = true;

	while (origin_replay_round(&replay))
		;
	for (int64_t r = 0; r < replay.nodes; r++)
		is_same = is_same && replay.held[r].bits[0] == replay.held[0].bits[0];
	snprintf(found, FOUND_SIZE, "different messages");
	if (is_same)
		format_origins(replay.held[0], found, FOUND_SIZE);
	origin_replay_end(&replay);
	close_claim_plan(&plan);
}

/* The first message of node 0 in the reduction. */
static void find_first_sent(const struct claim *claim, char *found)
{
	struct claim_plan plan;
	struct ls_step step;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;
	ls_plan_step(plan.plan, 0, 0, &step);
	snprintf(found, FOUND_SIZE, "msg[%" PRId64 "] to %" PRId64, ls_slice_at(&step.send[0], 0),
		step.to[0]);
	close_claim_plan(&plan);
}

/* Step 3 of Figure 4.11 on a ring; even and odd nodes send in opposite directions. */
static void find_load_both_directions(const struct claim *claim, char *found)
{
	enum { P = 8 };
	int load[2][P] = { { 0 } }, most = 0;

	(void)claim;
	record_method(METHOD_FORMULA, P);
	for (int r = 0; r < P; r++)
		for (int hop = 0; hop < P / 2; hop++) {
			const int at = r % 2 == 0 ? (r + hop) % P : (r - hop + P) % P;
			const int here = ++load[r % 2][at];

			most = here > most ? here : most;
		}
	snprintf(found, FOUND_SIZE, "%d", most);
}

static const struct claim figure8[] = {
	{ "all-to-all broadcast: every node holds every message, p = 1 .. 6", "p messages",
		.expected = "proved", .find = find_laws,
		.run = RINGS("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6") },
	{ "all-to-all reduction: every node holds its own reduction, p = 1 .. 6", "p reductions",
		.expected = "proved", .find = find_laws,
		.run = HOP_MODE("ring:1 ring:2 ring:3 ring:4 ring:5 ring:6", LS_REDUCE_SCATTER, "ring") },
};

static const struct claim figure9[] = {
	{ "the arc between nodes 0 and 1", "2 (7)", .find = find_arc, .run = RINGS("ring:8") },
	{ "each node receives all p - 1 pieces in p - 1 steps, p = 2, 5, 8, 13", "1 4 7 12",
		.find = find_executed, .run = RINGS("ring:2 ring:5 ring:8 ring:13") },
	{ "\"complete in a total of p nearest-neighbor communication steps\", p = 8", "8",
		.expected = "7",
		.reason = "The operation takes p - 1 steps, as the same section states elsewhere",
		.find = find_executed, .run = RINGS("ring:8") },
	{ "the same on a linear array with bidirectional links: messages on the busiest link", "works",
		.expected = "1 1 1", .find = find_load,
		.run = ROUTED_MODE("linear:3 linear:8 linear:13", LS_ALLGATHER, "ring") },
};

static const struct claim figure10[] = {
	{ "messages at every node at the end", "(0,1,2,3,4,5,6,7)", .expected = "(0,1,2,3,4,5,6,7,8)",
		.reason = "Nine nodes have nine messages; the slide has the same error", .find = find_held,
		.run = ROUTED_MODE("mesh:3x3", LS_ALLGATHER, "ring") },
	{ "words of a message, step by step: sqrt p times as long in the second phase", "m sqrt p",
		.expected = "1 1 3 3", .find = find_messages,
		.run = ROUTED_MODE("mesh:3x3", LS_ALLGATHER, "ring") },
};

static const struct claim figure11[] = {
	{ "messages at every node at the end", "(0,1,2,3,4,5,6,7)", .find = find_held,
		.run = CUBES("hypercube:3") },
	{ "words of a message double at each step", "m, 2m, 4m", .expected = "1 2 4",
		.find = find_messages, .run = CUBES("hypercube:3") },
};

static const struct claim figure12[] = {
	{ "the steps of Figure 4.11 on a ring, equal distances routed in one direction: messages on "
	  "the busiest link",
		"\"traversed by all four messages\"", .expected = "1 2 4", .find = find_loads,
		.run = { .networks = "hypercube:3",
			.operation = LS_ALLGATHER,
			.algorithm = "doubling",
			.routes_of = "ring:8" } },
	{ "the same on a linear array", NULL, .expected = "1 2 4", .find = find_loads,
		.run = { .networks = "hypercube:3",
			.operation = LS_ALLGATHER,
			.algorithm = "doubling",
			.routes_of = "linear:8" } },
	{ "messages on the busiest link in the third step on a ring", "4", .expected = "2",
		.reason =
			"Both directions are equally long: a link carries 4 messages if all use one direction, "
			"but only 2 if odd nodes use the other",
		.find = find_load_both_directions },
};

static const struct claim algorithms[] = {
	{ "Algorithm 4.4: rings of any length", "procedure", .expected = "proved", .find = find_laws,
		.run = RINGS("ring:2 ring:3 ring:8 ring:33") },
	{ "Algorithm 4.5, its first step: node 0 sends", "msg[1] to 7", .find = find_first_sent,
		.run = HOP_MODE("ring:8", LS_REDUCE_SCATTER, "ring") },
	{ "Algorithm 4.5: reduction on a ring", "procedure", .expected = "proved", .find = find_laws,
		.run = HOP_MODE("ring:2 ring:3 ring:8 ring:33", LS_REDUCE_SCATTER, "ring") },
	{ "Algorithm 4.6: square meshes, p = 4, 9, 16, 25", "procedure", .expected = "proved",
		.find = find_laws,
		.run = ROUTED_MODE("mesh:2x2 mesh:3x3 mesh:4x4 mesh:5x5", LS_ALLGATHER, "ring") },
	{ "Algorithm 4.7: hypercubes, p = 2 .. 32", "procedure", .expected = "proved",
		.find = find_laws, .run = CUBES(CUBES_TO_32) },
	{ "Algorithm 4.8: reduction on hypercubes, p = 2 .. 32", "\"All-to-all broadcast\"",
		.expected = "proved",
		.reason = "The caption should say reduction: the check proves that the plan is one",
		.find = find_laws, .run = HOP_MODE(CUBES_TO_32, LS_REDUCE_SCATTER, "halving") },
	{ "Algorithm 4.8: messages of 2^i words for i = d - 1 down to 0", "for i := d - 1 to 0",
		.expected = "4 2 1", .reason = "\"to\" counts upward; \"downto\" is correct",
		.find = find_messages, .run = HOP_MODE("hypercube:3", LS_REDUCE_SCATTER, "halving") },
};

#define EXACT_SQUARES "exact for p = 4 9 16 64; m = 1 5 64"
static const struct claim equations[] = {
	{ "equation 4.2, ring", "T = (t_s + t_w m)(p - 1)",
		.expected = "exact for p = 2 5 8 16 33; m = 1 5 64", .find = find_equation,
		.run = RINGS("ring:2 ring:5 ring:8 ring:16 ring:33"), .formula = cost_ring },
	{ "equation 4.3, mesh", "T = 2 t_s (sqrt p - 1) + t_w m (p - 1)", .expected = EXACT_SQUARES,
		.find = find_equation,
		.run = ROUTED_MODE("mesh:2x2 mesh:3x3 mesh:4x4 mesh:8x8", LS_ALLGATHER, "ring"),
		.formula = cost_mesh },
	{ "the same on a torus, where every message crosses one link", NULL, .expected = EXACT_SQUARES,
		.find = find_equation, .run = RINGS("torus:2x2 torus:3x3 torus:4x4 torus:8x8"),
		.formula = cost_mesh },
	{ "equation 4.4, hypercube", "T = t_s log p + t_w m (p - 1)",
		.expected = "exact for p = 2 8 16 64; m = 1 5 64", .find = find_equation,
		.run = CUBES("hypercube:1 hypercube:3 hypercube:4 hypercube:6"), .formula = cost_cube },
	{ "reduction, ring", "the same", .expected = "exact for p = 2 5 8 16 33; m = 1 5 64",
		.find = find_equation,
		.run = HOP_MODE("ring:2 ring:5 ring:8 ring:16 ring:33", LS_REDUCE_SCATTER, "ring"),
		.formula = cost_ring },
	{ "reduction, mesh", "the same", .expected = EXACT_SQUARES, .find = find_equation,
		.run = ROUTED_MODE("mesh:2x2 mesh:3x3 mesh:4x4 mesh:8x8", LS_REDUCE_SCATTER, "ring"),
		.formula = cost_mesh },
	{ "reduction, hypercube", "the same", .expected = "exact for p = 2 8 16 64; m = 1 5 64",
		.find = find_equation,
		.run = HOP_MODE(
			"hypercube:1 hypercube:3 hypercube:4 hypercube:6", LS_REDUCE_SCATTER, "halving"),
		.formula = cost_cube },
	{ "p broadcasts pipelined: p - 1 steps, p = 8, 16, 32", "(t_s + t_w m)(p - 1)",
		.expected = "7 15 31", .find = find_rounds, .run = RINGS("ring:8 ring:16 ring:32") },
	{ "for comparison: log p steps for each separate broadcast, p = 8, 16, 32",
		"n (t_s + t_w m) log p", .expected = "3 4 5", .find = find_rounds,
		.run = HOP_MODE("hypercube:3 hypercube:4 hypercube:5", LS_BROADCAST, "binomial") },
};

static const struct misprint misprints[] = {
	{ "Algorithms 4.4, 4.6 and 4.7, equations 4.2, 4.3 and 4.4",
		"cut off in the text; restored from the slides" },
	{ "Algorithm 4.8: \"2i\" and inner \"for j\"",
		"2^i; the inner loop reuses j, which is harmless" },
	{ "\"(my_id - 1) mod sqrt p\"",
		"mod must be the mathematical one: in C, % gives -1 at the first node of a row" },
};

static const struct source_item items[] = {
	{ "figure4.8",
		"Figure 4.8: all-to-all broadcast and reduction; origins of the messages at each node",
		CLAIMS(figure8), .draw = draw_pattern },
	{ "figure4.9", "Figure 4.9: on an 8-node ring; >1 (7) sends the message of node 7 to node 1",
		CLAIMS(figure9), .draw = draw_ring },
	{ "figure4.10", "Figure 4.10: on a 3 x 3 mesh; origins of the messages at each node",
		CLAIMS(figure10), .draw = draw_mesh },
	{ "figure4.11", "Figure 4.11: on a 3-dimensional hypercube", CLAIMS(figure11),
		.draw = draw_cube },
	{ "figure4.12",
		"Figure 4.12: the steps of the hypercube on a ring; links that the third step uses",
		CLAIMS(figure12), .draw = draw_contention },
	{ "algorithm4.8", "Algorithms 4.4 to 4.8", CLAIMS(algorithms) },
	{ "equation4.4", "Equations 4.2, 4.3 and 4.4", CLAIMS(equations), .misprint = misprints,
		.misprints = ARRAY_LENGTH(misprints) },
};

const struct source_document source_allgather = { "003",
	"Grama, Gupta, Karypis, Kumar 2003, section 4.2: All-to-All Broadcast and Reduction",
	ITEMS(items) };
