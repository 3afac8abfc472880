/*
 * Records: each is proved again.  Its schedule reaches the goal, and gives a plan of the algorithm
 * `found` for all operations of the goal.  Its bound follows from a refutation in
 * test/data/refutations, or from a formula.  A changed record is found.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/find.h>

#include "collective/algorithm.h"
#include "cost/candidate.h"
#include "schedule/lower_bound.h"
#include "schedule/records.h"
#include "support/guard.h"
#include "test.h"

enum { CHANGES = 100, PROOF = 1 << 17, EVERY_FAST = 5, RECORDS_LEAST = 60, OPEN_MOST = 20 };

static struct ls_request request_of(
	const struct lsi_schedule_record *r, const ls_topology *t, enum ls_operation operation)
{
	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = t,
		.operation = operation,
		.root = r->root,
		.shift = r->shift };
}

/* ---- Bounds */

/* test/data/refutations/mesh-3x3.allgather.drat; 0: there is none. */
static size_t read_refutation(const struct lsi_schedule_record *r, char *text)
{
	char path[200], network[80];
	size_t length = 0;
	FILE *file;

	snprintf(network, sizeof network, "%s", r->network);
	for (char *c = network; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '-';
	snprintf(path, sizeof path, "test/data/refutations/%s.%s.drat", network,
		ls_operation_name(r->operation));
	file = fopen(path, "r");
	if (!file)
		return 0;
	length = fread(text, 1, PROOF, file);
	fclose(file);
	return length;
}

/* By formulas alone: the bounds of the tool come from the records, too. */
static int64_t known_bound(const struct ls_request *request)
{
	struct lsi_selection selection;
	int64_t most = 0;

	CHECK(lsi_selection_init(&selection, request, NULL) == LS_OK, "the request");
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const int64_t bound = lsi_is_candidate(lsi_algorithms[i], &selection)
			? lsi_lower_bound_by_formula(lsi_algorithms[i], &selection.problem)
			: 0;

		most = bound > most ? bound : most;
	}
	return most;
}

static void test_bound(const struct lsi_schedule_record *r, const struct ls_request *request)
{
	static char text[PROOF];
	struct ls_error why = { .size = sizeof why };
	const size_t length = read_refutation(r, text);
	int64_t bound = known_bound(request);

	if (length > 0)
		CHECK(ls_bound_check(request, text, length, &bound, &why) == LS_OK, "%s %s: %s", r->network,
			ls_operation_name(r->operation), why.text);
	CHECK(bound >= r->bound, "%s %s: bound %lld, not %d", r->network,
		ls_operation_name(r->operation), (long long)bound, r->bound);
}

/* ---- Schedules and plans */

static void test_schedule(const struct lsi_schedule_record *r, const struct ls_request *request)
{
	struct lsi_arcs arcs;
	struct lsi_goal goal;
	bool *used;

	CHECK(lsi_arcs_init(&arcs, request->topology, NULL) == LS_OK, "%s", r->network);
	goal = lsi_goal_of(request, arcs.nodes);
	used = calloc((size_t)(r->rounds * arcs.count) + 1, 1);
	CHECK(used && lsi_schedule_record_read(r, &arcs, used), "%s: the links", r->network);

	const struct lsi_link_schedule schedule = { &arcs, r->rounds, 1, used };

	CHECK(lsi_schedule_reaches(&schedule, &goal), "%s: the goal", r->network);
	CHECK(lsi_schedule_record_of(request) == r, "%s: not found", r->network);
	free(used);
	lsi_arcs_fini(&arcs);
}

/* The plan of the record; the rounds are counted again. */
static void test_plan(const struct lsi_schedule_record *r, struct ls_request request)
{
	struct ls_error why = { .size = sizeof why };
	struct ls_certificate certificate = { .size = sizeof certificate };
	ls_plan *plan = NULL;

	request.algorithm = "found";
	CHECK(ls_plan_make(&request, &plan, &why) == LS_OK, "%s %s: %s", r->network,
		ls_operation_name(request.operation), why.text);
	CHECK(plan && ls_check(plan, 3, NULL, &certificate) == LS_OK, "%s %s: %s", r->network,
		ls_operation_name(request.operation), certificate.text);
	CHECK(certificate.counts.rounds == r->rounds, "%s %s: %lld rounds", r->network,
		ls_operation_name(request.operation), (long long)certificate.counts.rounds);
	ls_plan_destroy(plan);
}

