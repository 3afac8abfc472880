/*
 * Execution: one node's way through its program.
 *
 * All state is in one struct, advanced by one function that returns when it is done, must wait, or
 * has failed; what it waits for is in the struct.  A blocking call loops over it.
 */
#ifndef LSI_ENGINE_MAILBOXES_EXECUTE_H
#define LSI_ENGINE_MAILBOXES_EXECUTE_H

#include "engine/mailboxes/moves.h"
#include "engine/mailboxes/program.h"

enum { LSI_MUST_WAIT = 1 };

/* What a common call or step has no need of: it saves no registers for it. */
#define LSI_COLD __attribute__((noinline))

enum lsi_execution_phase {
	LSI_PHASE_SEND,
	LSI_PHASE_RECEIVE,
	LSI_PHASE_WAIT_PENDING,
	LSI_PHASE_ROUND,
	LSI_PHASE_END
};

struct lsi_execution {
	struct ls_node *node;
	struct lsi_program *program;
	struct lsi_operator combine;
	struct lsi_envelope envelope;
	uintptr_t base[LS_BUFFERS]; /* of this step's ARRIVALs, when they are in a piece */

	enum lsi_execution_phase phase;
	int64_t step;
	int port;                        /* the next to send or receive on */
	bool started;                    /* the port rule has been asked for this port */
	bool scattered;                  /* an ARRIVAL of this step is not */
	struct lsi_slot *slot[LS_PORTS]; /* messages of this step */
	struct lsi_piece_list arrival[LS_PORTS];
	struct lsi_view single_view[LS_PORTS];

	lsi_ready ready; /* LSI_MUST_WAIT: until ready(node, what) */
	void *what;
	struct ls_wait_state reason;
	struct lsi_mailbox_wait mailbox_wait;
	struct lsi_barrier_wait barrier_wait;
};

/* LS_OK: done.  LSI_MUST_WAIT.  Else the machine has stopped. */
int lsi_advance(struct lsi_execution *);

/*
 * Run an execution from its beginning to its end.  The caller has set node, program, combine, base,
 * and of the envelope node, call and operation; an execution may be run again and again.
 */
int lsi_execute(struct lsi_execution *);

#endif
