/*
 * Does the communication thread execute operators?  They may compute for ever: then the run ends
 * without the thread.  One word decides.
 *
 *   thread   IDLE ---> COMPUTES ---> IDLE
 *   run                   '--------> ABANDONED    to the end: the thread only returns
 *
 * Edges  COMPUTE  what the thread did before an operator computes -> the end of the run without it
 * Evidence  test/computing.c
 */
#ifndef LSI_MACHINE_COMPUTING_H
#define LSI_MACHINE_COMPUTING_H

#include <stdbool.h>

#include "base/atomic.h"

enum lsi_computing { LSI_COMPUTING_IDLE, LSI_COMPUTING, LSI_COMPUTING_ABANDONED };

/* The thread: an operator is about to begin.  Only this thread leaves IDLE. */
static inline void lsi_computing_begin(LSI_ATOMIC(uint32_t) * word)
{
	lsi_store(word, (uint32_t)LSI_COMPUTING, release); /* COMPUTE */
}

/* The thread: it has returned.  False: the run has ended without the thread. */
static inline bool lsi_computing_end(LSI_ATOMIC(uint32_t) * word)
{
	uint32_t found = LSI_COMPUTING;

	return lsi_compare_swap(word, &found, (uint32_t)LSI_COMPUTING_IDLE, acq_rel); /* COMPUTE */
}

/* The run: end without the thread.  False: it executes no operator now. */
static inline bool lsi_computing_abandon(LSI_ATOMIC(uint32_t) * word)
{
	uint32_t found = LSI_COMPUTING;

	return lsi_compare_swap(word, &found, (uint32_t)LSI_COMPUTING_ABANDONED, acq_rel); /* COMPUTE */
}

#endif
