/*
 * The roll call of a run that stopped: who waits for what, thousands of nodes in a few lines.
 */
#ifndef LOCKSTEP_REPORT_BLOCKED_NODES_H
#define LOCKSTEP_REPORT_BLOCKED_NODES_H

#include "report/json.h"

#include <lockstep.h>

struct print_blocked_nodes {
	const ls_topology *topology; /* NULL: nobody waits */
	bool (*waits)(const void *context, int64_t rank, struct ls_wait_state *);
	const void *context;
};
struct print_blocked_nodes roll_call_of(const ls_machine *);

/* Nothing where no node waits. */
void roll_call_text(struct print_blocked_nodes, FILE *);
void roll_call_json(struct print_blocked_nodes, struct json *, const char *name);

#endif
