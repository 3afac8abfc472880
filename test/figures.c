/*
 * Schedules that the sources print, for lines, rings, meshes and cubes, and numbers of rounds
 * counted by hand.
 */
/* variants: release checked asan chaos */
#include <string.h>

#include <lockstep/check.h>

#include "support/guard.h"
#include "test.h"

enum { TEXT = 1024 };

/* The request of a row. */
struct query {
	const char *spec;
	enum ls_operation operation;
	const char *algorithm;
	enum ls_mode mode;
	int64_t root;
	int ports;
};

static ls_plan *make(const struct query *query, ls_topology **t)
{
	struct ls_request request = { .size = sizeof request,
		.operation = query->operation,
		.mode = query->mode,
		.algorithm = query->algorithm,
		.root = query->root,
		.ports = query->ports };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = NULL;

	if (ls_topology_make(query->spec, t, &why) == LS_OK) {
		request.topology = *t;
		if (ls_plan_make(&request, &plan, &why) == LS_OK)
			return plan;
	}
	fprintf(stderr, "%s\n", why.text);
	exit(1);
}

/* Who sends to whom: " 0>4 | 0>2 4>6", senders in rank order, a bar between steps. */
static void write_schedule(const ls_plan *plan, char text[TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (int64_t s = 0; s < ls_plan_steps(plan); s++) {
		if (s > 0)
			used += (size_t)snprintf(text + used, TEXT - used, " |");
		for (int64_t u = 0; u < ls_plan_nodes(plan); u++) {
			struct ls_step step;

			ls_plan_step(plan, u, s, &step);
			for (int q = 0; q < step.ports; q++)
				if (step.to[q] != LS_NO_RANK)
					used += (size_t)snprintf(text + used, TEXT - used, " %lld>%lld", (long long)u,
						(long long)step.to[q]);
		}
	}
}

static const struct {
	const char *what;
	struct query query;
	const char *schedule;
} figure[] = {
	{ "Figure 4.2", { "ring:8", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 },
		" 0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7" },
	{ "Figure 4.3", { "ring:8", LS_REDUCE, "binomial", LS_ROUTED, 0, 1 },
		" 1>0 3>2 5>4 7>6 | 2>0 6>4 | 4>0" },
	{ "Figure 4.2 on a line", { "linear:8", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 },
		" 0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7" },
	{ "Figure 4.5", { "mesh:4x4", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 },
		" 0>2 | 0>1 2>3 | 0>8 1>9 2>10 3>11 | 0>4 1>5 2>6 3>7 8>12 9>13 10>14 11>15" },
	{ "Figure 4.6", { "hypercube:3", LS_BROADCAST, "binomial", LS_HOP, 0, 1 },
		" 0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7" },
	{ "Algorithm 4.2", { "hypercube:3", LS_BROADCAST, "binomial", LS_HOP, 5, 1 },
		" 5>1 | 1>3 5>7 | 1>0 3>2 5>4 7>6" },
	{ "Algorithm 4.3", { "hypercube:3", LS_REDUCE, "binomial", LS_HOP, 0, 1 },
		" 1>0 3>2 5>4 7>6 | 2>0 6>4 | 4>0" },
	{ "Problem 4.1", { "linear:6", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 },
		" 0>4 | 0>2 | 0>1 2>3 4>5" },
	{ "Problem 4.1, last root", { "linear:6", LS_BROADCAST, "binomial", LS_ROUTED, 5, 1 },
		" 5>1 | 1>3 | 1>0 3>2 5>4" },
	{ "both ways round", { "ring:6", LS_BROADCAST, "pipeline", LS_HOP, 0, 1 },
		" 0>1 | 0>5 1>2 | 2>3 5>4" },
	{ "both ways at once", { "ring:6", LS_BROADCAST, "pipeline", LS_HOP, 0, 2 },
		" 0>1 0>5 | 1>2 5>4 | 2>3" },
	{ "from both ends", { "linear:5", LS_ALLREDUCE, "pipeline", LS_HOP, 0, 1 },
		" 0>1 | 1>2 4>3 | 2>3 3>2 | 2>1 3>4 | 1>0" },
	{ "Algorithm 4.4, adding", { "ring:3", LS_ALLREDUCE, "pattern", LS_HOP, 0, 1 },
		" | 0>1 1>2 2>0 | 0>1 1>2 2>0" },
	{ "the nearest first", { "linear:8", LS_BROADCAST, "wrong-order", LS_ROUTED, 0, 1 },
		" 0>1 | 0>2 1>3 | 0>4 1>5 2>6 3>7" },
	{ "one after another", { "star:3", LS_REDUCE, "naive", LS_ROUTED, 2, 1 },
		" 1>2 | 0>2 | 3>2 | 4>2 | 5>2" },
	{ "halves of what is held", { "linear:6", LS_SCATTER, "binomial", LS_ROUTED, 5, 1 },
		" 5>1 | 5>3 | 1>0 3>2 5>4" },
	{ "the same, backwards", { "hypercube:3", LS_GATHER, "binomial", LS_HOP, 0, 1 },
		" 1>0 3>2 5>4 7>6 | 2>0 6>4 | 4>0" },
	{ "farthest first, by turns", { "ring:6", LS_SCATTER, "pipeline", LS_HOP, 0, 1 },
		" 0>1 | 0>5 1>2 | 0>1 2>3 5>4" },
	{ "either neighbor in turn", { "ring:6", LS_SCAN, "neighbor-exchange", LS_HOP, 0, 1 },
		" | 0>1 1>0 2>3 3>2 4>5 5>4 | 0>5 1>2 2>1 3>4 4>3 5>0 | 0>1 1>0 2>3 3>2 4>5 5>4" },
	{ "up and down the tree", { "tree:8", LS_EXSCAN, "binomial", LS_ROUTED, 0, 1 },
		" 0>1 2>3 4>5 6>7 | 1>3 5>7 | 3>7 | 3>5 | 1>2 3>4 5>6" },
	{ "five values", { "complete:5", LS_SCAN, "doubling", LS_HOP, 0, 1 },
		" 0>1 1>2 2>3 3>4 | 0>2 1>3 2>4 | 0>4" },
	{ "rows, then columns", { "mesh:2x3", LS_SCAN, "dimension", LS_HOP, 0, 1 },
		" 0>1 3>4 | 1>2 2>1 4>5 5>4 | 1>0 4>3 | 0>3 1>4 2>5" },
};

static void test_figures(void)
{
	for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
		ls_topology *t;
		ls_plan *plan = make(&figure[i].query, &t);
		char text[TEXT];

		write_schedule(plan, text);
		CHECK(!strcmp(text, figure[i].schedule), "%s:%s, printed%s", figure[i].what, text,
			figure[i].schedule);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

static const struct {
	struct query query;
	int64_t rounds, bound;
} count[] = {
	{ { "ring:8", LS_BROADCAST, "pipeline", LS_HOP, 3, 1 }, 4, 4 },
	{ { "ring:9", LS_BROADCAST, "pipeline", LS_HOP, 3, 1 }, 5, 5 },
	{ { "ring:8", LS_BROADCAST, "pipeline", LS_HOP, 3, 2 }, 4, 4 },
	{ { "ring:9", LS_REDUCE, "pipeline", LS_HOP, 3, 2 }, 4, 4 },
	{ { "linear:9", LS_BROADCAST, "pipeline", LS_HOP, 0, 1 }, 8, 8 },
	{ { "linear:9", LS_BROADCAST, "pipeline", LS_HOP, 4, 1 }, 5, 5 },
	{ { "linear:9", LS_REDUCE, "pipeline", LS_HOP, 4, 2 }, 4, 4 },
	{ { "mesh:3x4", LS_BROADCAST, "dimension", LS_HOP, 0, 1 }, 5, 5 },
	{ { "mesh:3x3", LS_REDUCE, "dimension", LS_HOP, 4, 1 }, 4, 4 },
	{ { "torus:4x6", LS_BROADCAST, "dimension", LS_HOP, 5, 1 }, 5, 5 },
	{ { "mesh:5x7", LS_BROADCAST, "binomial", LS_ROUTED, 11, 1 }, 6, 6 },
	{ { "ring:9", LS_ALLREDUCE, "pattern", LS_HOP, 0, 1 }, 8, 6 },
	{ { "ring:9", LS_ALLREDUCE, "pattern", LS_HOP, 0, 2 }, 4, 4 },
	{ { "ring:8", LS_ALLREDUCE, "pattern", LS_HOP, 0, 2 }, 4, 4 },
	{ { "linear:8", LS_ALLREDUCE, "pipeline", LS_HOP, 0, 1 }, 7, 7 },
	{ { "linear:9", LS_ALLREDUCE, "pipeline", LS_HOP, 0, 1 }, 9, 9 },
	{ { "linear:9", LS_ALLREDUCE, "pattern", LS_HOP, 0, 2 }, 8, 8 },
	{ { "mesh:4x5", LS_ALLREDUCE, "dimension", LS_HOP, 0, 1 }, 8, 7 },
	{ { "torus:4x5", LS_ALLREDUCE, "ring", LS_HOP, 0, 1 }, 14, 5 },
	{ { "torus:3x3", LS_BARRIER, "pattern", LS_HOP, 0, 2 }, 2, 2 },
	{ { "ring:8", LS_ALLREDUCE, "neighbor-exchange", LS_HOP, 0, 1 }, 4, 4 },
	{ { "ring:12", LS_EXSCAN, "neighbor-exchange", LS_HOP, 0, 1 }, 6, 6 },
	{ { "torus:4x4x3", LS_SCAN, "neighbor-exchange", LS_HOP, 0, 1 }, 6, 6 },
	{ { "linear:9", LS_SCAN, "pipeline", LS_HOP, 0, 1 }, 8, 8 },
	{ { "mesh:4x4", LS_SCAN, "dimension", LS_HOP, 0, 1 }, 6, 6 },
	{ { "mesh:4x5", LS_EXSCAN, "dimension", LS_HOP, 0, 1 }, 8, 7 },
	{ { "star:4", LS_SCAN, "substar", LS_HOP, 0, 1 }, 6, 6 },
	{ { "bubblesort:5", LS_EXSCAN, "substar", LS_HOP, 0, 1 }, 10, 10 },
	{ { "pancake:4", LS_ALLREDUCE, "substar", LS_HOP, 0, 1 }, 6, 5 },
	{ { "hypercube:5", LS_SCAN, "dimension", LS_HOP, 0, 1 }, 5, 5 },
	{ { "tree:16", LS_SCAN, "binomial", LS_ROUTED, 0, 1 }, 7, 4 },
	{ { "complete:9", LS_EXSCAN, "doubling", LS_HOP, 0, 1 }, 4, 4 },
	{ { "linear:9", LS_SCATTER, "pipeline", LS_HOP, 4, 1 }, 5, 5 },
	{ { "ring:9", LS_GATHER, "pipeline", LS_HOP, 4, 2 }, 4, 4 },
	{ { "mesh:4x5", LS_SCATTER, "dimension", LS_HOP, 19, 1 }, 7, 7 },
	{ { "mesh:5x7", LS_GATHER, "binomial", LS_ROUTED, 11, 1 }, 6, 6 },
	{ { "star:4", LS_SCATTER, "spanning-tree", LS_HOP, 3, 1 }, 6, 5 },
};

static void test_counts(void)
{
	for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
		const struct query *query = &count[i].query;
		ls_topology *t;
		ls_plan *plan = make(query, &t);
		const long long rounds = ls_plan_rounds(plan), bound = ls_plan_lower_bound(plan);

		CHECK(rounds == count[i].rounds, "%s %s on %s: %lld rounds, not %lld", query->algorithm,
			ls_operation_name(query->operation), query->spec, rounds, (long long)count[i].rounds);
		CHECK(bound == count[i].bound, "%s %s on %s: bound %lld, not %lld", query->algorithm,
			ls_operation_name(query->operation), query->spec, bound, (long long)count[i].bound);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/*
 * Rounds, and words of the longest messages for blocks of one element, from the table of sources:
 * link sequences, the pattern of the star paper, products, 2d on de Bruijn networks.
 */
static const struct {
	struct query query;
	int64_t rounds, volume;
} atlas[] = {
	{ { "star:3", LS_ALLGATHER, "word", LS_HOP, 0, 1 }, 3, 5 },
	{ { "star:4", LS_ALLGATHER, "word", LS_HOP, 0, 1 }, 6, 23 },
	{ { "star:5", LS_ALLGATHER, "word", LS_HOP, 0, 1 }, 9, 119 },
	{ { "star:6", LS_ALLGATHER, "word", LS_HOP, 0, 1 }, 13, 719 },
	{ { "star:6", LS_ALLGATHER, "paper", LS_HOP, 0, 1 }, 15, 719 },
	{ { "star:5", LS_REDUCE_SCATTER, "paper", LS_HOP, 0, 1 }, 10, 119 },
	{ { "star:5", LS_REDUCE_SCATTER, "word", LS_HOP, 0, 1 }, 9, 119 },
	{ { "star:6", LS_BARRIER, "word", LS_HOP, 0, 1 }, 13, 13 },
	{ { "star:5", LS_SCAN, "substar", LS_HOP, 0, 1 }, 10, 10 },
	{ { "star:5", LS_SCATTER, "word", LS_HOP, 7, 1 }, 9, 119 },
	{ { "star:5", LS_GATHER, "word", LS_HOP, 7, 1 }, 9, 119 },
	{ { "star:3", LS_ALLTOALL, "word", LS_HOP, 0, 1 }, 3, 9 },
	{ { "star:4", LS_ALLTOALL, "word", LS_HOP, 0, 1 }, 6, 64 },
	{ { "star:5", LS_ALLTOALL, "word", LS_HOP, 0, 1 }, 9, 468 },
	{ { "star:4*star:3", LS_ALLREDUCE, "product", LS_HOP, 0, 1 }, 9, 9 },
	{ { "star:5*star:3", LS_ALLREDUCE, "product", LS_HOP, 0, 1 }, 13, 13 },
	{ { "star:5*star:3", LS_ALLGATHER, "product", LS_HOP, 0, 1 }, 12, 719 },
	{ { "graph:test/data/petersen*ring:3", LS_ALLGATHER, "product", LS_HOP, 0, 1 }, 6, 29 },
	{ { "star:5*star:3", LS_SCATTER, "product", LS_HOP, 0, 1 }, 11, 797 },
	{ { "debruijn:5", LS_ALLREDUCE, "shuffle", LS_HOP, 0, 1 }, 10, 10 },
	{ { "debruijn:5", LS_ALLGATHER, "shuffle", LS_HOP, 0, 1 }, 10, 62 },
	{ { "debruijn:5", LS_REDUCE_SCATTER, "shuffle", LS_HOP, 0, 1 }, 10, 62 },
	{ { "debruijn:5", LS_ALLTOALL, "shuffle", LS_HOP, 0, 1 }, 10, 160 },
	{ { "ring:8", LS_ALLGATHER, "neighbor-exchange", LS_HOP, 0, 1 }, 4, 7 },
	{ { "linear:9", LS_ALLGATHER, "odd-even", LS_HOP, 0, 1 }, 9, 13 },
};

static void test_atlas(void)
{
	for (size_t i = 0; i < sizeof atlas / sizeof *atlas; i++) {
		const struct query *query = &atlas[i].query;
		struct ls_certificate proof = { .size = sizeof proof };
		ls_topology *t;
		ls_plan *plan = make(query, &t);

		CHECK(ls_check(plan, 1, NULL, &proof) == LS_OK, "%s", proof.text);
		CHECK(proof.counts.rounds == atlas[i].rounds && proof.counts.volume == atlas[i].volume,
			"%s %s on %s: %lld rounds, %lld words", query->algorithm,
			ls_operation_name(query->operation), query->spec, (long long)proof.counts.rounds,
			(long long)proof.counts.volume);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* Messages on the busiest link of a round. */
static int64_t load_of(const ls_topology *t, const ls_plan *plan, int64_t step)
{
	int64_t load[8][2] = { 0 }, most = 0;

	for (int64_t u = 0; u < ls_plan_nodes(plan); u++) {
		struct ls_step does;

		ls_plan_step(plan, u, step, &does);
		for (int64_t at = u; does.ports && does.to[0] != LS_NO_RANK && at != does.to[0];) {
			const int64_t link = ls_first_hop(t, at, does.to[0]);

			most = ++load[at][link] > most ? load[at][link] : most;
			at = ls_neighbor(t, at, link);
		}
	}
	return most;
}

/* Why recursive doubling sends the farthest message first. */
static void test_loads(void)
{
	static const struct {
		struct query query;
		int64_t load[3];
	} order[] = {
		{ { "linear:8", LS_BROADCAST, "wrong-order", LS_ROUTED, 0, 1 }, { 1, 2, 4 } },
		{ { "ring:8", LS_BROADCAST, "wrong-order", LS_ROUTED, 0, 1 }, { 1, 2, 4 } },
		{ { "linear:8", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 }, { 1, 1, 1 } },
		{ { "ring:8", LS_BROADCAST, "binomial", LS_ROUTED, 0, 1 }, { 1, 1, 1 } },
	};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		ls_topology *t;
		ls_plan *plan = make(&order[i].query, &t);

		for (int64_t s = 0; s < 3; s++)
			CHECK(load_of(t, plan, s) == order[i].load[s], "%s on %s, round %lld: %lld",
				order[i].query.algorithm, order[i].query.spec, (long long)s + 1,
				(long long)load_of(t, plan, s));
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* A scatter moves p - 1 blocks through the port of the root; these move no more, from any root. */
static void test_volumes(void)
{
	static const struct {
		const char *spec, *algorithm;
		enum ls_mode mode;
	} row[] = {
		{ "linear:11", "pipeline", LS_HOP },
		{ "ring:11", "pipeline", LS_HOP },
		{ "ring:8", "pipeline", LS_HOP },
		{ "mesh:3x4x2", "dimension", LS_HOP },
		{ "torus:5x4", "dimension", LS_HOP },
		{ "complete:13", "binomial", LS_HOP },
		{ "hypercube:4", "binomial", LS_HOP },
		{ "mesh:5x7", "binomial", LS_ROUTED },
		{ "star:4", "binomial", LS_ROUTED },
	};

	for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
		struct query query = { row[i / 2].spec, i % 2 ? LS_GATHER : LS_SCATTER,
			row[i / 2].algorithm, row[i / 2].mode, 0, 1 };
		int64_t nodes = 1;

		for (; query.root < nodes; query.root++) {
			ls_topology *t;
			ls_plan *plan = make(&query, &t);

			nodes = ls_plan_nodes(plan);
			CHECK(ls_plan_predict(plan, 1).volume == nodes - 1, "%s on %s, root %lld: %lld",
				query.algorithm, query.spec, (long long)query.root,
				(long long)ls_plan_predict(plan, 1).volume);
			ls_plan_destroy(plan);
			ls_topology_destroy(t);
		}
	}
}

/* A long vector moves along lines in segments; every law holds for any number of elements. */
static void test_segments(void)
{
	static const char *const spec[] = { "linear:2", "linear:3", "linear:4", "linear:17", "mesh:2x5",
		"mesh:3x4", "mesh:3x3x3" };
	static const size_t lengths[] = { 0, 5, 4099 };

	for (size_t i = 0; i < 2 * sizeof spec / sizeof *spec; i++) {
		struct ls_request request = {
			.size = sizeof request, .operation = LS_ALLREDUCE, .count = 1 << 20, .in_place = i % 2
		};
		ls_topology *t;
		ls_plan *plan;

		if (ls_topology_make(spec[i / 2], &t, NULL) != LS_OK)
			exit(1);
		request.topology = t;
		plan = plan_for(&request);
		CHECK(ls_plan_blocks(plan) > 1 || i / 2 == 0, "%s: one segment", spec[i / 2]);
		for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
			struct ls_certificate proof = { .size = sizeof proof };

			CHECK(ls_check(plan, lengths[k], NULL, &proof) == LS_OK, "%s: %s", spec[i / 2],
				proof.text);
		}
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	test_figures();
	test_counts();
	test_atlas();
	test_loads();
	test_volumes();
	test_segments();
	return test_result();
}
