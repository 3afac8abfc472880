/*
 * Shared by the files of `list`.
 */
#ifndef LOCKSTEP_LIST_LIST_H
#define LOCKSTEP_LIST_LIST_H

#include "base/messages.h"
#include "base/output.h"
#include "base/query.h"
#include "report/text_table.h"

/* The objects to list: on one network, or on all; operations as bits 1 << LS_BROADCAST, .. */
struct selection {
	const ls_topology *topology;
	uint32_t operations;
};

/* An unknown count gives an empty cell. */
void list_count(struct table *, int64_t count);

/* list_candidates.c: the algorithms of one network; -v: the memory of a sweep. */
int list_cells(
	const struct query *, const struct output *, const struct selection *, struct table *);
/* list_plan.c: a row for the plan of --plan, where the request is of its operation and mode; exit code. */
int list_plan(
	const struct query *, const struct output *, const struct ls_request *, struct table *);
void list_legend(const struct output *);

#endif
