/*
 * Records of users.  A row is added if its links reach its goal in rounds that are all needed.  The
 * plan of an operation is proved when `found` is asked for it, once for each topology: it must obey
 * every law.  The bound of a row is not proved, and does not count.
 */
#include <lockstep/check.h>
#include <lockstep/find.h>

#include "base/alloc.h"
#include "base/error.h"
#include "schedule/deliver.h"
#include "schedule/records.h"

static int prove_plan(const struct ls_request *request, const struct lsi_link_schedule *schedule,
	const struct lsi_goal *goal, struct ls_error *why)
{
	struct ls_certificate certificate = { .size = sizeof certificate };
	ls_plan *plan;
	int status = lsi_schedule_plan(request, schedule, goal, &plan, why);

	if (status != LS_OK)
		return status;
	status = ls_check(plan, 1, NULL, &certificate);
	if (status == LS_ERR_LAW)
		lsi_error_set(why, status, "%s", certificate.text);
	ls_plan_destroy(plan);
	return status;
}

static bool is_of_use(const struct lsi_deliveries *d, int round)
{
	bool carried = false;

	for (int a = 0; a < d->schedule->arcs->count; a++)
		carried |= !lsi_nodes_is_empty(lsi_deliveries_at(d, round, a));
	return carried;
}

static int check_schedule(const struct ls_topology *t, const struct lsi_schedule_record *r,
	const struct lsi_link_schedule *schedule, struct ls_error *why)
{
	const struct ls_request own = {
		.topology = t, .operation = r->operation, .root = r->root, .shift = r->shift
	};
	const struct lsi_goal goal = lsi_goal_of(&own, (int)t->nodes);
	struct lsi_deliveries d;
	int status;

	if (!lsi_schedule_reaches(schedule, &goal))
		return lsi_error_set(why, LS_ERR_LAW, "its rounds do not complete the operation");
	status = lsi_deliveries_init(&d, schedule, &goal);
	if (status == LS_OK && r->rounds > 0 && !(is_of_use(&d, 0) && is_of_use(&d, r->rounds - 1)))
		status = lsi_error_set(why, LS_ERR_LAW, "it begins or ends with a round of no use");
	lsi_deliveries_fini(&d);
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
	list->proof = prove_plan;
	status = check_list(t, list, why);
	if (status == LS_OK)
		lsi_topology_keep_given(t, &list->kept);
	else
		lsi_free(list);
	return status;
}
