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
	{ "each two copies of S_(n-1) are joined by exactly (n-2)! links, n = 3 .. 6", "1 2 6 24",
		.find = find_substar_links },
	{ "assumption 1", "\"completely connected\"",
		.expected = "connected: in S_4 a node has 3 neighbours of 23 others",
		.reason = "S_n is connected, and complete for n = 2 only", .find = find_neighbors },
};

static const struct claim table1_caption[] = {
	{ "HS_n,m in the caption", "hypercube x star", .expected = "star x star",
		.reason = "144, 5, 7 are S_4 x S_3; a hypercube gives 96, 6, 7 (4-cube x S_3) or 192, 6, 7",
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
	{ "theorem 1: each processor in S_n holds the message of all, n = 2 .. 5", "holds all",
		.expected = "proved", .find = find_laws,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "NODUP: no message is received twice, n = 2 .. 5", "nothing twice", .find = find_nodup,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "steps n(n-1)/2, n = 2 .. 5", NULL, .expected = "1 3 6 10", .find = find_executed,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5") },
	{ "words that a node gets one after the other, n! - 1: no scheme has fewer; n = 2 .. 6", NULL,
		.expected = "1 5 23 119 719", .find = find_volume,
		.run = PAPER(LS_ALLGATHER, "star:2 star:3 star:4 star:5 star:6") },
	{ "fewest steps known with the same words, n = 3 .. 7", NULL, .expected = "3 6 9 13 17",
		.find = find_rounds,
		.run = { .networks = "star:3 star:4 star:5 star:6 star:7",
			.operation = LS_ALLGATHER,
			.algorithm = "word" } },
};

static const struct claim figure1[] = {
	{ "each node holds the sum 1 + 2 + .. + 3!", "21", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:3") },
	{ "steps; the trace of the run is that of the plan", "3", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:3") },
};

static const struct claim figure2[] = {
	{ "step 4 sends the number received on link n", "the sum at every node, n = 2 .. 5",
		.find = find_reading_received },
	{ "step 4 sends the node's own sum", "\"send the local sum\"",
		.expected = "wrong sums from n = 3",
		.reason =
			"\"The local sum\" is what came on link n: result := own sum, outgoing := received",
		.find = find_reading_own },
	{ "step 4 sends what came on link n and all since", "\"send the local sum\"",
		.expected = "wrong sums from n = 4", .reason = "What is passed on must not grow",
		.find = find_reading_growing },
	{ "the operator of the all-reduce", "\"associative\"",
		.expected = "associative and commutative, other bits at other nodes",
		.reason = "Each node adds in an order of its own; so it must be commutative too, and nodes "
				  "differ in the last bits of floating-point sums",
		.find = find_order, .run = PAPER(LS_ALLREDUCE, "star:3 star:4 star:5") },
	{ "the same steps with the k sums of a level kept apart and added in order", NULL,
		.expected = "associative, the same bits", .find = find_order,
		.run = { .networks = "star:3 star:4 star:5",
			.operation = LS_ALLREDUCE,
			.algorithm = "substar" } },
};

static const struct claim figure3[] = {
	{ "each node holds the sum 1 + 2 + .. + 4!", "300", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:4") },
	{ "steps; the trace of the run is that of the plan", "6", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:4") },
};

static const struct claim theorem2[] = {
	{ "every processor holds 1 + 2 + .. + n!, n = 2 .. 5", "3 21 300 7260", .find = find_sum,
		.run = PAPER(LS_ALLREDUCE, "star:2 star:3 star:4 star:5") },
	{ "holders of a part: (n-2)! after step 2, (n-1)! at the end, n = 3 .. 5",
		"1 then 2, 2 then 6, 6 then 24", .find = find_holders },
	{ "links x and y of the proof", "{1, .., n-1}", .expected = "{2, .., n-1}",
		.reason = "Link 1 does not exist", .find = find_first_links },
	{ "two holders of one part, which the proof needs not to be neighbours", NULL,
		.expected = "never adjacent", .find = find_adjacent_holders },
};

static const struct claim theorem3[] = {
	{ "n(n-1)/2 steps, run on threads, n = 2 .. 6", "1 3 6 10 15", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:2 star:3 star:4 star:5 star:6") },
	{ "n(n-1)/2 steps by the plan, n = 7 .. 12", "21 28 36 45 55 66", .find = find_rounds,
		.run = PAPER(LS_ALLREDUCE, "star:7 star:8 star:9 star:10 star:11 star:12") },
	{ "messages have one word each: words one after the other are steps, n = 3 .. 6", "3 6 10 15",
		.find = find_volume, .run = PAPER(LS_ALLREDUCE, "star:3 star:4 star:5 star:6") },
	{ "n = 2, where Table 2 does not begin: ours", NULL, .expected = "1", .find = find_executed,
		.run = PAPER(LS_ALLREDUCE, "star:2") },
	{ "n = 2: [10]", NULL, .expected = "2", .find = find_executed,
		.run = { .networks = "star:2", .operation = LS_ALLREDUCE, .algorithm = "sheu" } },
};

static const struct claim conclusion[] = {
	{ "\"provides an improvement over\" [10]", "always",
		.expected = "for n <= 15, equal at n = 16: 120 and 120, not at n = 17: 136 and 130",
		.reason = "n(n-1)/2 outgrows O(n log n)", .find = find_sheu_crossover },
	{ "a reduction and a broadcast in as few rounds as any could take would be better from", NULL,
		.expected = "n = 10: 2 x 22 < 45", .find = find_broadcast_crossover },
	{ "[10] takes 2 sum of (log(i-1) + 1), i = 2 .. n, its brackets lost", "log",
		.expected = "rounded up: 12 at n = 4, as in Table 2; rounded down: 10",
		.reason = "The logarithms are rounded up", .find = find_rounded_logarithms },
	{ "[11] takes a reduction and a broadcast, 3(n-1)^2 steps; n = 4, 6, 8, 10", "27 75 147 243",
		.expected = "24 70 140 234",
		.reason = "Twice a broadcast is even: 3(n-1)^2 is 2(n-1) times 3(n-1)/2, the diameter not "
				  "rounded down",
		.find = find_tseng_diameter },
	{ "[10] run on threads, n = 3 .. 6", "6 12 18 26", .find = find_executed,
		.run = { .networks = "star:3 star:4 star:5 star:6",
			.operation = LS_ALLREDUCE,
			.algorithm = "sheu" } },
	{ "reduction and broadcast by the shortest broadcasts known, n = 3 .. 8", NULL,
		.expected = "6 10 16 20 26 32", .find = find_rounds,
		.run = { .networks = "star:3 star:4 star:5 star:6 star:7 star:8",
			.operation = LS_ALLREDUCE,
			.algorithm = "matching" } },
};

static const struct misprint misprints[] = {
	{ "Section 2: \"can send a message on only one of its communication links at a time\"",
		"and receive on only one, as section 1 says: both bounds are needed" },
	{ "\"S_(n-1) i\", \"i = j\", \"n-1 i\", sums in Theorem 2",
		"superscripts of S_(n-1)^i, i != j, Delta_(n-1)^i and Sigma_j were lost in the text" },
	{ "Figures 1 and 3", "captions only; drawn again above" },
	{ "Theorem 1", "has no proof; the check of its plans stands in" },
};

static const struct source_item items[] = {
	{ "table1", "Table 1: models of similar sizes, measured on the graphs", CLAIMS(star_table1),
		.column = star_table1_columns },
	{ "table1-caption", "Table 1: what its caption and its trees are", CLAIMS(table1_caption) },
	{ "section2", "Section 2: the star graph", CLAIMS(model) },
	{ "theorem1", "Section 3, Theorem 1: all-to-all broadcast", CLAIMS(all_to_all) },
	{ "figure1", "Figure 1: all-reduce on S_3, [result](outgoing) after the step on each link",
		CLAIMS(figure1), .draw = draw_star_3 },
	{ "figure2", "Figure 2: the procedure, its step 4 read in three ways", CLAIMS(figure2) },
	{ "figure3", "Figure 3: all-reduce on S_4, [result](outgoing) after the step on each link",
		CLAIMS(figure3), .draw = draw_star_4 },
	{ "theorem2", "Theorem 2: the sum at every node", CLAIMS(theorem2) },
	{ "table2", "Table 2: steps of an all-reduce, executed on all nodes; on threads, too, to n = 6",
		CLAIMS(star_table2), .column = star_table2_columns },
	{ "theorem3", "Theorem 3: steps", CLAIMS(theorem3) },
	{ "conclusion", "Section 5: comparisons", CLAIMS(conclusion), .misprint = misprints,
		.misprints = ARRAY_LENGTH(misprints) },
};

const struct source_document source_star = { "000",
	"Oh, Choi, Primeaux 2005: An All-Reduce Operation in Star Networks", ITEMS(items) };
