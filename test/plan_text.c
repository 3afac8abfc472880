/*
 * Plans as text: what is written is read as the same plan, whose laws are proved again; bad files
 * are refused with their line and reason.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static void test_cell(const struct cell *cell, void *context)
{
	const size_t n = 2 * (size_t)cell->problem.nodes + 1;
	struct ls_certificate was = { .size = sizeof was }, is = { .size = sizeof is };
	struct ls_error why = { .size = sizeof why };
	struct ls_plan *plan = plan_of(cell);
	struct text text = text_of(plan), again;
	ls_plan *read;

	++*(int64_t *)context;
	if (cell->problem.nodes == 1) { /* its plan is no table */
		ls_plan_destroy(plan);
		free(text.at);
		return;
	}
	CHECK(ls_plan_read(text.at, text.length, cell->problem.topology, &read, &why) == LS_OK,
		"%s: %s", cell_name(cell).text, why.text);
	again = text_of(read);
	CHECK(strcmp(text.at, again.at) == 0, "%s: written otherwise", cell_name(cell).text);
	CHECK(ls_check(plan, n, NULL, &was) == LS_OK, "%s", was.text);
	CHECK(ls_check(read, n, NULL, &is) == LS_OK, "%s: %s", cell_name(cell).text, is.text);
	CHECK(is.laws == (was.laws & ~(1u << LS_LAW_COUNT)) && is.identical == was.identical
			&& is.ordered == was.ordered && !memcmp(&is.counts, &was.counts, sizeof is.counts),
		"%s: proved otherwise", cell_name(cell).text);
	ls_plan_destroy(read);
	ls_plan_destroy(plan);
	free(text.at);
	free(again.at);
}

/* Bad files ---------------------------------------------------------------------------------- */

#define HEAD "lockstep plan 1\noperation allreduce\nnodes 4\nscratch S 1\n"

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "line 1 of the plan: nothing; would be right: lockstep plan 1" },
	{ "hello\n", "line 1 of the plan: 'hello'; would be right: lockstep plan 1" },
	{ "lockstep plan 2\n",
		"line 1 of the plan: 'lockstep plan 2'; would be right: lockstep plan 1" },
	{ "lockstep plan 1\nnodes 4\nround\n", "no line says operation" },
	{ "lockstep plan 1\noperation allreduce\nround\n", "no line says nodes" },
	{ "lockstep plan 1\noperation alreduce\n", "no operation is named alreduce" },
	{ "lockstep plan 1\nnodes 5\n", "5 nodes; ring:4 has 4" },
	{ HEAD "0: send INPUT[0] to 1\n", "line 5 of the plan: node 0 before the first round" },
	{ HEAD "round\n4: send INPUT[0] to 1\n",
		"line 6 of the plan: '4: send INPUT[0] to 1'; would be right: a number from 0 to 3" },
	{ HEAD "round\n1: send INPUT[0] to 2\n0: receive 1 from 1\n",
		"line 7 of the plan: node 0 after node 1" },
	{ HEAD "round\n0: send INPUT[0] to 1; send INPUT[0] to 3\n", "a second send on port 0" },
	{ HEAD "round\n0: send INPUT[0] to 1 port 4\n", "would be right: a number from 0 to 3" },
	{ HEAD "round\n0: send W[0] to 1\n", "'W[0] to 1'; would be right: INPUT" },
	{ HEAD "round\n0: send INPUT[0,] to 1\n", "'] to 1'; would be right: a number" },
	{ HEAD "round\n0: send INPUT[3..1] to 1\n", "would be right: a number from 3" },
	{ HEAD "round\n0: receive 0 from 1\n", "would be right: a number from 1" },
	{ HEAD "round\n0: OUTPUT[0] = INPUT[0]\n", "would be right: :=" },
	{ HEAD "round\n0: OUTPUT[0] := INPUT[0] (+) ARRIVAL[0] too\n", "'too' too much" },
	{ HEAD "local\n0: send INPUT[0] to 1\n", "a message in a local step" },
	{ HEAD "round\nroot 1\n", "root after the first round" },
	{ HEAD "claim best\n", "'best'; would be right: idempotent" },
	{ HEAD "scratch W 1\n", "'W 1'; would be right: S, T, U or V" },
	{ HEAD "round\n0: OUTPUT[0] := S[0]; OUTPUT[0] := S[0]; OUTPUT[0] := S[0]; OUTPUT[0] := S[0]; "
		   "OUTPUT[0] := S[0]\n",
		"more than 4 moves" },
};

static void test_bad(void)
{
	ls_topology *t = topology_of("ring:4");

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct ls_error why = { .size = sizeof why };
		ls_plan *plan;

		CHECK(ls_plan_read(bad[i].text, strlen(bad[i].text), t, &plan, &why) == LS_ERR_SPEC && !plan
				&& strstr(why.text, bad[i].why) && !strchr(why.text, '\n'),
			"'%s': '%s', not '%s'", bad[i].text, why.text, bad[i].why);
	}
	ls_topology_destroy(t);
}

/* A plan by hand: what is broken in it is found by its law. */
static void test_by_hand(void)
{
	static const char good[] =
		"lockstep plan 1\n# exchange\noperation allreduce\nnodes 2\n\n"
		"claim ordered identical\nround\n"
		"0: send INPUT[0] to 1; receive 1 from 1; OUTPUT[0] := INPUT[0] (+) ARRIVAL[0]\n"
		"1: send INPUT[0] to 0; receive 1 from 0; OUTPUT[0] := ARRIVAL[0] (+) INPUT[0]";
	struct ls_certificate c = { .size = sizeof c };
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = topology_of("linear:2");
	char text[sizeof good];
	ls_plan *plan;

	CHECK(ls_plan_read(good, strlen(good), t, &plan, &why) == LS_OK, "%s", why.text);
	CHECK(ls_check(plan, 5, NULL, &c) == LS_OK && c.ordered && c.identical, "%s", c.text);
	CHECK(!strcmp(ls_plan_algorithm(plan), "unnamed") && ls_plan_rounds(plan) == 1, "head");
	ls_plan_destroy(plan);

	memcpy(text, good, sizeof good);
	memcpy(strstr(text, "ARRIVAL[0] (+) INPUT[0]"), "INPUT[0] (+) ARRIVAL[0]", 23);
	CHECK(ls_plan_read(text, strlen(text), t, &plan, &why) == LS_OK, "%s", why.text);
	CHECK(ls_check(plan, 5, NULL, &c) == LS_ERR_LAW && c.broken == LS_LAW_RESULT, "%s", c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "ring:2", "linear:3", "ring:5", "mesh:2x3", "torus:3x3",
		"hypercube:3", "complete:6", "star:3", "star:4", "debruijn:3", "tree:4",
		"star:3*linear:2" };
	int64_t cells = 0;

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 3, test_cell, &cells);
		ls_topology_destroy(t);
	}
	CHECK(cells > (is_fast() ? 100 : 1000), "%" PRId64 " cells", cells);
	test_bad();
	test_by_hand();
	printf("%" PRId64 " plans written and read\n", cells);
	return test_result();
}
