/*
 * lockstep bench cores: the time in which each pair of cores exchanges a cache line.
 */
#ifndef LOCKSTEP_BENCH_CORE_MAP_H
#define LOCKSTEP_BENCH_CORE_MAP_H

#include "base/drawing_choice.h"
#include "base/output.h"

/* Exit code.  `picture`: files, NULL at the end. */
int bench_cores(const struct output *, const struct drawing_choice *, const char *const *picture);

#endif
