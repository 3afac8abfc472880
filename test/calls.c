/*
 * Call after call on buffers that are written again as soon as a call has returned: nobody may
 * still read what was lent, and no message of one call may pass for one of the next.  Every
 * algorithm, in free rounds.
 */
/* timeout: 80 */
#include <inttypes.h>
#include <stdlib.h>

#include <lockstep/collective.h>

#include "collective/algorithm.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { CALLS = 24, LENT = 700, SHORT = 3 };       /* words */

struct row {
	const struct cell *cell;
	int mailbox;
};

/* What a node gives in a call; the largest of all nodes, and the sum, follow at sight. */
static int64_t given(int64_t rank, int call, size_t i)
{
	return rank + 1000 * call + 100000 * (int64_t)i;
}

static int64_t wanted(const struct cell *cell, int call, size_t i)
{
	const int64_t p = cell->problem.nodes;

	if (cell->problem.operation == LS_BROADCAST)
		return given(cell->problem.root, call, i);
	if (cell->algorithm->claim == LS_IDEMPOTENT)
		return given(p - 1, call, i);
	return p * given(0, call, i) + p * (p - 1) / 2;
}

static bool has_result(const struct cell *cell, int64_t rank)
{
	return cell->problem.operation != LS_BARRIER
		&& (cell->problem.operation != LS_REDUCE || rank == cell->problem.root);
}

static int call_once(ls_node *me, const struct cell *cell, int call, int64_t *in, int64_t *out)
{
	const size_t n = cell->problem.operation == LS_BARRIER ? 0 : call % 4 == 3 ? SHORT : LENT;
	const bool root = ls_rank(me) == cell->problem.root;
	/* In a reduction only the root has a result; the others may say so. */
	const bool nothing = cell->problem.operation == LS_REDUCE && !root && call % 2;
	const struct ls_call c = { .size = sizeof c,
		.operation = cell->problem.operation,
		.algorithm = cell->algorithm->name,
		.input = cell->problem.in_place && !nothing ? out : in,
		.output = nothing ? NULL : out,
		.count = n,
		.type = LS_INT64,
		.op = cell->algorithm->claim == LS_IDEMPOTENT ? LS_MAX : LS_SUM,
		.root = cell->problem.root,
		.ports = cell->problem.ports };

	for (size_t i = 0; i < n; i++) {
		in[i] = given(ls_rank(me), call, i);
		out[i] = cell->problem.in_place ? in[i] : -1;
	}

	const int failed = ls_collective(me, &c);
	size_t i = 0;

	while (i < n && !failed && has_result(cell, ls_rank(me)) && out[i] == wanted(cell, call, i))
		i++;
	CHECK(failed || i == n || !has_result(cell, ls_rank(me)),
		"%s: node %" PRId64 ", call %d: element %zu is %" PRId64 ", not %" PRId64, guarded(),
		ls_rank(me), call, i, out[i], wanted(cell, call, i));
	return failed;
}

static int program(ls_node *me, void *arg)
{
	const struct row *row = arg;
	int64_t *in = memory(LENT, sizeof *in), *out = memory(LENT, sizeof *out);
	int failed = LS_OK;

	for (int call = 1; call <= CALLS && !failed; call++)
		failed = call_once(me, row->cell, call, in, out);
	free(in);
	free(out);
	return failed;
}

static void test_cell(const struct cell *cell, void *cells)
{
	const struct row row = { cell, 1 + (int)(*(int64_t *)cells)++ % 4 };
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.mode = cell->problem.mode,
		.ports = cell->problem.ports,
		.mailbox = row.mailbox };
	ls_machine *machine = machine_on(cell->problem.topology, &options);

	guard("%s, mailbox %d", cell_name(cell).text, row.mailbox);
	must_run(machine, program, (void *)&row);
	ls_machine_destroy(machine);
}

int main(void)
{
	static const char *const specs[] = { "ring:5", "hypercube:3", "star:3", "complete:4",
		"mesh:2x3", "linear:4", "torus:3x3", "complete:6", "star:4" };
	const size_t n = is_thin() ? 4 : sizeof specs / sizeof *specs;
	int64_t cells = 0;

	for (size_t i = 0; i < n; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_cell, &cells);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " cells\n", cells);
	return test_result();
}
