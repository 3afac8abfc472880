/*
 * The execution of a compiled plan at one node.
 *
 * All state is in one struct.  One function advances it.  The function returns when the execution
 * is done, has failed, or must wait; then the struct holds the condition to wait for.  lsi_execute
 * calls it in a loop.
 *
 *   SEND --> RECEIVE --> WAIT_PENDING --> (moves) --> ROUND --> END, after the last step
 *    ^                                                  |
 *    '------------------ next step ---------------------'
 *
 * After a wait, the phase continues at the port where it stopped.
 */
#ifndef LSI_ENGINE_MAILBOXES_EXECUTE_H
#define LSI_ENGINE_MAILBOXES_EXECUTE_H

#include "engine/mailboxes/moves.h"
#include "engine/mailboxes/compiled_plan.h"
#include "machine/channel.h"
#include "machine/round.h"
#include "machine/wait.h"

enum { LSI_MUST_WAIT = 1 };

/* A rare path: not inlined, so that the common path need not save registers for it. */
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
	struct lsi_compiled_plan *compiled;
	struct lsi_operator combine;
	struct lsi_envelope envelope;
	uintptr_t base[LS_BUFFERS]; /* ARRIVAL: valid in this step, if the message is contiguous */

	enum lsi_execution_phase phase;
	int64_t step;
	int port;       /* the next port to send or receive on */
	bool started;   /* after a wait: the port was checked already, or the barrier entered */
	bool scattered; /* a message of this step is not contiguous */
	struct lsi_slot *slot[LS_PORTS]; /* the messages of this step */
	struct lsi_piece_list arrival[LS_PORTS];
	struct lsi_view single_view[LS_PORTS];

	int64_t wait_began;   /* for the next message; see trace_records.h */
	struct lsi_wait wait; /* after LSI_MUST_WAIT: for lsi_wait_until; also while `started` */
	struct lsi_mailbox_wait mailbox_wait;
};

/*
 * Run an execution from beginning to end.  The caller has set node, compiled, combine and base, and
 * the fields node, call and operation of the envelope.  An execution may run repeatedly.
 */
int lsi_execute(struct lsi_execution *);

#endif
