/*
 * 000: E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using All-to-All
 * Broadcast Communication Pattern", ICCS 2005.
 */
#include "reproduce/star_paper.h"
#include "base/messages.h"

#define PAPER(what, specs) HOP_MODE(specs, what, "paper")

static const struct claim model[] = {
	{ "S_n has n! nodes, n = 3 .. 6", "6 24 120 720", .find = find_size,
		.run = { .networks = "star:3 star:4 star:5 star:6" } },
	{ "a node has n - 1 links, n = 3 .. 6", NULL, .expected = "2 3 4 5", .find = find_degree,
		.run = { .networks = "star:3 star:4 star:5 star:6" } },
	{ "diameter floor(3(n-1)/2), n = 3 .. 6", NULL, .expected = "3 4 6 7", .find = find_diameter,
		.run = { .networks = "star:3 star:4 star:5 star:6" } },
	{ "exactly (n-2)! links join any two copies of S_(n-1), n = 3 .. 6", "1 2 6 24",
		.find = find_substar_links },
	{ "assumption 1", "\"completely connected\"",
		.expected = "connected: a node of S_4 has 3 neighbors among 23 other nodes",
		.reason = "S_n is connected, but it is a complete graph only for n = 2",
		.find = find_neighbors },
};

static const struct claim table1_caption[] = {
	{ "HS_n,m in the caption", "hypercube x star", .expected = "star x star",
		.reason =
			"The values 144, 5, 7 belong to S_4 x S_3; a product with a hypercube has 96, 6, 7 "
			"(4-cube x S_3) or 192, 6, 7 (3-cube x S_4)",
		.find = find_product },
	{ "size of hypercube:4*star:3, hypercube:3*star:4", NULL, .expected = "96 192",
		.find = find_size, .run = { .networks = "hypercube:4*star:3 hypercube:3*star:4" } },
	{ "size of four and six trees of 7 nodes", NULL, .expected = "2401 117649", .find = find_size,
		.run = { .networks = "mct:4,3 mct:6,3" } },
	{ "their degree", NULL, .expected = "12 18", .find = find_degree,
		.run = { .networks = "mct:4,3 mct:6,3" } },
	{ "their diameter", NULL, .expected = "16 24", .find = find_diameter,
		.run = { .networks = "mct:4,3 mct:6,3" } },
};

