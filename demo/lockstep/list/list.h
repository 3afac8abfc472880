/*
 * What the parts of `list` share.
 */
#ifndef LOCKSTEP_LIST_LIST_H
#define LOCKSTEP_LIST_LIST_H

#include "report/text_table.h"
#include "cli/tool.h"

/* What is listed: on one network, or all; operations by bits 1 << LS_BROADCAST, .. */
struct selection {
	const ls_topology *topology;
	uint32_t operations;
};

/* Empty where the count is not known. */
void list_count(struct table *, int64_t count);

/* list_cells.c: what the options make possible on one network; -v: what a sweep of it takes. */
int list_cells(const struct options *, const struct selection *, struct table *);
void list_legend(const struct options *);

#endif
