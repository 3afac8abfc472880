/*
 * Records of users: rows that hold serve, and rows that are damaged, or claim too much, do not.  A
 * plan of a row is proved before it serves.
 *
 * linear:2*linear:2*linear:3 has the links of mesh:2x2x3, but no record.  So the record of
 * mesh:2x2x3 becomes one of a user there.
 */
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/cost.h>
#include <lockstep/find.h>

#include "base/alloc.h"
#include "schedule/records.h"
#include "support/cells.h"
#include "test.h"

enum { CHANGES = 100, ROWS = 4000 };

static struct ls_request request_on(const ls_topology *t, enum ls_operation operation)
{
	return (struct ls_request){
		.size = sizeof(struct ls_request), .topology = t, .operation = operation
	};
}

/* The record of mesh:2x2x3; NULL: the table has none. */
static const struct lsi_schedule_record *model(void)
{
	const struct lsi_schedule_record *r = lsi_schedule_records;

	while (r->network && (strcmp(r->network, "mesh:2x2x3") || r->operation != LS_ALLGATHER))
		r++;
	return r->network ? r : NULL;
}

/* A row of these links on the product, with a right checksum. */
static void write_row(const char *network, int root, int rounds, const char *links, char *text)
{
	struct lsi_schedule_record r = { network, LS_ALLGATHER, root, 0, rounds, 99, 7, 0, 0, links };

	snprintf(text, ROWS,
		"{ \"%s\", LS_ALLGATHER, %d, 0, %d, 99, 7, 0x0, 0x%x, \"%.12s\"\n\"%s\" },\n", network,
		root, rounds, lsi_schedule_record_sum(&r), links, links + 12);
}

/* Whether the schedule of a row still reaches the goal: then it may serve. */
static bool is_right(const ls_topology *t, const char *links, int rounds)
{
	const struct ls_request request = request_on(t, LS_ALLGATHER);
	const struct lsi_schedule_record r = { "", LS_ALLGATHER, 0, 0, rounds, 0, 0, 0, 0, links };
	struct lsi_arcs arcs;
	bool right = false, *used;

	CHECK(lsi_arcs_init(&arcs, t, NULL) == LS_OK, "links");
	used = calloc((size_t)(rounds * arcs.count), 1);
	if (used && lsi_schedule_record_read(&r, &arcs, used)) {
		const struct lsi_link_schedule schedule = { &arcs, rounds, 1, used };
		const struct lsi_goal goal = lsi_goal_of(&request, arcs.nodes);

		right = lsi_schedule_reaches(&schedule, &goal);
	}
	free(used);
	lsi_arcs_fini(&arcs);
	return right;
}

/* Add rows to a new topology; whether `found` then serves must follow from the status. */
static int add_rows(const char *text, struct ls_error *why)
{
	ls_topology *t = topology_of("linear:2*linear:2*linear:3");
	struct ls_request request = request_on(t, LS_ALLTOALL);
	struct ls_certificate certificate = { .size = sizeof certificate };
	ls_plan *plan = NULL;
	const int status = ls_find_records_add(t, text, why);

	request.algorithm = "found";
	CHECK((ls_plan_make(&request, &plan, NULL) == LS_OK) == (status == LS_OK),
		"found serves if the rows hold: %s", why->text);
	if (plan)
		CHECK(ls_check(plan, 2, NULL, &certificate) == LS_OK, "%s", certificate.text);
	/* The row claims a bound of 99, but no proof. */
	CHECK(!plan || ls_plan_lower_bound(plan) < 5, "an unproved bound");
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return status;
}

/* Each letter changed, with a right checksum: the proof finds what the checksum does not. */
static void test_changed_links(const struct lsi_schedule_record *r)
{
	ls_topology *t = topology_of("linear:2*linear:2*linear:3");
	char *links = strdup(r->links), text[ROWS];
	struct ls_error why = { .size = sizeof why };
	int refused = 0;

	for (size_t at = 0; links[at]; at++)
		for (const char *c = ".0123z"; *c; c++) {
			const char kept = links[at];

			links[at] = *c;
			write_row(ls_topology_spec(t), 0, r->rounds, links, text);
			const bool right = is_right(t, links, r->rounds);

			CHECK((add_rows(text, &why) == LS_OK) == right, "letter %zu: %s", at, why.text);
			refused += !right;
			links[at] = kept;
		}
	CHECK(refused >= CHANGES, "%d changes were refused", refused);
	free(links);
	ls_topology_destroy(t);
}

/* Each byte of the row changed: the checksum or the form is wrong. */
static void test_damage(const char *row)
{
	char text[ROWS];
	struct ls_error why = { .size = sizeof why };

	for (size_t at = 0; row[at]; at++) {
		snprintf(text, sizeof text, "%s", row);
		text[at] = text[at] == '9' ? '8' : '9';
		CHECK(add_rows(text, &why) == LS_ERR_SPEC, "byte %zu: %s", at, why.text);
		CHECK(!strchr(why.text, '\n'), "one line");
	}
	for (size_t length = 1; row[length + 1]; length++) {
		snprintf(text, sizeof text, "%.*s", (int)length, row);
		CHECK(add_rows(text, &why) == LS_ERR_SPEC, "%zu bytes", length);
	}
}

