/*
 * The lines of check about lower bounds on the rounds.
 */
#ifndef LOCKSTEP_CHECK_BOUNDS_H
#define LOCKSTEP_CHECK_BOUNDS_H

#include "job/job.h"

/* Also the gap of a plan of this number of rounds. */
void print_bounds(const struct job *, int64_t rounds);

#endif
