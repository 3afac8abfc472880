/*
 * Every algorithm of the table obeys every law: operation x algorithm x network x root or shift x
 * ports x mode x in place, with one of several counts of elements in turn.
 *
 * On larger networks every fourth of these cells is proved (sanitizers: every ninth), the roots and
 * shifts being the corners, the middle and some between.  LS_LONG=1: every cell, also of larger
 * networks, with more roots.  Two processes share the networks.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>

#include <lockstep/check.h>
#include <lockstep/trace.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/workers.h"
#include "test.h"

/* Cells covered when this was last looked at; fewer is a loss. */
enum { FLOOR = 246000, FLOOR_THIN = 180000, FLOOR_FAST = 11900 };

static struct {
	int64_t rooted, whole; /* networks of at most that many nodes: all roots; all cells */
	int64_t every;         /* larger networks: one cell in `every` */
} extent;
static struct {
	atomic_llong covered, existing;
} * cells;

static int add_row(void *context, const struct ls_record *row)
{
	struct ls_counts *sum = context;

	sum->rounds = row->round;
	sum->messages++;
	sum->words += (int64_t)row->words;
	return 0;
}

/* The formulas hold for every count, also of fewer elements than blocks; the truth is a trace. */
static void test_counts(const struct ls_plan *plan, const struct cell *cell, size_t n)
{
	const struct ls_counts predicted = ls_plan_predict(plan, n);
	struct ls_counts counted = { 0 };

	ls_trace_plan(plan, n, add_row, &counted);
	CHECK(counted.rounds == predicted.rounds && counted.messages == predicted.messages
			&& counted.words == predicted.words,
		"%s: n %zu: counted %" PRId64 " %" PRId64 " %" PRId64 ", predicted %" PRId64 " %" PRId64
		" %" PRId64,
		cell_name(cell).text, n, counted.rounds, counted.messages, counted.words, predicted.rounds,
		predicted.messages, predicted.words);
}

/* More elements have at least as many words, and at last too many for an int64_t. */
static void test_many(const struct ls_plan *plan, const struct cell *cell)
{
	static const size_t counts[] = { 1000, (size_t)1 << 20, (size_t)1 << 40, (size_t)1 << 52,
		(size_t)1 << 60, INT64_MAX, SIZE_MAX };
	struct ls_counts fewer = { 0 };

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		const struct ls_counts more = ls_plan_predict(plan, counts[i]);

		CHECK(more.words >= fewer.words && more.volume >= fewer.volume && more.words >= more.volume,
			"%s: n %zu: %" PRId64 " words, volume %" PRId64 "; before it %" PRId64 " and %" PRId64,
			cell_name(cell).text, counts[i], more.words, more.volume, fewer.words, fewer.volume);
		fewer = more;
	}
}

static void test_cell(const struct cell *cell, void *index)
{
	const size_t p = (size_t)cell->problem.nodes;
	const size_t counts[] = { 3 * p + 2, 0, p - 1, 1, p + 1, 7 * p + 5, 2 };
	const int64_t i = (*(int64_t *)index)++;
	struct ls_certificate c = { .size = sizeof c };

	if (i % extent.every > 0 && cell->problem.nodes > extent.whole)
		return;

	struct ls_plan *plan = plan_of(cell);
	const int status = ls_check(plan, counts[i / extent.every % 7], NULL, &c);

	CHECK(status == LS_OK, "%s: %s", cell_name(cell).text, c.text);
	CHECK(!cell->algorithm->identical || c.identical, "%s: not identical", cell_name(cell).text);
	CHECK(
		cell->algorithm->claim < LS_ORDERED || c.ordered, "%s: not ordered", cell_name(cell).text);
	test_many(plan, cell);
	if (!cell->problem.in_place) /* which messages know nothing of */
		test_counts(plan, cell, counts[(i / extent.every + 3) % 7]);
	ls_plan_destroy(plan);
	atomic_fetch_add(&cells->covered, 1);
}

static void test_network(int item, void *context)
{
	ls_topology *t = topology_of(listed.spec[item]);
	int64_t index = item;

	(void)context;
	atomic_fetch_add(&cells->existing, each_cell(t, extent.rooted, test_cell, &index).existing);
	ls_topology_destroy(t);
}

/* 5,040 nodes, with sets of contributions; and by fingerprint when there is no memory for sets. */
static void test_large(const char *spec, const char *algorithm, size_t memory)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLREDUCE, .algorithm = algorithm
	};
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
	const bool all = is_long();
	const long long least = is_fast() ? FLOOR_FAST : is_thin() ? FLOOR_THIN : FLOOR;

	extent.rooted = all ? 32 : 8;
	extent.whole = all ? INT64_MAX : 8;
	extent.every = all || is_fast() ? 1 : is_thin() ? 9 : 4;
	cells = memory_of_all(sizeof *cells);
	each_network(all    ? 200
			: is_fast() ? 24
						: 64,
		all             ? 36
			: is_fast() ? 8
						: 24,
		list_network, NULL);
	if (all)
		list_network("star:6", NULL);
	share_work(listed.count, test_network, NULL);
	test_large("star:7", "substar", 0);
	test_large("star:7", "paper", 0);
	test_large("star:5", "paper", 1000);
	printf("%lld cells proved of %lld on %d networks\n", atomic_load(&cells->covered),
		atomic_load(&cells->existing), listed.count);
	CHECK(atomic_load(&cells->covered) >= least, "%lld cells; there were %lld",
		atomic_load(&cells->covered), least);
	return test_result();
}
