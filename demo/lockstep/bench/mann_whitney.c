#include "bench/mann_whitney.h"

#include "base/messages.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct pooled {
	double value;
	bool is_a;
};

static int ascending(const void *left, const void *right)
{
	const double x = ((const struct pooled *)left)->value;
	const double y = ((const struct pooled *)right)->value;

	return (x > y) - (x < y);
}

static struct pooled *pool(const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct pooled *all = require_memory(calloc(a_count + b_count + 1, sizeof *all));

	for (size_t i = 0; i < a_count; i++)
		all[i] = (struct pooled){ a[i], true };
	for (size_t i = 0; i < b_count; i++)
		all[a_count + i] = (struct pooled){ b[i], false };
	qsort(all, a_count + b_count, sizeof *all, ascending);
	return all;
}

/* Sums over the pooled values: the ranks of a, and t^3 - t of each group of t ties. */
struct rank_sums {
	double ranks, ties;
};

static struct rank_sums sum_ranks(const struct pooled *all, size_t count)
{
	struct rank_sums sums = { 0, 0 };

	for (size_t begin = 0, end; begin < count; begin = end) {
		size_t of_a = 0;

		for (end = begin; end < count && all[end].value == all[begin].value; end++)
			of_a += all[end].is_a;

		const double ties = (double)(end - begin);

		/* Equal values share the mean of the ranks begin + 1 .. end. */
		sums.ranks += (double)of_a * ((double)(begin + end + 1) / 2);
		sums.ties += ties * ties * ties - ties;
	}
	return sums;
}

static double two_sided_p(double u, double m, double n, double ties)
{
	const double all = m + n, mean = m * n / 2;
	const double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	const double distance = fmax(fabs(u - mean) - 0.5, 0);

	return variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
}

struct mann_whitney mann_whitney_test(
	const double *a, size_t a_count, const double *b, size_t b_count)
{
	const double m = (double)a_count, n = (double)b_count;
	struct mann_whitney test = { 0, 1 };

	if (a_count == 0 || b_count == 0)
		return test;

	struct pooled *all = pool(a, a_count, b, b_count);
	const struct rank_sums sums = sum_ranks(all, a_count + b_count);

	free(all);
	test.u = sums.ranks - m * (m + 1) / 2;
	test.p = two_sided_p(test.u, m, n, sums.ties);
	return test;
}

double mann_whitney_least_p(size_t a_count, size_t b_count)
{
	return a_count == 0 || b_count == 0 ? 1 : two_sided_p(0, (double)a_count, (double)b_count, 0);
}