static const struct claim all_to_all[] = {
	{ "theorem 1: every processor of S_n holds the messages of all, n = 2 .. 5", "holds all",
		.expected = "proved", .find = find_laws,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "NODUP: no message is received twice, n = 2 .. 5", "nothing twice", .find = find_nodup,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "steps n(n-1)/2, n = 2 .. 5", NULL, .expected = "1 3 6 10", .find = find_executed,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "words that a node receives, one at a time: n! - 1, the minimum; n = 2 .. 6", NULL,
		.expected = "1 5 23 119 719", .find = find_volume,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5 star:6") },
	{ "fewest known steps with the same number of words, n = 3 .. 7", NULL,
		.expected = "3 6 9 13 17", .find = find_rounds,
		.run = { .networks = "star:3 star:4 star:5 star:6 star:7",
			.operation = LS_ALLGATHER,
			.algorithm = "word" } },
};

static const struct claim figure1[] = {
	{ "each node holds the sum 1 + 2 + .. + 3!", "21", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:3") },
	{ "steps of a run that sends exactly the messages of the plan", "3", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:3") },
};

static const struct claim figure2[] = {
	{ "reading 1: step 4 sends the number that arrived on link n",
		"the sum at every node, n = 2 .. 5", .find = find_reading_received },
	{ "reading 2: step 4 sends the sum of the node itself", "\"send the local sum\"",
		.expected = "wrong sums from n = 3",
		.reason = "\"The local sum\" must be the number that arrived on link n: after step 2, "
				  "result is the "
				  "node's own sum and outgoing is the received sum",
		.find = find_reading_own },
	{ "reading 3: step 4 sends the sum of all numbers that arrived since link n",
		"\"send the local sum\"", .expected = "wrong sums from n = 4",
		.reason = "A node must forward the number from link n unchanged; otherwise it counts some "
				  "contributions twice",
		.find = find_reading_growing },
	{ "the operator of the all-reduce", "\"associative\"",
		.expected = "associative and commutative, different bits at different nodes",
		.reason =
			"The order of the additions differs from node to node. The operator must therefore "
			"also be commutative, and floating-point sums differ in their last bits",
		.find = find_order, .run = PAPER(LS_ALLREDUCE, "star:3 star:4 star:5") },
	{ "the same steps, but each node keeps the k sums of a level and adds them in order", NULL,
		.expected = "associative, the same bits", .find = find_order,
		.run = { .networks = "star:3 star:4 star:5",
			.operation = LS_ALLREDUCE,
			.algorithm = "substar" } },
};

static const struct claim figure3[] = {
	{ "each node holds the sum 1 + 2 + .. + 4!", "300", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:4") },
	{ "steps of a run that sends exactly the messages of the plan", "6", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:4") },
};

static const struct claim theorem2[] = {
	{ "every processor holds 1 + 2 + .. + n!, n = 2 .. 5", "3 21 300 7260", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:2 star:3 star:4 star:5") },
	{ "nodes of a sub-star that hold the part of another: (n-2)! after step 2, (n-1)! at the "
	  "end, n = 3 .. 5",
		"1 then 2, 2 then 6, 6 then 24", .find = find_holders },
	{ "links x and y of the proof", "{1, .., n-1}", .expected = "{2, .., n-1}",
		.reason = "The links of S_n are numbered from 2: link k swaps positions 1 and k",
		.find = find_first_links },
	{ "two holders of one part: the proof requires that they are not neighbors", NULL,
		.expected = "never adjacent", .find = find_adjacent_holders },
};

static const struct claim theorem3[] = {
	{ "n(n-1)/2 steps in a run on threads, n = 2 .. 6", "1 3 6 10 15", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:2 star:3 star:4 star:5 star:6") },
	{ "n(n-1)/2 steps in the plan, n = 7 .. 12", "21 28 36 45 55 66", .find = find_rounds,
		.run = PAPER(LS_ALLREDUCE, "star:7 star:8 star:9 star:10 star:11 star:12") },
	{ "every message has one word, so the time in words equals the steps, n = 3 .. 6", "3 6 10 15",
		.find = find_volume, .run = PAPER(LS_ALLREDUCE, "star:3 star:4 star:5 star:6") },
	{ "steps for n = 2, which Table 2 omits: \"Ours\"", NULL, .expected = "1",
		.find = find_executed, .run = PAPER(LS_ALLREDUCE, "star:2") },
	{ "steps for n = 2: [10]", NULL, .expected = "2", .find = find_executed,
		.run = { .networks = "star:2", .operation = LS_ALLREDUCE, .algorithm = "sheu" } },
};

static const struct claim conclusion[] = {
	{ "\"provides an improvement over\" [10]", "always",
		.expected = "for n <= 15, equal at n = 16: 120 and 120, more steps at n = 17: 136 and 130",
		.reason = "n(n-1)/2 grows faster than the O(n log n) of [10]",
		.find = find_sheu_crossover },
	{ "smallest n at which an optimal reduction and broadcast could beat n(n-1)/2", NULL,
		.expected = "n = 10: 2 x 22 < 45", .find = find_broadcast_crossover },
	{ "[10] takes 2 sum of (log(i-1) + 1), i = 2 .. n; the text lost the rounding brackets", "log",
		.expected = "rounded up: 12 at n = 4, as in Table 2; rounded down: 10",
		.reason = "Only logarithms that are rounded up give the values of Table 2",
		.find = find_rounded_logarithms },
	{ "[11] takes a reduction and a broadcast, 3(n-1)^2 steps; n = 4, 6, 8, 10", "27 75 147 243",
		.expected = "24 70 140 234",
		.reason =
			"3(n-1)^2 is 2(n-1) times 3(n-1)/2, but the diameter is 3(n-1)/2 rounded down, which "
			"is less for even n",
		.find = find_tseng_diameter },
	{ "steps of [10] in a run on threads, n = 3 .. 6", "6 12 18 26", .find = find_executed,
		.run = { .networks = "star:3 star:4 star:5 star:6",
			.operation = LS_ALLREDUCE,
			.algorithm = "sheu" } },
	{ "a reduction and a broadcast, each with the fewest known steps, n = 3 .. 8", NULL,
		.expected = "6 10 16 20 26 32", .find = find_rounds,
		.run = { .networks = "star:3 star:4 star:5 star:6 star:7 star:8",
			.operation = LS_ALLREDUCE,
			.algorithm = "matching" } },
};

static const struct misprint misprints[] = {
	{ "Section 2: \"can send a message on only one of its communication links at a time\"",
		"a node may also receive on only one link at a time, as section 1 states" },
	{ "\"S_(n-1) i\", \"i = j\", \"n-1 i\", sums in Theorem 2",
		"S_(n-1)^i, i != j, Delta_(n-1)^i and Sigma_j; the text lost superscripts and symbols" },
	{ "Figures 1 and 3", "the text has only their captions; the figures above are computed" },
	{ "Theorem 1", "the paper omits the proof; the check of the plans replaces it for n = 2 .. 5" },
};

static const struct source_item items[] = {
	{ "table1", "Table 1: models of similar sizes, measured on the graphs", CLAIMS(star_table1),
		.column = star_table1_columns },
	{ "table1-caption", "Table 1: the graphs of its caption and its trees",
		CLAIMS(table1_caption) },
	{ "section2", "Section 2: the star graph", CLAIMS(model) },
	{ "theorem1", "Section 3, Theorem 1: all-to-all broadcast", CLAIMS(all_to_all) },
	{ "figure1", "Figure 1: all-reduce on S_3, [result](outgoing) after the step on each link",
		CLAIMS(figure1), .draw = draw_star_3 },
	{ "figure2", "Figure 2: the procedure, with three readings of its step 4", CLAIMS(figure2) },
	{ "figure3", "Figure 3: all-reduce on S_4, [result](outgoing) after the step on each link",
		CLAIMS(figure3), .draw = draw_star_4 },
	{ "theorem2", "Theorem 2: the sum at every node", CLAIMS(theorem2) },
	{ "table2", "Table 2: steps of an all-reduce on all nodes", CLAIMS(star_table2),
		.column = star_table2_columns },
	{ "theorem3", "Theorem 3: steps", CLAIMS(theorem3) },
	{ "conclusion", "Section 5: comparisons", CLAIMS(conclusion), .misprint = misprints,
		.misprints = ARRAY_LENGTH(misprints) },
};

const struct source_document source_star = { "000",
	"Oh, Choi, Primeaux 2005: An All-Reduce Operation in Star Networks", ITEMS(items) };
