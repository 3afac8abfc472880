/*
 * Rows of test/null_arguments.c: schedules, and searches for plans.
 */
#ifndef LOCKSTEP_TEST_NULL_SEARCHES_H
#define LOCKSTEP_TEST_NULL_SEARCHES_H

#include "null_rows.h"

static void test_searches(void)
{
	const struct ls_find_options nowhere = { .size = sizeof nowhere },
								 search = { .size = sizeof search, .request = &request };
	struct ls_found found = { .size = sizeof found };
	int64_t bound = 0;

	REFUSES(ls_plan_infer, (NULL, &message, 1, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_infer, (&request, NULL, 1, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_infer, (&request, &message, 1, NULL, &why), true);
	REFUSES(ls_plan_from_messages, (NULL, &message, 1, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_from_messages, (&request, NULL, 1, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_from_messages, (&request, &message, 1, NULL, &why), true);
	REFUSES(ls_find, (NULL, &out.plan, &found, &why), !out.plan);
	REFUSES(ls_find, (&nowhere, &out.plan, &found, &why), !out.plan);
	REFUSES(ls_find, (&search, NULL, &found, &why), true);
	REFUSES(ls_find, (&search, &out.plan, NULL, &why), !out.plan);
	REFUSES(ls_bound_check, (NULL, "c", 1, &bound, &why), bound == 0);
	REFUSES(ls_bound_check, (&request, NULL, 0, &bound, &why), bound == 0);
	REFUSES(ls_bound_check, (&request, "c", 1, NULL, &why), true);
	GIVES(ls_find_record_list, (0, NULL), false);
	GIVES(ls_find_record_serves, (0, NULL), false);
	REFUSES(ls_find_records_add, (NULL, "", &why), true);
	REFUSES(ls_find_records_add, (request.topology, NULL, &why), true);
}

#endif
