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
void list_cost(struct table *, double cost);

/* Whether the tables of the algorithms of one network have columns of volumes. */
bool list_has_volumes(const struct query *);

/* The width of prose on stdout, in columns. */
int list_width(void);

/* list_objects.c: one network, or all with examples; operations; algorithms on any network. */
struct table list_topologies(const ls_topology *or_null);
struct table list_operations(void);
struct table list_all_algorithms(const struct selection *);
void print_operations(const struct table *);
void print_algorithms(const struct selection *);

/* list_summary.c: names and counts; at most 40 lines. */
void print_summary(void);

/* list_links.c: each undirected link once, without self-loops and parallel links; exit code. */
int list_links(const ls_topology *, struct table *);
/* As an undirected graph in the language of graphviz. */
int write_links_dot(const ls_topology *, FILE *);

/* list_candidates.c: the algorithms of one network; -v: the memory of a sweep.  Exit code. */
int list_cells(
	const struct query *, const struct output *, const struct selection *, struct table *);
void list_legend(
	const struct query *, const struct output *, const struct selection *, const struct table *);
/* list_plan.c: a row for the plan of --plan, if the request is of its operation and mode. */
int list_plan(
	const struct query *, const struct output *, const struct ls_request *, struct table *);

#endif
