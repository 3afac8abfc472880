/*
 * Tables 1 and 2 of the star paper, cell by cell.
 */
#include "reproduce/star_paper.h"
#include "base/messages.h"

#include <inttypes.h>
#include <string.h>

/* Table 1: measured on the graphs.  The added last column has the rounds of the default plan. */

#define SUMMED(spec) \
	{ \
		.networks = spec, .operation = LS_ALLREDUCE \
	}
#define ROW1(name, spec, size, degree, diameter, steps) \
	{ name, size, .find = find_size, .run = { .networks = spec } }, \
		{ name, degree, .find = find_degree, .run = { .networks = spec } }, \
		{ name, diameter, .find = find_diameter, .run = { .networks = spec } }, \
	{ \
		name, NULL, .expected = steps, .find = find_rounds, .run = SUMMED(spec) \
	}
#define ROW_TREES(name, spec, size, degree, diameter, actual, cause, steps) \
	{ name, size, .find = find_size, .run = { .networks = spec } }, \
		{ name, degree, .expected = actual, .reason = cause, .find = find_degree, \
			.run = { .networks = spec } }, \
		{ name, diameter, .expected = actual, .reason = cause, .find = find_diameter, \
			.run = { .networks = spec } }, \
	{ \
		name, NULL, .expected = steps, .find = find_rounds, .run = SUMMED(spec) \
	}

const struct claim star_table1[TABLE1] = {
	ROW1("S5", "star:5", "120", "4", "6", "9"),
	ROW1("7-Cube", "hypercube:7", "128", "7", "7", "7"),
	ROW_TREES("MCT4(3)", "mct:4,2", "81", "12", "16", "8",
		"A product of four trees of 3 nodes has 81 nodes; degree 12 and diameter 16 belong to "
		"four trees of 7 nodes",
		"12"),
	ROW1("D7", "debruijn:7", "128", "4", "7", "14"),
	ROW1("HS4,3", "star:4*star:3", "144", "5", "7", "9"),
	ROW1("S6", "star:6", "720", "5", "7", "15"),
	ROW1("10-Cube", "hypercube:10", "1024", "10", "10", "10"),
	ROW_TREES("MCT6(3)", "mct:6,2", "729", "18", "24", "12",
		"A product of six trees of 3 nodes has 729 nodes; degree 18 and diameter 24 belong to "
		"six trees of 7 nodes",
		"18"),
	ROW1("D10", "debruijn:10", "1024", "4", "10", "20"),
	ROW1("HS5,3", "star:5*star:3", "720", "6", "9", "13"),
};
const char *const star_table1_columns[] = { "size", "degree", "diameter",
	"all-reduce steps (added)", NULL };

/* ---- Table 2 */

enum { WALKED = 40320 }; /* most nodes whose steps are counted one by one */

/* Rounds in which at least one node sends. */
static int64_t walked_rounds(const struct claim_plan *plan)
{
	int64_t rounds = 0;

	for (int64_t s = 0; s < ls_plan_steps(plan->plan); s++) {
		bool is_used = false;
		struct ls_step step;

		for (int64_t r = 0; r < ls_plan_nodes(plan->plan); r++) {
			ls_plan_step(plan->plan, r, s, &step);
			is_used = is_used || (step.ports > 0 && step.to[0] != LS_NO_RANK);
		}
		rounds += is_used;
	}
	return rounds;
}

/* A reduction and a broadcast along n - 1 trees; the library has these trees for n <= 7. */
static void find_trees(const struct claim *claim, char *found)
{
	int64_t rounds = 0;

	for (int half = 0; half < 2; half++) {
		struct claim_run run = claim->run;
		struct claim_plan plan;

		run.operation = half ? LS_BROADCAST : LS_REDUCE;
		if (!open_claim_plan(&run, run.networks, &plan, found)) {
			snprintf(found, FOUND_SIZE, "none found");
			return;
		}
		rounds += ls_plan_nodes(plan.plan) <= WALKED ? walked_rounds(&plan) : -1;
		close_claim_plan(&plan);
	}
	snprintf(found, FOUND_SIZE, "%" PRId64, rounds);
}

static const char misprint[] = "The formula 3(n-1)^2 gives 147 for n = 8";

#define ALLREDUCE(spec, name) \
	{ \
		.networks = spec, .operation = LS_ALLREDUCE, .algorithm = name \
	}
#define ROW2(n, size, tseng, actual, cause, trees, sheu, ours) \
	{ #n, size, .find = find_size, .run = { .networks = "star:" #n } }, \
		{ #n, tseng, .expected = actual, .reason = cause, .find = find_tseng_formula, \
			.run = { .networks = "star:" #n } }, \
		{ #n, NULL, .expected = trees, .find = find_trees, \
			.run = { .networks = "star:" #n, .operation = LS_BROADCAST, .algorithm = "tseng" } }, \
		{ #n, sheu, .find = find_sweep_rounds, .run = ALLREDUCE("star:" #n, "sheu") }, \
	{ \
#n, ours, .find = find_sweep_rounds, .run = ALLREDUCE("star:" #n, "paper") \
	}

const struct claim star_table2[TABLE2] = {
	ROW2(3, "6", "12", NULL, NULL, "12", "6", "3"),
	ROW2(4, "24", "27", NULL, NULL, "26", "12", "6"),
	ROW2(5, "120", "48", NULL, NULL, "46", "18", "10"),
	ROW2(6, "720", "75", NULL, NULL, "88", "26", "15"),
	ROW2(7, "5040", "108", NULL, NULL, "154", "34", "21"),
	ROW2(8, "40320", "127", "147", misprint, "none found", "42", "28"),
	ROW2(9, "362880", "192", NULL, NULL, "none found", "50", "36"),
	ROW2(10, "3628800", "243", NULL, NULL, "none found", "60", "45"),
};
const char *const star_table2_columns[] = { "size of S_n", "Tseng [11]",
	"along n - 1 trees (added)", "Sheu [10]", "Ours", NULL };
