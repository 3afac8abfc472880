/*
 * lockstep bench cores: the time in which each pair of cores exchanges a cache line.
 */
#ifndef LOCKSTEP_BENCH_CORE_MAP_H
#define LOCKSTEP_BENCH_CORE_MAP_H

#include "base/output.h"

int bench_cores(const struct output *); /* exit code */

#endif
