/*
 * The outcome of a search, as text and JSON.
 */
#ifndef LOCKSTEP_FIND_SEARCH_REPORT_H
#define LOCKSTEP_FIND_SEARCH_REPORT_H

#include "base/output.h"
#include "find/rounds_front.h"

#include <lockstep.h>

enum { SEARCH_STEPS = 512 };

/* A plan with its counts for m elements. */
struct counted_plan {
	const ls_plan *plan; /* NULL: none */
	struct ls_counts counts;
	double cost; /* by the default model; -1: not counted */
};

struct search_report {
	const ls_topology *topology;
	const struct ls_request *request;
	int64_t within; /* 0: the fewest rounds */
	const int64_t *prefix;
	int prefix_rounds; /* 0: any plan */
	uint64_t seed;
	struct ls_found found;
	struct ls_find_step step[SEARCH_STEPS];
	int steps;
	struct counted_plan result, usual; /* usual: the default plan */
	const char *file, *proof;          /* NULL: not written */
	struct front_row front[FRONT_ROWS];
	int front_rows; /* 0: no size of messages was given */
};

/* "found", "impossible", .. */
const char *search_outcome_name(enum ls_find_outcome);

int write_search_text(const struct output *, const void *document);
int write_search_json(const struct output *, const void *document);

#endif
