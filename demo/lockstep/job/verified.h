/*
 * The results of a workload, compared with the expected ones.
 */
#ifndef LOCKSTEP_JOB_VERIFIED_H
#define LOCKSTEP_JOB_VERIFIED_H

#include "data/compared.h"
#include "job/workload.h"

/* What all processes of a shared run have compared, in each of them. */
struct comparison join_compared(const struct compared *);

/* Whether the last of `calls` calls after a reset has the expected results. */
bool workload_can_verify(const struct workload *, size_t calls);
/* Compares the results with the expected ones; prints the first wrong element. */
void workload_verify(const struct workload *, struct outcome *);

#endif
