/*
 * The time that the processes of a run use: they are no other programs.
 */
#ifndef LOCKSTEP_BENCH_RUN_USAGE_H
#define LOCKSTEP_BENCH_RUN_USAGE_H

#include "bench/core_probe.h"

/* As usage_now; at process 0, own also counts the other processes that may use its cores. */
struct usage usage_of_run(void);

#endif
