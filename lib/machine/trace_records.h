/*
 * The trace: a record of every message.
 *
 * Nodes put records into a queue.  The thread that runs the machine takes them out, sorts them by
 * round and source, and passes them to options.trace and to the file of LOCKSTEP_TRACE.
 */
#ifndef LSI_MACHINE_TRACE_RECORDS_H
#define LSI_MACHINE_TRACE_RECORDS_H

#include "machine/machine_types.h"

/* LS_OK, or LS_ERR_MEMORY: the machine is stopped. */
int lsi_trace_put(struct lsi_node_state *, const struct ls_record *);

/* Forget the records that threads of an earlier run put after its end. */
void lsi_trace_discard(struct ls_machine *);

/* Pass on the records of all rounds before this one. */
void lsi_trace_drain(struct ls_machine *, int64_t before_round);

#endif
