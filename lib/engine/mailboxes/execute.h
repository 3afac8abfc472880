/*
 * The execution of one node's program.
 *
 * All state is in one struct.  One function advances it, and returns when the execution is done,
 * must wait, or has failed; the struct then holds the condition to wait for.  A blocking call loops
 * over that function.
 *
 *     SEND  ->  RECEIVE  ->  WAIT_PENDING  ->  moves  ->  ROUND  ->  SEND of the next step, or END
 *
 * Phases repeat after a wait, and continue at the port where they stopped.
 */
#ifndef LSI_ENGINE_MAILBOXES_EXECUTE_H
#define LSI_ENGINE_MAILBOXES_EXECUTE_H

#include "engine/mailboxes/moves.h"
#include "engine/mailboxes/program.h"
#include "machine/channel.h"
#include "machine/round.h"
#include "machine/wait.h"

enum { LSI_MUST_WAIT = 1 };

/* For rare paths: kept out of line, so that the common path saves no registers for them. */
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
	uintptr_t base[LS_BUFFERS]; /* ARRIVALs of this step only where contiguous */

	enum lsi_execution_phase phase;
	int64_t step;
	int port;       /* the next port to send or receive on */
	bool started;   /* the port was checked, or the barrier entered, before a wait */
	bool scattered; /* an ARRIVAL of this step is not contiguous */
	struct lsi_slot *slot[LS_PORTS]; /* messages of this step */
	struct lsi_piece_list arrival[LS_PORTS];
	struct lsi_view single_view[LS_PORTS];

	lsi_ready ready; /* after LSI_MUST_WAIT: wait until ready(node, what) */
	void *what;
	struct ls_wait_state reason;
	struct lsi_mailbox_wait mailbox_wait;
	struct lsi_barrier_wait barrier_wait;
};

/*
 * Run an execution from beginning to end. The caller has set node, program, combine and base, and
 * of the envelope node, call and operation. An execution may run repeatedly.
 */
int lsi_execute(struct lsi_execution *);

#endif
