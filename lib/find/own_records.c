/*
 * Records of users.  Each is proved before it serves: the plans of all operations of its goal obey
 * every law.  Its bound is not proved, and does not count.
 */
#include <lockstep/check.h>
#include <lockstep/find.h>

#include "base/alloc.h"
#include "base/error.h"
#include "schedule/deliver.h"
#include "schedule/records.h"

/* The plan of one operation by a schedule that reaches its goal. */
static int check_operation(const struct ls_request *request,
	const struct lsi_link_schedule *schedule, const struct lsi_goal *goal, struct ls_error *why)
{
	struct ls_certificate certificate = { .size = sizeof certificate };
	ls_plan *plan;
	int status = lsi_schedule_plan(request, schedule, goal, &plan, why);

	if (status != LS_OK)
		return status;
	status = ls_check(plan, 1, NULL, &certificate);
	if (status == LS_ERR_LAW)
		lsi_error_set(why, status, "%s", certificate.text);
	else if (status == LS_OK && ls_plan_rounds(plan) != schedule->rounds)
		status = lsi_error_set(why, LS_ERR_LAW, "it begins or ends with a round of no use");
	ls_plan_destroy(plan);
	return status;
}

/* All operations of the goal of a record. */
static int check_schedule(const struct ls_topology *t, const struct lsi_schedule_record *r,
	const struct lsi_link_schedule *schedule, struct ls_error *why)
{
	const struct ls_request own = { .operation = r->operation, .root = r->root, .shift = r->shift };
	int status = LS_OK;

	for (int op = 0; op < LS_OPERATIONS && status == LS_OK; op++) {
		const struct ls_request request = { .size = sizeof request,
			.topology = t,
			.operation = (enum ls_operation)op,
			.root = r->root,
			.shift = r->shift };
		const struct lsi_goal goal = lsi_goal_of(&request, (int)t->nodes);

		if (!lsi_goal_is_same(&own, &request, (int)t->nodes))
			continue;
		if (!lsi_schedule_reaches(schedule, &goal))
			return lsi_error_set(why, LS_ERR_LAW, "its rounds do not complete the operation");
		status = check_operation(&request, schedule, &goal, why);
	}
	return status;
}

static int check_record(const struct ls_topology *t, const struct lsi_arcs *arcs,
	const struct lsi_schedule_record *r, struct ls_error *why)
{
	struct lsi_link_schedule schedule = { arcs, r->rounds, 1, NULL };
	int status;

	if (!lsi_schedule_record_is_of(r, t))
		return lsi_error_set(why, LS_ERR_LAW, "it is of another network");
	if (r->root >= t->nodes)
		return lsi_error_set(why, LS_ERR_LAW, "its root is not a node");
	schedule.used = lsi_alloc_zero((size_t)(r->rounds * arcs->count) + 1, 1);
	if (!schedule.used)
		return LS_ERR_MEMORY;
	status = lsi_schedule_record_read(r, arcs, schedule.used)
		? check_schedule(t, r, &schedule, why)
		: lsi_error_set(why, LS_ERR_LAW, "a letter is no link");
	lsi_free(schedule.used);
	return status;
}

/* Whether the network already has a record of this goal with as few rounds. */
static bool is_no_gain(const struct ls_topology *t, const struct lsi_schedule_record *r)
{
	const struct ls_request request = {
		.topology = t, .operation = r->operation, .root = r->root, .shift = r->shift
	};
	const struct lsi_schedule_record *known = lsi_schedule_record_of(&request);

	return known && lsi_schedule_record_is_of(r, t) && known->rounds <= r->rounds;
}

/*
 * Rows that state only a bound are left out, as bounds do not count; those that are no gain, too,
 * without a proof.
 */
static int check_list(
	const struct ls_topology *t, struct lsi_record_list *list, struct ls_error *why)
{
	struct lsi_arcs arcs;
	struct ls_error reason = { .size = sizeof reason };
	int status = lsi_arcs_init_links(&arcs, t, why), kept = 0;

	for (int i = 0; i < list->count && status == LS_OK; i++) {
		if (!*list->record[i].links || is_no_gain(t, &list->record[i]))
			continue;
		status = check_record(t, &arcs, &list->record[i], &reason);
		if (status == LS_ERR_MEMORY)
			lsi_error_set(why, status, "no memory to check the records");
		else if (status != LS_OK)
			status = lsi_error_set(
				why, LS_ERR_LAW, "record %d does not hold: %s; none is used", i + 1, reason.text);
		list->record[kept++] = list->record[i];
	}
	list->count = kept;
	lsi_arcs_fini(&arcs);
	return status;
}

int ls_find_records_add(const ls_topology *t, const char *text, struct ls_error *why)
{
	struct lsi_record_list *list;
	int wrong, status;

	if (!t || !text)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "%s is NULL; expected %s",
			t ? "text" : "topology", t ? "rows of records" : "one of ls_topology_make");
	list = lsi_records_parse(text, &wrong);
	if (!list)
		return wrong ? lsi_error_set(why, LS_ERR_SPEC,
				   "record %d is damaged; none is used; try lockstep find --record again", wrong)
					 : lsi_error_set(why, LS_ERR_MEMORY, "no memory for the records");
	status = check_list(t, list, why);
	if (status == LS_OK)
		lsi_topology_keep_given(t, &list->kept);
	else
		lsi_free(list);
	return status;
}
