/*
 * The numbers of figures, from the public queries of a replay:
 *
 *   Figures 1 and 3 of the star paper (Oh, Choi, Primeaux 2005): the sums in the result and in the
 *   outgoing buffer of each node, computed here by the procedure of its Figure 2
 *   Figures 4.11 and 4.13 of the textbook (Grama, Gupta, Karypis, Kumar 2003): the numbers that
 *   each node holds
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/guard.h"
#include "test.h"

enum { NODES = 24, BUFFERS_TEXT = 40 };

static void put_number(void *context, int64_t rank, int64_t block, void *out)
{
	(void)context, (void)block;
	*(int64_t *)out = rank + 1;
}

static void add(void *context, const void *a, const void *b, void *out)
{
	(void)context;
	*(int64_t *)out = *(const int64_t *)a + *(const int64_t *)b;
}

static void replay(const ls_plan *plan, int (*observe)(void *, const ls_replay *), void *context)
{
	const struct ls_observer observer = { .size = sizeof observer,
		.observe = observe,
		.context = context,
		.bytes = sizeof(int64_t),
		.operand = put_number,
		.combine = add };
	const struct ls_check_options options = { .size = sizeof options, .observer = &observer };
	struct ls_certificate found = { .size = sizeof found };

	CHECK(ls_check(plan, 1, &options, &found) == LS_OK, "%s", found.text);
}

static ls_plan *make(
	const char *spec, enum ls_operation operation, const char *algorithm, ls_topology **topology)
{
	struct ls_request request = {
		.size = sizeof request, .operation = operation, .algorithm = algorithm
	};

	guard("%s on %s", algorithm, spec);
	if (ls_topology_make(spec, topology, NULL) != LS_OK)
		exit(1);
	request.topology = *topology;
	return plan_for(&request);
}

static int64_t number_in(const ls_replay *now, int64_t node, int buffer)
{
	int64_t number = -1;

	CHECK(ls_replay_value(now, node, buffer, 0, &number) == LS_OK, "node %" PRId64, node);
	return number;
}

/* ---- The star paper */

/* Of the procedure: level k, link d, result and outgoing buffer. */
struct star {
	const ls_topology *topology;
	int n, k, d;
	int64_t result[NODES], outgoing[NODES];
};

/* One step: at the begin of a level all send their sum, then they forward what they received. */
static void step_star(struct star *star)
{
	const int64_t nodes = ls_topology_nodes(star->topology);
	int64_t received[NODES];
	const bool begins = star->d == 2;

	if (begins)
		for (int64_t r = 0; r < nodes; r++)
			star->result[r] += star->outgoing[r];
	star->k += begins;
	star->d = begins ? star->k : star->d - 1;
	for (int64_t r = 0; r < nodes; r++) {
		const int64_t from = ls_neighbor(star->topology, r, star->d - 2);

		received[r] = begins ? star->result[from] : star->outgoing[from];
	}
	for (int64_t r = 0; r < nodes; r++)
		*(begins ? &star->outgoing[r] : &star->result[r]) =
			begins ? received[r] : star->result[r] + received[r];
}

/* The plan adds the outgoing sum in the last step of a level; on level 2 it has no such buffer. */
static int observe_star(void *context, const ls_replay *now)
{
	struct star *star = context;
	const int64_t nodes = ls_topology_nodes(star->topology);

	if (ls_replay_steps(now) == 0)
		return 0;
	step_star(star);
	printf("link %d:", star->d);
	for (int64_t r = 0; r < nodes; r++) {
		const int64_t outgoing = star->k > 2 ? number_in(now, r, LS_SCRATCH) : star->outgoing[r];
		const int64_t result = number_in(now, r, LS_OUTPUT) - (star->d == 2 ? outgoing : 0);

		printf(" [%" PRId64 "](%" PRId64 ")", result, outgoing);
		CHECK(result == star->result[r] && outgoing == star->outgoing[r],
			"%s: link %d, node %" PRId64 ": [%" PRId64 "](%" PRId64 ")", guarded(), star->d, r,
			star->result[r], star->outgoing[r]);
		if (star->d == 2 && star->k == 3)
			CHECK(result + outgoing == 21 + 36 * (r / 6), "sum of a substar at node %" PRId64, r);
		if (star->d == 2 && star->k == star->n)
			CHECK(result + outgoing == (star->n == 3 ? 21 : 300), "sum at node %" PRId64, r);
	}
	putchar('\n');
	return 0;
}

