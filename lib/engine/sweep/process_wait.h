/*
 * What the processes of a sweep wait for: reductions, and the end of a wait when the caller stops
 * the sweep and the others do not answer.  Worker 0, or the calling thread while no worker runs,
 * makes these calls.
 */
#ifndef LSI_ENGINE_SWEEP_PROCESS_WAIT_H
#define LSI_ENGINE_SWEEP_PROCESS_WAIT_H

#include "engine/sweep/sweep_internal.h"

struct lsi_process_wait {
	struct lsi_sweep_state *sweep;
	uint64_t stopped;  /* when the stop was seen; 0: there is none */
	uint64_t reported; /* the last report of progress */
	bool gave_up;      /* the others did not answer */
};
/* Whether the caller wants the sweep to stop, and the others do not answer. */
bool lsi_process_wait_is_over(void *wait);
/* The processes cannot agree any more: end all of them.  Returns false. */
bool lsi_give_up(struct lsi_sweep_state *, bool no_answer);

/*
 * Replace n numbers by their sums modulo 2^64, or by the least, over all processes.  False: the
 * transport failed, and the processes can agree on nothing more.
 */
bool lsi_exchange_sum(struct lsi_sweep_state *, uint64_t *, size_t n);
bool lsi_exchange_least(struct lsi_sweep_state *, int64_t *, size_t n);
/* As lsi_exchange_least, at the begin of a sweep: see world/use.h. */
bool lsi_exchange_begin(struct lsi_sweep_state *, int64_t *, size_t n);
/* Note the time of an agreement: a stop waits in proportion to the time between two. */
void lsi_exchange_note_agreement(struct lsi_sweep_state *);
/* Report that the transport has failed; returns false. */
bool lsi_exchange_report(struct lsi_sweep_worker *);

#endif