/* Without a solver, a search knows no better, and the bound. */
static void test_search(const struct lsi_schedule_record *r, const struct ls_request *request)
{
	const struct ls_find_options options = { .size = sizeof options, .request = request };
	struct ls_found found = { .size = sizeof found };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = NULL;

	CHECK(ls_find(&options, &plan, &found, &why) == LS_OK, "%s %s: %s", r->network,
		ls_operation_name(request->operation), why.text);
	CHECK(ls_plan_rounds(plan) <= r->rounds && found.bound >= r->bound && !found.searched,
		"%s %s: %lld rounds, bound %lld", r->network, ls_operation_name(request->operation),
		(long long)ls_plan_rounds(plan), (long long)found.bound);
	CHECK(ls_plan_lower_bound(plan) >= r->bound, "%s: the bound", r->network);
	ls_plan_destroy(plan);
}

static ls_topology *make_network(const struct lsi_schedule_record *r)
{
	ls_topology *topology = NULL;
	char spec[200];

	snprintf(spec, sizeof spec, r->edges ? "graph:test/data/graphs/%s" : "%s",
		r->edges ? strchr(r->network, ':') + 1 : r->network);
	CHECK(ls_topology_make(spec, &topology, NULL) == LS_OK, "%s", spec);
	return topology;
}

static void test_record(const struct lsi_schedule_record *r)
{
	ls_topology *topology = make_network(r);
	const struct ls_request request = request_of(r, topology, r->operation);
	const int nodes = (int)ls_topology_nodes(topology);

	CHECK(r->sum == lsi_schedule_record_sum(r), "%s: the checksum", r->network);
	CHECK(lsi_schedule_record_is_of(r, topology), "%s: the network", r->network);
	test_bound(r, &request);
	test_search(r, &request);
	for (int op = 0; op < LS_OPERATIONS && *r->links; op++) {
		const struct ls_request other = request_of(r, topology, (enum ls_operation)op);

		if (lsi_goal_is_same(&request, &other, nodes))
			test_plan(r, other);
	}
	if (*r->links)
		test_schedule(r, &request);
	ls_topology_destroy(topology);
}

/* ---- Changes */

static void test_changes(const struct lsi_schedule_record *r, int count)
{
	char *links = strdup(r->links);
	struct lsi_schedule_record changed = *r;

	changed.links = links;
	for (int i = 0; i < count && *links; i++) {
		const size_t at = (size_t)i * 7919 % strlen(links);
		const char kept = links[at];

		links[at] = kept == '.' ? '0' : '.';
		CHECK(lsi_schedule_record_sum(&changed) != r->sum, "%s: link %zu", r->network, at);
		links[at] = kept;
	}
	changed.rounds++;
	CHECK(lsi_schedule_record_sum(&changed) != r->sum, "%s: rounds", r->network);
	free(links);
}

int main(void)
{
	int count = 0, open = 0;

	setenv("PATH", "/nowhere", 1); /* no solver */
	for (const struct lsi_schedule_record *r = lsi_schedule_records; r->network; r++, count++) {
		struct ls_find_record row = { .size = sizeof row };

		CHECK(ls_find_record_list((size_t)count, &row) && row.network == r->network
				&& row.rounds == r->rounds && row.has_schedule == (*r->links != '\0'),
			"row %d", count);
		open += r->bound < r->rounds;
		if (is_fast() && count % EVERY_FAST)
			continue;
		test_record(r);
		test_changes(r, CHANGES);
	}
	CHECK(count >= RECORDS_LEAST && open <= OPEN_MOST, "%d records, %d of them open", count, open);
	return test_result();
}
