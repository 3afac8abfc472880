/*
 * What was compared in a part of a run, to be added to that of another part.
 */
#ifndef LOCKSTEP_DATA_COMPARED_H
#define LOCKSTEP_DATA_COMPARED_H

#include "data/reference_result.h"

#include <stdint.h>

struct compared {
	struct comparison found;
	bool seen;      /* there was a result */
	uint64_t first; /* the mark of the first one, if all must be the same */
};

/* Adds a comparison of other results. */
void comparison_add(struct comparison *, const struct comparison *more);
/* The sum of all parts. */
struct comparison compared_in_all(const struct compared *parts, int count);

#endif
