/*
 * How `find` searches for a plan, and the files of its proofs.
 */
#ifndef LOCKSTEP_BASE_SEARCH_CHOICE_H
#define LOCKSTEP_BASE_SEARCH_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

struct search_choice {
	int64_t within;     /* rounds; 0: the fewest */
	double budget;      /* CPU seconds of the solver; 0: the default */
	const char *solver; /* program; NULL: the default */
	const char *proof;  /* file that a refutation is written to; NULL: none */
	bool no_symmetry;   /* try no symmetric plans */
	const char *record; /* file that a record is appended to; NULL: none */
	const char *bound;  /* check: file of a refutation; NULL: none */
};

#endif