static void test_star(int n)
{
	char spec[16];
	ls_topology *topology;
	struct star star = { .n = n, .k = 1, .d = 2 };

	snprintf(spec, sizeof spec, "star:%d", n);

	ls_plan *plan = make(spec, LS_ALLREDUCE, "paper", &topology);

	star.topology = topology;
	for (int64_t r = 0; r < ls_topology_nodes(topology); r++)
		star.result[r] = r + 1;
	replay(plan, observe_star, &star);
	CHECK(star.k == n && star.d == 2, "ends on level %d", star.k);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* ---- The textbook */

static void text_of_buffer(const ls_replay *now, int64_t node, int buffer, char *text)
{
	const struct ls_slice all = {
		.run = ls_replay_blocks(now, buffer), .runs = 1, .buffer = (uint8_t)buffer
	};

	CHECK(ls_replay_text(now, node, &all, text, BUFFERS_TEXT) < BUFFERS_TEXT, "long");
}

/* What Figure 4.13 prints after each step: [result](outgoing); the last outgoing are unused. */
static const char *const prefix_figure[4][8] = {
	{ "[0](0)", "[1](1)", "[2](2)", "[3](3)", "[4](4)", "[5](5)", "[6](6)", "[7](7)" },
	{ "[0](0,1)", "[0,1](0,1)", "[2](2,3)", "[2,3](2,3)", "[4](4,5)", "[4,5](4,5)", "[6](6,7)",
		"[6,7](6,7)" },
	{ "[0](0..3)", "[0,1](0..3)", "[0..2](0..3)", "[0..3](0..3)", "[4](4..7)", "[4,5](4..7)",
		"[4..6](4..7)", "[4..7](4..7)" },
	{ "[0]", "[0,1]", "[0..2]", "[0..3]", "[0..4]", "[0..5]", "[0..6]", "[0..7]" },
};

/* A node without a sum yet has its own number; outgoing sums alternate between two buffers. */
static int observe_prefix(void *context, const ls_replay *now)
{
	const int64_t step = ls_replay_steps(now);
	const int outgoing = step == 0 ? LS_INPUT : LS_SCRATCH + (int)(step % 2);

	(void)context;
	for (int64_t r = 0; r < 8; r++) {
		char result[BUFFERS_TEXT], sum[BUFFERS_TEXT], found[100];

		text_of_buffer(now, r, LS_OUTPUT, result);
		if (!result[0])
			text_of_buffer(now, r, LS_INPUT, result);
		text_of_buffer(now, r, outgoing, sum);
		snprintf(found, sizeof found, step < 3 ? "[%s](%s)" : "[%s]", result, sum);
		printf(" %s", found);
		CHECK(strcmp(found, prefix_figure[step][r]) == 0, "step %" PRId64 ": %s, not %s", step,
			found, prefix_figure[step][r]);
	}
	putchar('\n');
	return 0;
}

/* Figure 4.11: nodes collect numbers of their subcubes. */
static int observe_allgather(void *context, const ls_replay *now)
{
	static const char *const figure[4][8] = {
		{ "", "", "", "", "", "", "", "" },
		{ "0,1", "0,1", "2,3", "2,3", "4,5", "4,5", "6,7", "6,7" },
		{ "0..3", "0..3", "0..3", "0..3", "4..7", "4..7", "4..7", "4..7" },
		{ "0..7", "0..7", "0..7", "0..7", "0..7", "0..7", "0..7", "0..7" },
	};
	const int64_t step = ls_replay_steps(now);

	(void)context;
	for (int64_t r = 0; r < 8; r++) {
		char text[BUFFERS_TEXT];

		text_of_buffer(now, r, LS_OUTPUT, text);
		printf(" (%s)", text);
		CHECK(strcmp(text, figure[step][r]) == 0, "step %" PRId64 ", node %" PRId64 ": %s", step, r,
			text);
	}
	putchar('\n');
	return 0;
}

static void test_cube(
	enum ls_operation operation, const char *algorithm, int (*observe)(void *, const ls_replay *))
{
	ls_topology *topology;
	ls_plan *plan = make("hypercube:3", operation, algorithm, &topology);

	replay(plan, observe, NULL);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

int main(void)
{
	test_star(3);
	test_star(4);
	test_cube(LS_SCAN, "dimension", observe_prefix);
	test_cube(LS_ALLGATHER, "doubling", observe_allgather);
	return test_result();
}
