/*
 * Execution: one node's way through its program.
 *
 * All state is in one struct, advanced by one function that returns when it is done, must wait, or
 * has failed; what it waits for is in the struct.  A blocking call loops over it.
 */
#ifndef LS_ENGINE_EXECUTE_H
#define LS_ENGINE_EXECUTE_H

#include "engine/moves.h"
#include "engine/program.h"

enum { LS_WAITING = 1 };

/* What a common call or step has no need of: it saves no registers for it. */
#define LS_APART __attribute__((noinline))

enum ls_phase { LS_PHASE_SEND, LS_PHASE_RECEIVE, LS_PHASE_SETTLE, LS_PHASE_ROUND, LS_PHASE_END };

struct ls_execution {
	struct ls_node *node;
	struct ls_program *program;
	struct ls_combine combine;
	struct ls_envelope envelope;
	uintptr_t base[LS_BUFFERS];           /* of this step's ARRIVALs, when they are in a piece */

	enum ls_phase phase;
	int64_t step;
	int port;                             /* the next to send or receive on                    */
	bool taken;                           /* the port rule has been asked for this port        */
	bool scattered;                       /* an ARRIVAL of this step is not                    */
	struct ls_slot *slot[LS_PORTS];       /* messages of this step                             */
	struct ls_pieces arrival[LS_PORTS];
	struct ls_view one[LS_PORTS];

	ls_ready ready;                       /* LS_WAITING: until ready(node, what)               */
	void *what;
	struct ls_waiting reason;
	struct ls_expected expected;
	struct ls_meeting meeting;
};

/* LS_OK: done.  LS_WAITING.  Else the machine has stopped. */
int ls_advance(struct ls_execution *);

/*
 * Run an execution from its beginning to its end.  The caller has set node, program, combine, base,
 * and of the envelope node, call and operation; an execution may be run again and again.
 */
int ls_execute(struct ls_execution *);

#endif
