/*
 * Schedules of many blocks, or of several blocks per message, on any graph: every law holds for
 * each number of segments, root and length.
 */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>

#include "collective/algorithm.h"
#include "collective/round_bound.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static const char *const specs[] = { "linear:2", "ring:5", "mesh:2x3", "bintree:3", "star:3",
	"graph:test/data/graphs/petersen.txt", "graph:test/data/graphs/startree8.txt",
	"graph:test/data/graphs/k45.txt", "graph:test/data/graphs/rr3-16.txt", "complete:7" };

/* A broadcast or reduce of B blocks takes B rounds, and those after the first of the last block. */
static void check_pipeline(const struct cell *cell, const struct ls_plan *plan)
{
	const int64_t B = ls_plan_blocks(plan), rounds = ls_plan_rounds(plan);
	const bool is_cut =
		cell->problem.operation == LS_BROADCAST || cell->problem.operation == LS_REDUCE;
	struct lsi_problem one = cell->problem;

	one.segments = 1;
	CHECK(!is_cut || (B == cell->problem.segments && rounds >= B - 1 + lsi_round_lower_bound(&one)),
		"%s: %" PRId64 " blocks in %" PRId64 " rounds", cell_name(cell).text, B, rounds);
}

static void check_plan(const struct cell *cell)
{
	static const size_t lengths[] = { 0, 5, 331 };
	struct ls_plan *plan = plan_of(cell);

	check_pipeline(cell, plan);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct ls_certificate proof = { .size = sizeof proof };

		CHECK(ls_check(plan, lengths[i], NULL, &proof) == LS_OK, "%s, %" PRId64 " segments: %s",
			cell_name(cell).text, cell->problem.segments, proof.text);
	}
	ls_plan_destroy(plan);
}

static void check_segments(struct cell cell)
{
	static const int64_t segments[] = { 1, 2, 3, 8, 70 };
	const bool rooted = lsi_operation_is_rooted(cell.problem.operation);

	for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
		for (int64_t root = 0; root < (rooted ? cell.problem.nodes : 1); root++) {
			if (is_fast() && (rooted ? root % 5 != (int64_t)i : i % 2))
				continue;
			cell.problem.segments = segments[i];
			cell.problem.root = root;
			cell.problem.in_place = (root + (int64_t)i) % 2;
			check_plan(&cell);
		}
}

/* A periodic plan has a limited number of blocks, however many segments a long vector asks for. */
static void check_limit(struct cell cell)
{
	const int64_t most = 1 << 22;
	struct ls_counts counts;

	cell.problem.segments = INT64_C(1) << 40;
	counts = cell.algorithm->predict(&cell.problem, (size_t)cell.problem.segments);
	CHECK(cell.algorithm->frame(&cell.problem).blocks <= most && counts.rounds <= 2 * most,
		"%s: %lld rounds", cell.algorithm->name, (long long)counts.rounds);
}

static bool is_of_blocks(const char *name)
{
	static const char *const names[] = { "matchings", "tree-pipeline", "chain" };
	bool found = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		found |= strcmp(name, names[i]) == 0;
	return found;
}

int main(void)
{
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);
		struct cell cell = {
			.problem = { .topology = t, .nodes = ls_topology_nodes(t), .mode = LS_HOP, .ports = 1 }
		};

		for (int k = 0; lsi_algorithms[k]; k++) {
			cell.algorithm = lsi_algorithms[k];
			if (!is_of_blocks(cell.algorithm->name))
				continue;
			for (int o = 0; o < LS_OPERATIONS; o++) {
				cell.problem.operation = (enum ls_operation)o;
				if (cell.algorithm->operations & LSI_FOR(o)
					&& cell.algorithm->supports(&cell.problem)) {
					check_segments(cell);
					if (strcmp(cell.algorithm->name, "matchings"))
						check_limit(cell);
				}
			}
		}
		ls_topology_destroy(t);
	}
	return test_result();
}
