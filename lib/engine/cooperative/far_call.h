/*
 * Collective calls of all nodes of a machine that spans several processes.
 *
 * In each process the leader of a call prepares it: the parts of its flow, and memory for them.
 * When all processes have arrived with equal calls, the communication thread of each executes its
 * parts, and exchanges values between them, from and to the buffers of the local nodes:
 *
 *   nodes           arrive . leader: prepare . wait ............................... return
 *   communication               notify others   . all are here: parts, exchanges .  open
 *
 * All that may fail happens before a process notifies the others of its arrival.  From then on it
 * takes part in all exchanges, whatever happens; so no process waits for one that has failed.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FAR_CALL_H
#define LSI_ENGINE_COOPERATIVE_FAR_CALL_H

#include "engine/cooperative/cooperative.h"
#include "engine/cooperative/flow_cache.h"
#include "world/agreement.h"

struct lsi_far_call {
	ls_world *world;
	struct lsi_division division;
	int64_t *first_rank;             /* of the division */
	struct lsi_flow_parts *parts[2]; /* of this call, if it is in place (1) or not (0) */
	struct lsi_operator combine;
	void **base; /* of lsi_flow_part_execute */
	char *workspace, *temporaries;
	size_t workspace_bytes, temporary_bytes;
	struct lsi_transfer *message; /* of an exchange */
	size_t message_bytes;
};

/* Of the nodes of a topology.  NULL: no memory. */
struct lsi_far_call *lsi_far_call_make(ls_world *, const ls_topology *);
void lsi_far_call_destroy(struct lsi_far_call *);

/* Set all but `base`; parts must not be NULL.  False: no memory. */
bool lsi_far_call_prepare(struct lsi_far_call *, struct lsi_flow_parts *const parts[2], size_t n,
	const struct lsi_operator *);

/*
 * Leader: notify the other processes that all local nodes have arrived.  The communication thread
 * executes the call, or releases the nodes.  NULL: the nodes execute their own steps.  LS_OK: wait;
 * or the reason of a stop.
 */
int lsi_far_call_lead(struct lsi_execution *, const struct lsi_cooperative_call *, uint32_t epoch,
	struct lsi_far_call *or_null);

/*
 * Execute the parts of this process, as lsi_far_work.execute.  `call` is a struct lsi_far_call.
 * LS_OK, or LS_ERR_STOPPED: the transport failed, or `stop` was true; LS_ERR_TIMEOUT: the run has
 * ended while an operator computed, see computing.h.
 */
int lsi_far_call_execute(
	void *call, bool in_place, const struct lsi_stop *, LSI_ATOMIC(uint32_t) * computes);

#endif
