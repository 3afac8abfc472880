/*
 * A sweep in several processes finds the violations that one process finds, and describes them in
 * the same words: in damaged plans, with the damage before, at and behind a boundary of processes;
 * in congested networks; and in lists of messages.  Under mpirun, they are its processes.
 */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/schedule.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/world_sweep.h"
#include "sweep_damage.h"
#include "test.h"

struct base {
	const char *spec;
	enum ls_operation operation;
	const char *algorithm;
};

static int64_t planted[DAMAGES], crossed, sweeps;

static void zeros(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)rank, (void)first;
	memset(into, 0, n * sizeof(int64_t));
}

static struct ls_sweep sweep_of(const ls_plan *plan)
{
	return (struct ls_sweep){ .size = sizeof(struct ls_sweep),
		.plan = plan,
		.count = (size_t)ls_plan_blocks(plan),
		.type = LS_INT64,
		.make = zeros,
		.workers = 2 };
}

static struct ls_sweep_result in_one_process(const struct ls_sweep *sweep)
{
	struct ls_sweep_result out = { .size = sizeof out };

	CHECK(ls_sweep_run(sweep, &out) == out.error.kind, "%s: what is returned", guarded());
	return out;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_errors(const struct ls_error *want, const struct ls_error *got, int processes)
{
	CHECK(got->kind == want->kind && got->node == want->node && got->peer == want->peer
			&& got->round == want->round && got->link == want->link
			&& is_same(got->operation, want->operation) && strcmp(got->text, want->text) == 0,
		"%s, %d processes: '%s', in one process '%s'", guarded(), processes, got->text, want->text);
}

/* The sweep in several processes, of one worker or two, in rank order or another. */
static struct ls_sweep_result in_processes(const struct ls_sweep *sweep, int processes)
{
	static uint64_t seed;
	struct ls_sweep some = *sweep;

	sweeps++;
	some.workers = 1 + (int)(seed++ % 3 == 0);
	some.order = seed % 4 == 0 ? seed : 0;
	return sweep_in_processes(processes, seed, &some, NULL);
}

/* ---- Damaged plans */

static void check_damaged(const ls_plan *plan, int processes)
{
	const struct lsi_algorithm algorithm = damaged();
	struct ls_sweep_result one, several;
	struct ls_sweep sweep;
	ls_plan *wrong;

	if (lsi_plan_make_from(&algorithm, &plan->problem, &wrong) != LS_OK)
		exit(1);
	sweep = sweep_of(wrong);
	one = in_one_process(&sweep);
	several = in_processes(&sweep, processes);
	CHECK(one.error.kind == spot.want.kind && one.error.node == spot.want.node, "%s: '%s'",
		guarded(), one.error.text);
	check_errors(&one.error, &several.error, processes);
	CHECK(!several.proved, "%s: proved", guarded());
	ls_plan_destroy(wrong);
	planted[damage]++;
}

/* Nodes before, at and behind the first node of each process but the first. */
static void test_boundaries(const ls_plan *plan, const ls_topology *t, int64_t round, int processes)
{
	for (int i = 1; i < processes; i++) {
		for (int64_t v = ls_first_rank(t, processes, i) - 2;
			 v <= ls_first_rank(t, processes, i) + 1; v++) {
			memset(&spot, 0, sizeof spot);
			spot.round = round;
			if (v >= 0 && v < ls_plan_nodes(plan) && fits(plan, v))
				check_damaged(plan, processes);
		}
	}
}

static ls_plan *plan_of_base(const struct base *b, const ls_topology *t)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = b->operation,
		.algorithm = b->algorithm,
		.type = LS_INT64,
		.root = 1,
		.count = 1 };

	return plan_for(&request);
}

