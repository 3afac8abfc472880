/*
 * Plans as text: the reader reads the plan that was written, and its laws are proved again.
 * Invalid files are refused with their line and reason.
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

/* ---- Bad files */

#define HEAD "lockstep plan 1\noperation allreduce\nnodes 4\nscratch S 1\n"

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "1: the file is empty; expected 'lockstep plan 1'" },
	{ "hello\n", "1: expected 'lockstep plan 1', found 'hello'" },
	{ "lockstep plan 2\n", "1: expected 'lockstep plan 1', found 'lockstep plan 2'" },
	{ "lockstep plan 1\nnodes 4\nround\n",
		"3: the header does not state the operation; expected 'operation NAME'" },
	{ "lockstep plan 1\noperation allreduce\nround\n",
		"the header does not state the nodes; expected 'nodes P' before the first step" },
	{ "lockstep plan 1\noperation alreduce\n",
		"no operation 'alreduce'; did you mean 'allreduce'?" },
	{ HEAD "algorithm-ring\n", "5: unknown word 'algorithm-ring'; did you mean 'algorithm'?" },
	{ HEAD "root 0\nroot 1\n", "6: a second line 'root'; expected each line of the header once" },
	{ "lockstep plan 1\nnodes 5\n", "the plan has 5 nodes, but ring:4 has 4; expected 'nodes 4'" },
	{ HEAD "0: send INPUT[0] to 1\n", "5: node 0 comes before the first step" },
	{ HEAD "round\n4: send INPUT[0] to 1\n", "6: rank 4 is out of range; expected 0..3" },
	{ HEAD "round\n1: send INPUT[0] to 2\n0: receive 1 from 1\n1: receive 1 from 0\n",
		"8: node 1 has two lines in one step; try one line, "
		"with ';' between its parts" },
	{ HEAD "round\n1: send INPUT[0] to 2\n0: receive 1 from 1\n0: receive 1 from 1\nround\n",
		"8: node 0 has two lines" },
	{ HEAD "local\n0: S := INPUT\n0: OUTPUT := INPUT\nround\n",
		"7: node 0 has two lines in one step; try" },
	{ HEAD "round\n0: T[2..3] := INPUT[0]\n",
		"6: the header does not declare buffer T; try 'scratch T 4' before the first "
		"step" },
	{ HEAD "round\n0: send INPUT[0] to 1\n1: receive 1 from 0; T := ARRIVAL\n",
		"7: the header does not declare buffer T; try 'scratch T 1' before" },
	{ HEAD "round\n0: OUTPUT[0] := fold V[1,7,3]\n", "try 'scratch V 8' before" },
	{ HEAD "round\n0: OUTPUT[0] := INPUT[0] (+) U[0]\n", "try 'scratch U 1' before" },
	{ HEAD "round\n0: OUTPUT := ARRIVAL; send INPUT to 1\n",
		"6: the node reads ARRIVAL, but receives nothing on port 0; "
		"try 'receive 1 from RANK'" },
	{ HEAD "round\n0: receive 1 from 1; OUTPUT := ARRIVAL2\n",
		"6: the node reads ARRIVAL2, but receives nothing on port 2; "
		"try 'receive 1 from RANK port 2'" },
	{ HEAD "round\n0: send INPUT[0] to 1; send INPUT[0] to 3\n", "a second send on port 0" },
	{ HEAD "round\n0: send INPUT[0] to 1 port 4\n", "port 4 is out of range; expected 0..3" },
	{ HEAD "round\n0: send W[0] to 1\n",
		"expected INPUT, OUTPUT, ARRIVAL, S, T, U or V, found 'W'" },
	{ HEAD "round\n0: sned INPUT[0] to 1\n",
		"expected 'send', 'receive', OUTPUT, S, T, U or V, found 'sned'" },
	{ HEAD "round\n0: send INPUT[0,] to 1\n", "expected a block, found ']'" },
	{ HEAD "round\n0: send INPUT[3..1] to 1\n", "block 1 is out of range; expected 3..1048576" },
	{ HEAD "round\n0: receive 1from 1\n", "6: expected a block count, found '1from'" },
	{ HEAD "round\n0: receive 0 from 1\n", "block count 0 is out of range; expected 1..1048576" },
	{ HEAD "round\n0: OUTPUT[0] = INPUT[0]\n", "expected ':=', found '='" },
	{ HEAD "round\n0: OUTPUT[0] := INPUT[0] (+) ARRIVAL[0] too\n",
		"expected ';' or a new line, found 'too'" },
	{ HEAD "local\n0: send INPUT[0] to 1\n", "a local step cannot send or receive" },
	{ HEAD "local\nroot 1\n", "'root' comes after the first step; expected before it" },
	{ HEAD "ruond\n", "5: unknown word 'ruond'; did you mean 'round'?" },
	{ HEAD "zzz 5\n", "expected a header line, 'round' or 'local', found 'zzz'" },
	{ HEAD "round\nzzz 5\n", "expected 'RANK: ...', 'round' or 'local', found 'zzz'" },
	{ HEAD "claim best\n",
		"expected 'idempotent', 'commutative', 'ordered' or 'move', found 'best'" },
	{ HEAD "claim move\nblocks 2\nround\n",
		"5: the claim 'move' does not fit allreduce, which combines contributions; "
		"expected 'idempotent', 'commutative' or 'ordered'" },
	{ "lockstep plan 1\nclaim move\noperation barrier\nnodes 4\n",
		"2: the claim 'move' does not fit barrier, which combines contributions; "
		"expected 'idempotent'" },
	{ "lockstep plan 1\noperation allgather\nnodes 4\nclaim ordered identical\nround\n",
		"4: the claim 'ordered' does not fit allgather, which only moves data; expected 'move'" },
	{ HEAD "scratch W 1\n", "expected S, T, U or V, found 'W'" },
	{ HEAD "scratch S 2\n", "5: a second line for this buffer; expected one" },
	{ HEAD "scratch T 2 each x\n", "expected a count of slots per block, found 'x'" },
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
	CHECK(ls_check(plan, 5, NULL, &c) == LS_ERR_LAW && c.broken_law == LS_LAW_RESULT, "%s", c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- What people write */

static ls_plan *read_text(const char *text, const ls_topology *t)
{
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	CHECK(ls_plan_read(text, strlen(text), t, &plan, &why) == LS_OK, "%s: %s", text, why.text);
	return plan;
}

/* Both texts are one plan, whose laws hold. */
static void check_equal(const char *loose, const char *strict, const char *spec)
{
	struct ls_certificate c = { .size = sizeof c };
	ls_topology *t = topology_of(spec);
	ls_plan *a = read_text(loose, t), *b = read_text(strict, t);

	if (a && b) {
		struct text one = text_of(a), other = text_of(b);

		CHECK(strcmp(one.at, other.at) == 0, "%s\nis not\n%s", one.at, other.at);
		CHECK(ls_check(a, 5, NULL, &c) == LS_OK, "%s: %s", loose, c.text);
		free(one.at);
		free(other.at);
	}
	ls_plan_destroy(a);
	ls_plan_destroy(b);
	ls_topology_destroy(t);
}

/* Nodes of a round in any order, also where a later round has them in order. */
static void test_order(void)
{
#define RING "lockstep plan 1\noperation broadcast\nnodes 4\nround\n"
	check_equal(RING "3: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n"
					 "0: send INPUT[0] to 3; OUTPUT[0] := INPUT[0]\n"
					 "round\n"
					 "1: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n"
					 "3: send OUTPUT[0] to 2\n"
					 "0: send INPUT[0] to 1\n"
					 "2: receive 1 from 3; OUTPUT[0] := ARRIVAL[0]\n",
		RING "0: send INPUT[0] to 3; OUTPUT[0] := INPUT[0]\n"
			 "3: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n"
			 "round\n"
			 "0: send INPUT[0] to 1\n"
			 "1: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n"
			 "2: receive 1 from 3; OUTPUT[0] := ARRIVAL[0]\n"
			 "3: send OUTPUT[0] to 2\n",
		"ring:4");
}

/* Between words: blanks, tabs, and the carriage returns of lines from another system. */
static void test_blanks(void)
{
	check_equal("lockstep plan 1\r\noperation\tbroadcast\r\nnodes  2\r\nround\r\n"
				"0:\tsend INPUT[0]\tto 1;\tOUTPUT[0]\t:=  INPUT[0]\r\n"
				"1: receive \t1 from 0; OUTPUT[0] := ARRIVAL[0] \t\r\n",
		"lockstep plan 1\noperation broadcast\nnodes 2\nround\n"
		"0: send INPUT[0] to 1; OUTPUT[0] := INPUT[0]\n"
		"1: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n",
		"linear:2");
}

/* A buffer without numbers is all its blocks; ARRIVAL all that its port receives. */
static void test_whole_buffers(void)
{
	check_equal(RING "0: send INPUT to 1; OUTPUT := INPUT\n"
					 "1: OUTPUT := ARRIVAL; receive 1 from 0\n"
					 "round\n"
					 "0: send INPUT to 3\n"
					 "3: receive 1 from 0; OUTPUT := ARRIVAL\n"
					 "1: send OUTPUT to 2\n"
					 "2: receive 1 from 1; OUTPUT := ARRIVAL\n",
		RING "0: send INPUT[0] to 1; OUTPUT[0] := INPUT[0]\n"
			 "1: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n"
			 "round\n"
			 "0: send INPUT[0] to 3\n"
			 "1: send OUTPUT[0] to 2\n"
			 "2: receive 1 from 1; OUTPUT[0] := ARRIVAL[0]\n"
			 "3: receive 1 from 0; OUTPUT[0] := ARRIVAL[0]\n",
		"ring:4");
#define PAIR "lockstep plan 1\noperation allreduce\nnodes 2\nblocks 3\nclaim ordered identical\n"
	check_equal(PAIR "scratch S 6 each 2\nports 2\nround\n"
					 "0: send INPUT to 1 port 1; receive 3 from 1 port 1; "
					 "S[0,2,4] := INPUT; S[1,3,5] := ARRIVAL1; OUTPUT := INPUT (+) ARRIVAL1\n"
					 "1: send INPUT to 0 port 1; receive 3 from 0 port 1; "
					 "OUTPUT := ARRIVAL1 (+) INPUT\n",
		PAIR "scratch S 6 each 2\nports 2\nround\n"
			 "0: send INPUT[0..2] to 1 port 1; receive 3 from 1 port 1; "
			 "S[0,2,4] := INPUT[0..2]; S[1,3,5] := ARRIVAL1[0..2]; "
			 "OUTPUT[0..2] := INPUT[0..2] (+) ARRIVAL1[0..2]\n"
			 "1: send INPUT[0..2] to 0 port 1; receive 3 from 0 port 1; "
			 "OUTPUT[0..2] := ARRIVAL1[0..2] (+) INPUT[0..2]\n",
		"linear:2");
#define FOLD "lockstep plan 1\noperation reduce\nnodes 2\nclaim ordered\nscratch S 2\nround\n"
	check_equal(FOLD "1: send INPUT to 0\n"
					 "0: receive 1 from 1; S[1] := ARRIVAL; S[0] := INPUT; OUTPUT := fold S\n",
		FOLD
		"0: receive 1 from 1; S[1] := ARRIVAL[0]; S[0] := INPUT[0]; OUTPUT[0] := fold S[0..1]\n"
		"1: send INPUT[0] to 0\n",
		"linear:2");
	check_equal("lockstep plan 1\noperation allgather\nnodes 2\nround\n"
				"0: send INPUT to 1; receive 1 from 1; OUTPUT[0] := INPUT; OUTPUT[1] := ARRIVAL\n"
				"1: send INPUT to 0; receive 1 from 0; OUTPUT[1] := INPUT; OUTPUT[0] := ARRIVAL\n",
		"lockstep plan 1\noperation allgather\nnodes 2\nround\n"
		"0: send INPUT[0] to 1; receive 1 from 1; "
		"OUTPUT[0] := INPUT[0]; OUTPUT[1] := ARRIVAL[0]\n"
		"1: send INPUT[0] to 0; receive 1 from 0; "
		"OUTPUT[1] := INPUT[0]; OUTPUT[0] := ARRIVAL[0]\n",
		"linear:2");
}

/* What law 4 says to write, written: then the plan is good. */
static void test_remedy_in_flight(void)
{
	static const char head[] =
		"lockstep plan 1\noperation allreduce\nnodes 2\nblocks 2\nclaim ordered identical\n";
	static const char *const first[] = { "local\n0: OUTPUT := INPUT\n1: OUTPUT := INPUT\n",
		"round\n0: send OUTPUT[1] to 1; receive 1 from 1; OUTPUT[1] := OUTPUT[1] (+) ARRIVAL[0]\n"
		"1: send OUTPUT[1] to 0; receive 1 from 0; OUTPUT[1] := ARRIVAL[0] (+) OUTPUT[1]\n" };
	static const char last[] =
		"round\n0: send INPUT[0] to 1; receive 1 from 1; OUTPUT[0] := INPUT[0] (+) ARRIVAL[0]\n"
		"1: send INPUT[0] to 0; receive 1 from 0; OUTPUT[0] := ARRIVAL[0] (+) INPUT[0]\n";
	static const char remedied[] =
		"scratch S 2\n"
		"local\n0: OUTPUT := INPUT\n1: OUTPUT := INPUT\n"
		"local\n0: S[1] := OUTPUT[1]\n1: S[1] := OUTPUT[1]\n"
		"round\n0: send S[1] to 1; receive 1 from 1; OUTPUT[1] := OUTPUT[1] (+) ARRIVAL[0]\n"
		"1: send S[1] to 0; receive 1 from 0; OUTPUT[1] := ARRIVAL[0] (+) OUTPUT[1]\n";
	struct ls_certificate c = { .size = sizeof c };
	ls_topology *t = topology_of("linear:2");
	char text[2048];
	ls_plan *plan;

	snprintf(text, sizeof text, "%s%s%s%s", head, first[0], first[1], last);
	plan = read_text(text, t);
	CHECK(ls_check(plan, 5, NULL, &c) == LS_ERR_LAW && c.broken_law == LS_LAW_IN_FLIGHT
			&& strcmp(c.text,
				   "law 4 (in flight): node 0: round 1: move 1 writes OUTPUT[1], which the node "
				   "sends in this round; send a copy: 'scratch S 2' in the header, 'local' and "
				   "'0: S[1] := OUTPUT[1]' before the round, 'send S[1]' in it")
				== 0,
		"%s", c.text);
	ls_plan_destroy(plan);
	snprintf(text, sizeof text, "%s%s%s", head, remedied, last);
	plan = read_text(text, t);
	CHECK(ls_check(plan, 5, NULL, &c) == LS_OK, "%s", c.text);
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
	test_order();
	test_blanks();
	test_whole_buffers();
	test_remedy_in_flight();
	printf("%" PRId64 " plans written and read\n", cells);
	return test_result();
}
