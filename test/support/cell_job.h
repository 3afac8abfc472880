/*
 * A call for a cell of the table of algorithms, with elements in number as the level says.
 */
#ifndef LOCKSTEP_TEST_CELL_JOB_H
#define LOCKSTEP_TEST_CELL_JOB_H

#include "support/cells.h"
#include "support/collective_job.h"

enum { CELL_COUNTS = 8 };

/* The level chooses one of CELL_COUNTS numbers of elements; `longest` is the longest of them. */
struct cell_size {
	int64_t level;
	size_t most_bytes, longest;
};

size_t cell_count(int64_t nodes, enum ls_operation, struct cell_size);
struct job job_of_cell(const struct cell *, const struct element[ELEMENTS], struct cell_size);

#endif