static void test_base(const struct base *b, int most)
{
	static const int processes[] = { 2, 3, 4, 7 };
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);
	const int64_t rounds = ls_plan_rounds(plan);

	base = plan->algorithm;
	for (int d = 0; d < DAMAGES; d++) {
		damage = (enum damage)d;
		for (int64_t round = first_round(rounds); round < rounds; round++) {
			guard("%s %s %s, %s, round %" PRId64, b->spec, ls_operation_name(b->operation),
				b->algorithm, damage_name[d], round + 1);
			for (int i = 0; i < most; i++)
				test_boundaries(plan, t, round, or_launched(processes[i]));
			if (find_spot(plan, round))
				check_damaged(plan, 2);
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/*
 * Block 0 is longer than the others.  A node that sends it in place of another block makes its
 * receiver combine blocks of different lengths.
 */
static void long_body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	base->body(plan, round, rank, step);
	if (round == spot.round && rank == spot.node)
		step->send[0] = lsi_block(LS_INPUT, 0);
}

static void test_lengths(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);
	int64_t found = 0;

	base = plan->algorithm;
	CHECK(!base->shape, "%s: the body needs shapes, not ranks", b->algorithm);
	for (int64_t v = 0; v < ls_plan_nodes(plan); v++) {
		struct lsi_algorithm algorithm = *base;
		struct ls_sweep sweep;
		ls_plan *wrong;

		spot.node = v;
		spot.round = 1;
		algorithm.body = long_body;
		guard("%s %s, the wrong length from node %" PRId64, b->spec, b->algorithm, v);
		if (lsi_plan_make_from(&algorithm, &plan->problem, &wrong) != LS_OK)
			exit(1);
		sweep = sweep_of(wrong);
		sweep.count++;

		const struct ls_sweep_result one = in_one_process(&sweep);

		found += one.error.kind == LS_ERR_MATCH && strstr(one.error.text, "makes a block of");
		for (int processes = 2; processes < 5; processes++) {
			const struct ls_sweep_result several = in_processes(&sweep, processes);

			check_errors(&one.error, &several.error, processes);
		}
		ls_plan_destroy(wrong);
	}
	CHECK(found > 0, "%s %s: all lengths are equal", b->spec, b->algorithm);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Congestion */

static void test_congestion(const char *spec, enum ls_operation operation, const char *algorithm)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.mode = LS_ROUTED,
		.operation = operation,
		.algorithm = algorithm,
		.type = LS_INT64,
		.count = 1 };
	ls_plan *plan = plan_for(&request);
	struct ls_sweep sweep = sweep_of(plan);

	for (int i = 0; i < 2; i++) {
		struct ls_sweep_result one;

		sweep.strict = i;
		guard("%s %s %s%s", spec, ls_operation_name(operation), algorithm, i ? ", strict" : "");
		one = in_one_process(&sweep);
		for (int processes = 2; processes < 6; processes++) {
			const struct ls_sweep_result several = in_processes(&sweep, processes);

			check_errors(&one.error, &several.error, processes);
			CHECK(one.error.kind || one.stats.link_load == several.stats.link_load,
				"%s: load %" PRId64 ", not %" PRId64, guarded(), several.stats.link_load,
				one.stats.link_load);
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Lists of messages */

enum { ROWS = 40 };

struct trace {
	struct ls_record record[ROWS];
	size_t n;
};

static void trace_add(void *context, const struct ls_record *record)
{
	struct trace *trace = context;

	trace->record[trace->n++] = *record;
}

static void compare_traces(const struct trace *a, const struct trace *b, int processes)
{
	size_t i = 0;

	if (ls_world_process(launched_world()) > 0)
		return; /* process 0 has the trace */
	while (i < a->n && i < b->n && a->record[i].round == b->record[i].round
		&& a->record[i].src == b->record[i].src && a->record[i].dst == b->record[i].dst
		&& a->record[i].words == b->record[i].words && a->record[i].bytes == b->record[i].bytes)
		i++;
	CHECK(i == a->n && i == b->n, "%s, %d processes: traces differ at record %zu", guarded(),
		processes, i);
}

static void check_messages(const ls_plan *plan, bool strict)
{
	struct trace traced = { .n = 0 };
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.workers = 2,
		.strict = strict,
		.trace = trace_add,
		.trace_context = &traced };
	const struct ls_sweep_result one = in_one_process(&sweep);
	const struct trace whole = traced;

	for (int processes = 2; processes < 10; processes += 3) {
		struct ls_sweep_result several;

		traced.n = 0;
		several = in_processes(&sweep, processes);
		check_errors(&one.error, &several.error, processes);
		CHECK(several.stats.rounds == one.stats.rounds
				&& several.stats.messages == one.stats.messages
				&& several.stats.words == one.stats.words && several.stats.bytes == one.stats.bytes
				&& (one.error.kind || several.stats.link_load == one.stats.link_load),
			"%s, %d processes: %" PRId64 " messages", guarded(), processes, several.stats.messages);
		compare_traces(&whole, &traced, processes);
		crossed += several.crossing_messages;
	}
}

/* Random messages, most of them between neighbors, some of which no node sends. */
static void test_messages(const char *spec, enum ls_mode mode, int trials)
{
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);
	uint64_t state = 5;

	for (int trial = 0; trial < trials; trial++) {
		const struct ls_request request = { .size = sizeof request,
			.topology = t,
			.mode = mode,
			.ports = 1 + (int)random_below(&state, 2) };
		struct ls_message row[ROWS];
		const size_t n = 1 + (size_t)random_below(&state, trial % 2 ? 4 : 12);
		ls_plan *plan;

		for (size_t i = 0; i < n; i++) {
			const int64_t src = random_below(&state, p);
			const int64_t dst = random_below(&state, 8) ? (src + 1) % p : random_below(&state, p);

			row[i] = (struct ls_message){ 1 + random_below(&state, 3), src, dst,
				random_below(&state, 12) == 0, (size_t)random_below(&state, 9) };
		}
		guard("%s, list of messages %d", spec, trial);
		if (ls_plan_from_messages(&request, row, n, &plan, NULL) != LS_OK)
			exit(1);
		check_messages(plan, trial % 2);
		ls_plan_destroy(plan);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	static const struct base small[] = {
		{ "star:4", LS_ALLREDUCE, "paper" },
		{ "star:4", LS_BROADCAST, "matching" },
		{ "hypercube:4", LS_BROADCAST, "binomial" },
		{ "hypercube:4", LS_ALLREDUCE, "doubling" },
		{ "star:4", LS_ALLREDUCE, "substar" },
		{ "star:4", LS_REDUCE, "matching" },
		{ "torus:4x4", LS_ALLREDUCE, "neighbor-exchange" },
		{ "mesh:4x5", LS_SCAN, "dimension" },
		{ "ring:10", LS_BROADCAST, "spanning-tree" },
		{ "hypercube:4", LS_REDUCE, "binomial" },
	};
	const bool few = is_thin() || is_fast();
	int64_t plans = 0;

	open_launched_world();
	for (size_t i = 0; i < (few ? 5 : is_long() ? sizeof small / sizeof *small : 7); i++)
		test_base(&small[i], is_thin() ? 1 : is_long() ? 4 : 2);
	for (int d = 0; d < DAMAGES; d++) {
		plans += planted[d];
		CHECK(planted[d] >= 2, "%s: planted %" PRId64 " times", damage_name[d], planted[d]);
	}
	test_lengths(&(struct base){ "ring:8", LS_ALLREDUCE, "ring" });
	test_congestion("ring:16", LS_ALLREDUCE, "doubling");
	test_congestion("tree:16", LS_ALLGATHER, "doubling");
	test_congestion("linear:8", LS_BROADCAST, "binomial");
	test_congestion("linear:8", LS_BROADCAST, "wrong-order");
	test_congestion("hypercube:4", LS_ALLTOALL, "ecube");
	test_messages("ring:8", LS_HOP, few ? 50 : is_long() ? 500 : 150);
	test_messages("complete:6", LS_HOP, few ? 20 : is_long() ? 200 : 60);
	test_messages("linear:8", LS_ROUTED, few ? 50 : is_long() ? 500 : 150);
	close_launched_world();
	printf("%" PRId64 " damaged plans, %" PRId64 " other sweeps\n", plans, sweeps - plans);
	CHECK(crossed > 0, "no message crossed");
	return test_result();
}
