/*
 * How `find` searches for a plan, and the files of its proofs.
 */
#ifndef LOCKSTEP_BASE_SEARCH_CHOICE_H
#define LOCKSTEP_BASE_SEARCH_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

enum { PREFIX_ROUNDS = 64 };

struct search_choice {
	int64_t within;                /* rounds; 0: the fewest */
	double budget;                 /* CPU seconds of the solver; 0: the default */
	const char *solver;            /* program; NULL: the default */
	const char *proof;             /* file that a refutation is written to; NULL: none */
	bool no_symmetry;              /* try no symmetric plans */
	int64_t prefix[PREFIX_ROUNDS]; /* links of the first rounds */
	int prefix_rounds;             /* 0: any */
	const char *record;            /* file that a record is appended to; NULL: none */
	const char *bound;             /* check: file of a refutation; NULL: none */
};

#endif
