/*
 * The waits of law 8.  Only the plans that the table here names need any.  All equal those of the
 * definition, computed literally, and exceed those that the proof needs only where a chain has more
 * than one message.
 */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>

#include "plan/zero_copy_waits.h"
#include "plan/step.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "test.h"

/* ---- The definition */

static bool share(
	const struct ls_plan *plan, int64_t rank, const struct ls_slice *a, const struct ls_slice *b)
{
	for (int64_t i = 0; i < ls_slice_blocks(a); i++) {
		for (int64_t j = 0; j < ls_slice_blocks(b); j++) {
			if (lsi_storage_cell(plan, rank, a->buffer, ls_slice_at(a, i))
				== lsi_storage_cell(plan, rank, b->buffer, ls_slice_at(b, j)))
				return true;
		}
	}
	return false;
}

static bool overwrites(const struct ls_plan *plan, int64_t rank, const struct ls_step *step,
	const struct ls_slice *sent)
{
	for (int m = 0; m < step->n_moves; m++) {
		if (!lsi_storage_is_noop(plan, rank, &step->move[m])
			&& share(plan, rank, &step->move[m].dst, sent))
			return true;
	}
	return false;
}

static bool hears(
	const struct ls_plan *plan, int64_t rank, int64_t from, int64_t first, int64_t last)
{
	for (int64_t t = first; t <= last; t++) {
		struct lsi_peers peers;

		lsi_plan_peers(plan, rank, t, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			if (peers.from[q] == from)
				return true;
		}
	}
	return false;
}

/* No earlier step overwrote the sent slice, so none waited. */
static bool is_intact(
	const struct ls_plan *plan, int64_t rank, const struct ls_slice *sent, int64_t s, int64_t now)
{
	for (int64_t t = s + 1; t < now; t++) {
		struct ls_step step;

		ls_plan_step(plan, rank, t, &step);
		if (overwrites(plan, rank, &step, sent))
			return false;
	}
	return true;
}

/* For plans of one block a message, where a slice is overwritten wholly or not at all. */
static int64_t wait_defined(const struct ls_plan *plan, int64_t rank, int64_t now)
{
	struct ls_step step, earlier;

	ls_plan_step(plan, rank, now, &step);
	for (int64_t s = now - 1; s >= 0; s--) {
		ls_plan_step(plan, rank, s, &earlier);
		for (int q = 0; q < earlier.ports; q++) {
			if (earlier.to[q] != LS_NO_RANK && overwrites(plan, rank, &step, &earlier.send[q])
				&& is_intact(plan, rank, &earlier.send[q], s, now)
				&& !hears(plan, rank, earlier.to[q], s + 1, now))
				return s;
		}
	}
	return -1;
}

struct tally {
	int64_t steps, waits;
};

static void test_definition(const struct cell *cell, void *context)
{
	struct tally *tally = context;
	struct ls_plan *plan = plan_of(cell);
	int64_t waits[256];

	CHECK(ls_plan_steps(plan) <= 256, "%s", cell_name(cell).text);
	for (int64_t u = 0; u < ls_plan_nodes(plan) && ls_plan_blocks(plan) == 1; u++) {
		CHECK(lsi_plan_zero_copy_waits(plan, u, waits) == LS_OK, "%s", cell_name(cell).text);
		for (int64_t t = 0; t < ls_plan_steps(plan); t++) {
			CHECK(waits[t] == wait_defined(plan, u, t),
				"%s: node %" PRId64 " step %" PRId64 ": %" PRId64, cell_name(cell).text, u, t,
				waits[t]);
			tally->steps++;
			tally->waits += waits[t] >= 0;
		}
	}
	ls_plan_destroy(plan);
}

/* ---- The counts of waits by family */

static int never(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	(void)rank;
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = -1;
	return LS_OK;
}

/*
 * NONE: no zero-copy slice is overwritten, or a message from the receiver acknowledges it.
 * CHAIN: a longer chain tells.
 */
enum need { NONE, CHAIN, ACKNOWLEDGEMENT };

