/*
 * The U test of Mann and Whitney: do two samples come from one distribution?
 */
#ifndef LOCKSTEP_BENCH_MANN_WHITNEY_H
#define LOCKSTEP_BENCH_MANN_WHITNEY_H

#include <stddef.h>

struct mann_whitney {
	double u; /* pairs (a, b) with a > b; a tie counts one half */
	double p; /* two-sided: the probability of a U at least as far from its mean, by chance */
};

/*
 * By the normal approximation, with corrections for ties and for continuity: H. B. Mann,
 * D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than
 * the other", Annals of Mathematical Statistics 18 (1947) 50-60.  An empty sample, or values that
 * are all equal: p = 1.
 */
struct mann_whitney mann_whitney_test(
	const double *a, size_t a_count, const double *b, size_t b_count);

/* The smallest p that samples of these sizes can have. */
double mann_whitney_least_p(size_t a_count, size_t b_count);

#endif
