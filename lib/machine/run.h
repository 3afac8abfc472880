/*
 * A run, as ls_run and ls_attach both carry it out.
 */
#ifndef LSI_MACHINE_RUN_H
#define LSI_MACHINE_RUN_H

#include "machine/machine_types.h"

/* LS_OK; LS_ERR_ARGUMENT: the trace file cannot be written.  Then nothing has begun. */
int lsi_run_begin(struct ls_machine *);

/* All nodes have ended: find the first error and messages left in mailboxes, add the counters. */
void lsi_run_end(struct ls_machine *);

/* The last act of a node on its own thread: nothing may stay lent, and no node waits for it. */
void lsi_node_finish(struct lsi_node_state *);

/* Wait for the gate; LS_OK: the node may begin, else why not. */
int lsi_gate_wait(struct ls_machine *);

/* Open or cancel the gate, unless it was cancelled before; true: it is open. */
bool lsi_gate_open(struct ls_machine *, enum lsi_gate);

#endif