static const struct {
	const char *topology, *algorithm;
	enum ls_operation operation;
	enum need need;
} counted[] = {
	{ "ring:8", "pipeline", LS_BROADCAST, NONE },
	{ "hypercube:4", "binomial", LS_BROADCAST, NONE },
	{ "hypercube:4", "binomial", LS_REDUCE, NONE },
	{ "star:4", "matching", LS_BROADCAST, NONE },
	{ "hypercube:4", "halving-doubling", LS_ALLREDUCE, NONE },
	{ "star:4", "substar", LS_ALLREDUCE, NONE },
	{ "ring:8", "ring", LS_ALLREDUCE, CHAIN },
	{ "star:4", "paper", LS_ALLREDUCE, ACKNOWLEDGEMENT },
	{ "hypercube:4", "doubling", LS_ALLREDUCE, ACKNOWLEDGEMENT },
	{ "ring:8", "ring", LS_ALLGATHER, NONE },
	{ "hypercube:4", "doubling", LS_ALLGATHER, NONE },
	{ "star:4", "paper", LS_ALLGATHER, NONE },
	{ "star:4", "word", LS_ALLGATHER, NONE },
	{ "linear:7", "odd-even", LS_ALLGATHER, NONE },
	{ "ring:8", "ring", LS_REDUCE_SCATTER, ACKNOWLEDGEMENT }, /* two slots */
	{ "hypercube:4", "halving", LS_REDUCE_SCATTER, NONE },
	{ "hypercube:4", "ordered-halving", LS_REDUCE_SCATTER, NONE },
	{ "hypercube:4", "binomial", LS_SCATTER, NONE },
	{ "star:4", "spanning-tree", LS_SCATTER, NONE },
	{ "hypercube:4", "binomial", LS_GATHER, NONE },
	{ "star:4", "spanning-tree", LS_GATHER, NONE },
	{ "complete:7", "pairwise", LS_ALLTOALL, NONE },
	{ "linear:8", "pipeline", LS_SCAN, NONE },
	{ "ring:7", "ordered-ring", LS_REDUCE_SCATTER, ACKNOWLEDGEMENT },
	{ "complete:7", "doubling", LS_SCAN, ACKNOWLEDGEMENT },
	{ "star:4", "word", LS_BARRIER, ACKNOWLEDGEMENT },
	{ "ring:8", "ring", LS_ALLTOALL, ACKNOWLEDGEMENT },
	{ "hypercube:4", "dimension", LS_ALLTOALL, ACKNOWLEDGEMENT },
	{ "star:4", "word", LS_ALLTOALL, ACKNOWLEDGEMENT },
	{ "ring:8", "ring", LS_SHIFT, ACKNOWLEDGEMENT },
	{ "hypercube:4", "dimension", LS_SHIFT, ACKNOWLEDGEMENT },
};

static void test_counted(size_t i)
{
	ls_topology *t = topology_of(counted[i].topology);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = counted[i].operation,
		.shift = 3,
		.algorithm = counted[i].algorithm };
	const struct ls_check_options options = { .size = sizeof options, .waits = never };
	struct ls_certificate c = { .size = sizeof c };
	ls_plan *plan;
	int64_t waits[64], found = 0;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s", counted[i].algorithm);
	for (int64_t u = 0; plan && u < ls_plan_nodes(plan); u++) {
		CHECK(ls_plan_steps(plan) <= 64 && lsi_plan_zero_copy_waits(plan, u, waits) == LS_OK, "%s",
			counted[i].algorithm);
		for (int64_t s = 0; s < ls_plan_steps(plan); s++)
			found += waits[s] >= 0;
	}

	const bool unneeded = ls_check(plan, 100, &options, &c) == LS_OK;
	const enum need need = found == 0 ? NONE : unneeded ? CHAIN : ACKNOWLEDGEMENT;

	CHECK(need == counted[i].need, "%s on %s waits %" PRId64 " times; %s", counted[i].algorithm,
		counted[i].topology, found, c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- A chain */

/* A token travels around a ring and returns into the storage that it left. */

static struct lsi_frame walk_frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = problem->nodes, .blocks = 1 };
}

static void walk_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t p = plan->problem.nodes;

	if (rank == round)
		out->to[0] = (rank + 1) % p;
	if (rank == (round + 1) % p)
		out->from[0] = round;
}

static void walk_body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	if (rank == round)
		lsi_step_send(step, lsi_block(LS_OUTPUT, 0));
	if (rank == (round + 1) % plan->problem.nodes) {
		lsi_step_receive(step, 1);
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_arrival(step));
	}
}

static struct ls_counts walk_predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, m = (int64_t)n;

	return (struct ls_counts){ p, p, p * m, p * m };
}

/* Small machines are proved with whole chains; on large ones a message tells of its sender only. */
static void test_chain(const char *spec, bool whole)
{
	static const struct lsi_algorithm walk = { .operations = LSI_FOR(LS_BROADCAST),
		.name = "walk",
		.claim = LS_MOVE,
		.identical = true,
		.frame = walk_frame,
		.peers = walk_peers,
		.body = walk_body,
		.predict = walk_predict };
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);
	const struct cell cell = { &walk,
		{ .topology = t,
			.nodes = p,
			.operation = LS_BROADCAST,
			.segments = 1,
			.ports = 1,
			.in_place = true } };
	struct ls_plan *plan = plan_of(&cell);
	struct ls_certificate c = { .size = sizeof c };
	struct ls_check_options options = { .size = sizeof options };
	int64_t waits[512];

	CHECK(lsi_plan_zero_copy_waits(plan, 0, waits) == LS_OK && waits[p - 1] == 0, "%s: %" PRId64,
		spec, waits[p - 1]);
	CHECK(ls_check(plan, 1, &options, &c) == LS_OK, "%s: %s", spec, c.text);
	options.waits = never;
	CHECK((ls_check(plan, 1, &options, &c) == LS_OK) == whole, "%s: %s", spec, c.text);
	CHECK(whole || (c.broken_law == LS_LAW_ZERO_COPY && c.node == 0 && c.peer == 1 && c.round == p),
		"%s: %s", spec, c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "ring:2", "ring:3", "ring:7", "linear:6", "torus:3x4",
		"mesh:2x3", "hypercube:3", "complete:7", "star:4" };
	struct tally tally = { 0, 0 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 6, test_definition, &tally);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " of %" PRId64 " steps wait\n", tally.waits, tally.steps);
	CHECK(tally.waits > 0, "no step waits");
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		test_counted(i);
	test_chain("ring:3", true);
	test_chain("ring:40", true);
	test_chain("ring:300", false);
	return test_result();
}