/* A plan keeps its record when a better one is added, and the next plan takes the better one. */
static void test_better(const struct lsi_schedule_record *r)
{
	ls_topology *t = topology_of("linear:2*linear:2*linear:3");
	struct ls_request request = request_on(t, LS_ALLGATHER);
	const int rounds[] = { r->rounds + 1, r->rounds };
	char links[ROWS], text[ROWS];
	ls_plan *plan[2] = { NULL, NULL };

	request.algorithm = "found";
	for (int i = 0; i < 2; i++) {
		/* The worse one has the first message in a round of its own. */
		snprintf(links, sizeof links, "%s%s", i == 0 ? "............" : "", r->links);
		if (i == 0) {
			const size_t at = strcspn(r->links, "0123456789");

			links[at] = r->links[at];
			links[12 + at] = '.';
		}
		write_row(ls_topology_spec(t), 0, rounds[i], links, text);
		CHECK(ls_find_records_add(t, text, NULL) == LS_OK, "row %d", i);
		CHECK(ls_plan_make(&request, &plan[i], NULL) == LS_OK, "plan %d", i);
	}
	for (int i = 0; i < 2; i++) {
		struct ls_certificate certificate = { .size = sizeof certificate };

		CHECK(plan[i] && ls_plan_rounds(plan[i]) == rounds[i], "rounds of plan %d: %d, not %d", i,
			plan[i] ? (int)ls_plan_rounds(plan[i]) : 0, rounds[i]);
		CHECK(plan[i] && ls_check(plan[i], 2, NULL, &certificate) == LS_OK, "%d: %s", i,
			certificate.text);
		ls_plan_destroy(plan[i]);
	}
	ls_topology_destroy(t);
}

/* ---- The proof of a plan */

static int proofs, result_of_proof;

static int count_proof(const struct ls_request *request, const struct lsi_link_schedule *schedule,
	const struct lsi_goal *goal, struct ls_error *why)
{
	(void)request, (void)schedule, (void)goal, (void)why;
	proofs++;
	return result_of_proof;
}

/* A plan is proved once for each operation, when it is asked for; without a proof, it is none. */
static void test_proof(const struct lsi_schedule_record *r, int result)
{
	static const enum ls_operation asked[] = { LS_ALLGATHER, LS_BARRIER, LS_ALLGATHER };
	ls_topology *t = topology_of("linear:2*linear:2*linear:3");
	struct lsi_record_list *list;
	char text[ROWS];
	int wrong;

	proofs = 0;
	result_of_proof = result;
	write_row(ls_topology_spec(t), 0, r->rounds, r->links, text);
	list = lsi_records_parse(text, &wrong);
	CHECK(list, "row %d", wrong);
	list->proof = count_proof;
	lsi_topology_keep_given(t, &list->kept);
	for (int i = 0; i < 3; i++) {
		struct ls_request request = request_on(t, asked[i]);
		ls_plan *plan = NULL;

		request.algorithm = "found";
		CHECK((ls_plan_make(&request, &plan, NULL) == LS_OK) == (result == LS_OK),
			"found serves if its plan is proved");
		ls_plan_destroy(plan);
		CHECK(proofs == (i == 0 ? 1 : 2), "request %d: %d proofs", i, proofs);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	const struct lsi_schedule_record *r = model();
	struct ls_error why = { .size = sizeof why };
	char text[ROWS], idle[ROWS];
	ls_topology *t = topology_of("mesh:2x2x3");

	CHECK(r, "mesh:2x2x3 has a record");
	if (!r)
		return test_result();
	write_row("linear:2*linear:2*linear:3", 0, r->rounds, r->links, text);
	CHECK(add_rows(text, &why) == LS_OK, "%s", why.text);
	test_damage(text);
	test_changed_links(r);
	test_better(r);
	test_proof(r, LS_OK);
	test_proof(r, LS_ERR_LAW);
	snprintf(idle, sizeof idle, "............%s", r->links);
	write_row("linear:2*linear:2*linear:3", 0, r->rounds + 1, idle, text);
	CHECK(add_rows(text, &why) == LS_ERR_LAW && strstr(why.text, "a round of no use"), "%s",
		why.text);
	write_row("linear:2*linear:2*linear:3", 12, r->rounds, r->links, text);
	CHECK(add_rows(text, &why) == LS_ERR_LAW && strstr(why.text, "its root is not a node"), "%s",
		why.text);
	snprintf(idle, sizeof idle, "%.*s", (int)strlen(r->links) - 1, r->links);
	write_row("linear:2*linear:2*linear:3", 0, r->rounds, idle, text);
	CHECK(add_rows(text, &why) == LS_ERR_LAW && strstr(why.text, "a letter is no link"), "%s",
		why.text);
	write_row("mesh:3x4", 0, r->rounds, r->links, text);
	CHECK(add_rows(text, &why) == LS_ERR_LAW, "another network");
	CHECK(strstr(why.text, "record 1 does not hold"), "%s", why.text);
	/* A row that is no gain is left out without a proof: the links of this one are wrong. */
	write_row("mesh:2x2x3", 0, r->rounds, "............", text);
	CHECK(ls_find_records_add(t, text, &why) == LS_OK, "no gain: %s", why.text);
	CHECK(ls_find_records_add(NULL, text, NULL) == LS_ERR_ARGUMENT
			&& ls_find_records_add(t, NULL, NULL) == LS_ERR_ARGUMENT,
		"NULL");
	CHECK(ls_find_records_add(t, " /* none */\n", &why) == LS_OK, "no row: %s", why.text);
	CHECK(ls_find_records_add(t, "/ no comment */", &why) == LS_ERR_SPEC, "a comment without *");
	CHECK(ls_find_records_add(t, "/* no end {", &why) == LS_ERR_SPEC
			&& strstr(why.text, "record 1 is damaged"),
		"a comment without an end: %s", why.text);
	ls_topology_destroy(t);
	return test_result();
}
