/*
 * Every algorithm of the table obeys every law: operation x algorithm x network x root x ports x
 * mode x in place, each with several counts of elements.
 *
 * LS_LONG=1: larger networks, and all roots of more of them.
 */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/trace.h>

#include "support/cells.h"
#include "test.h"

enum { FLOOR = 249200 };        /* cells covered when this was last looked at; fewer is a loss */

struct progress { int64_t rooted, networks; struct cells cells; ls_op noncommutative; };

static int add_row(void *context, const struct ls_record *row)
{
	struct ls_counts *sum = context;

	sum->rounds = row->round;
	sum->messages++;
	sum->words += (int64_t)row->words;
	return 0;
}

/* The formulas hold for every count, also of fewer elements than blocks; the truth is a trace. */
static void test_counts(const struct ls_plan *plan, const struct cell *cell)
{
	const size_t p = (size_t)cell->problem.nodes;
	const size_t counts[] = { 0, 1, p - 1, p + 1, 7 * p + 5 };

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		const struct ls_counts predicted = ls_plan_predicted(plan, counts[i]);
		struct ls_counts counted = { 0 };

		ls_trace_plan(plan, counts[i], add_row, &counted);
		CHECK(counted.rounds == predicted.rounds && counted.messages == predicted.messages
				&& counted.words == predicted.words,
			"%s: n %zu: counted %" PRId64 " %" PRId64 " %" PRId64 ", predicted %" PRId64
			" %" PRId64 " %" PRId64,
			cell_name(cell).text, counts[i], counted.rounds, counted.messages,
			counted.words, predicted.rounds, predicted.messages, predicted.words);
	}
}

static void test_cell(const struct cell *cell, void *context)
{
	struct ls_certificate c = { .size = sizeof c };
	struct ls_plan *plan = plan_of(cell);
	const int status = ls_check(plan, 3 * (size_t)cell->problem.nodes + 2, NULL, &c);

	(void)context;
	CHECK(status == LS_OK, "%s: %s", cell_name(cell).text, c.text);
	CHECK(!cell->algorithm->identical || c.identical, "%s: not identical",
		cell_name(cell).text);
	CHECK(cell->algorithm->claim < LS_ORDERED || c.ordered, "%s: not ordered",
		cell_name(cell).text);
	if (!cell->problem.in_place) /* which messages know nothing of */
		test_counts(plan, cell);
	ls_plan_destroy(plan);
}

/* No cell is empty, and what is chosen for an operator that does not commute keeps the order. */
static void test_defaults(const ls_topology *t, ls_op noncommutative)
{
	static const enum ls_operation operations[] = { LS_BROADCAST, LS_REDUCE, LS_ALLREDUCE,
		LS_BARRIER };

	for (int i = 0; i < 4 * 2; i++) {
		struct ls_error why = { .size = sizeof why };
		struct ls_request request = { .size = sizeof request,
			.topology = t,
			.operation = operations[i / 2],
			.mode = ls_topology_vertices(t) > ls_topology_nodes(t) ? LS_ROUTED : LS_HOP,
			.op = i % 2 ? noncommutative : NULL };
		ls_plan *plan;

		CHECK(ls_plan_make(&request, &plan, &why) == LS_OK, "%s", why.text);
		CHECK(i % 2 == 0 || i / 2 == 0 || i / 2 == 3 || ls_plan_claim(plan) == LS_ORDERED,
			"%s", ls_plan_algorithm(plan));
		CHECK(i % 2 || operations[i / 2] != LS_ALLREDUCE || ls_plan_identical(plan), "%s",
			ls_plan_algorithm(plan));
		ls_plan_destroy(plan);
	}
}

static void first(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)b, (void)context;
	memmove(dst, a, n);
}

static void test_network(const char *spec, void *context)
{
	struct progress *progress = context;
	ls_topology *t = topology_of(spec);
	const struct cells cells = each_cell(t, progress->rooted, test_cell, NULL);

	test_defaults(t, progress->noncommutative);
	progress->cells.covered += cells.covered;
	progress->cells.existing += cells.existing;
	progress->networks++;
	ls_topology_destroy(t);
}

/* 5,040 nodes, with sets of contributions; and by fingerprint when there is no memory for sets. */
static void test_large(const char *spec, const char *algorithm, size_t memory)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request, .topology = t,
		.operation = LS_ALLREDUCE, .algorithm = algorithm };
	const struct ls_check_options options = { .size = sizeof options, .memory = memory };
	struct ls_certificate c = { .size = sizeof c };
	ls_plan *plan;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s", algorithm);
	CHECK(ls_check(plan, 1, &options, &c) == LS_OK, "%s on %s: %s", algorithm, spec, c.text);
	CHECK(c.by_fingerprint == (memory > 0), "%s on %s", algorithm, spec);
	CHECK(c.nodup == (memory == 0), "%s on %s", algorithm, spec);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	const bool is_long = getenv("LS_LONG") != NULL;
	const struct ls_op_options options = { sizeof options, "first", first, NULL, false, true };
	struct progress progress = { .rooted = is_long ? 32 : 16 };

	if (ls_op_make(&options, &progress.noncommutative) != LS_OK)
		return EXIT_FAILURE;
	each_network(is_long ? 200 : 64, is_long ? 36 : 24, test_network, &progress);
	if (is_long)
		test_network("star:6", &progress);
	test_large("star:7", "substar", 0);
	test_large("star:7", "paper", 0);
	test_large("star:5", "paper", 1000);
	printf("%" PRId64 " cells proved of %" PRId64 " on %" PRId64 " networks\n",
		progress.cells.covered, progress.cells.existing, progress.networks);
	CHECK(progress.cells.covered >= FLOOR, "%" PRId64 " cells; there were %d",
		progress.cells.covered, FLOOR);
	ls_op_destroy(progress.noncommutative);
	return test_result();
}
