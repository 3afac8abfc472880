/*
 * A reduction of transport_memory.h: the least, or the sums, of the numbers of all processes.
 */
#ifndef LOCKSTEP_TEST_REDUCTION_H
#define LOCKSTEP_TEST_REDUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "support/message_lanes.h"

struct reduction {
	bool sums;
	int n, arrived, left; /* numbers; processes that have contributed, and that have the result */
	int64_t value[];
};

struct reduction *reduction_make(struct chunk **, bool sums, int n);
void reduction_contribute(struct reduction *, const int64_t *values);

#endif
