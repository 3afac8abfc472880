/*
 * Pairwise covering arrays: rows of levels, one a factor, in which any two levels of any two
 * factors meet.
 */
#ifndef LOCKSTEP_TEST_PAIRWISE_H
#define LOCKSTEP_TEST_PAIRWISE_H

#include <stdbool.h>
#include <stdint.h>

enum { PAIRWISE_FACTORS = 12, PAIRWISE_LEVELS = 32 };

struct pairwise {
	int factors, levels[PAIRWISE_FACTORS];
	bool met[PAIRWISE_FACTORS][PAIRWISE_LEVELS][PAIRWISE_FACTORS][PAIRWISE_LEVELS];
	int64_t covered, existing; /* pairs */
	uint64_t state;
};

void pairwise_init(struct pairwise *, int factors, const int levels[]);
/* The next row; false: every pair has been covered. */
bool pairwise_next(struct pairwise *, int row[]);

#endif
