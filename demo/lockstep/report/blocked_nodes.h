/*
 * The blocked nodes of a run that stopped: groups of nodes that wait for the same, in a few lines.
 */
#ifndef LOCKSTEP_REPORT_BLOCKED_NODES_H
#define LOCKSTEP_REPORT_BLOCKED_NODES_H

#include "report/json.h"

#include <lockstep.h>

struct blocked_nodes {
	const ls_topology *topology; /* NULL: no node waits */
	bool (*waits)(const void *context, int64_t rank, struct ls_wait_state *);
	const void *context;
};
/*
 * In a shared run all processes call it; process 0 gets the nodes of all of them.  They stay known
 * until the next call.
 */
struct blocked_nodes blocked_nodes_of(const ls_machine *);

/* Writes nothing if no node waits. */
void print_blocked_nodes(struct blocked_nodes, FILE *);
void blocked_nodes_json(struct blocked_nodes, struct json *, const char *name);

#endif
