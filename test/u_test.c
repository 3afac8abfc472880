/*
 * The U test against values computed from its definition: pairs counted one by one, and the normal
 * tail integrated numerically.  The third row is the example in the documentation of
 * scipy.stats.mannwhitneyu, method="asymptotic".
 */
#include <math.h>

/* compile: -Idemo/lockstep */
/* link: -lm */
#include "../demo/lockstep/base/messages.c"
#include "../demo/lockstep/bench/mann_whitney.c"
#include "test.h"

enum { MOST = 24 };

static const struct {
	const char *what;
	double a[MOST];
	size_t a_count;
	double b[MOST];
	size_t b_count;
	double u, p;
} row[] = {
	{ "apart", { 1, 2, 3, 4, 5, 6 }, 6, { 7, 8, 9, 10, 11, 12 }, 6, 0, 0.005074868098 },
	{ "apart, but few", { 1, 2, 3, 4, 5 }, 5, { 6, 7, 8, 9, 10 }, 5, 0, 0.012185780355 },
	{ "of SciPy", { 19, 22, 16, 29, 24 }, 5, { 20, 11, 17, 12 }, 4, 17, 0.111346886533 },
	{ "mixed", { 1, 4, 6, 7 }, 4, { 2, 3, 5, 8, 9 }, 5, 8, 0.713303173878 },
	{ "ties", { 1, 2, 2, 3, 3, 3 }, 6, { 2, 3, 3, 4, 4, 5, 5 }, 7, 7, 0.045352191433 },
	{ "one value", { 5, 5, 5 }, 3, { 5, 5 }, 2, 3, 1 },
	{ "nothing", { 1 }, 1, { 0 }, 0, 0, 1 },
	{ "many", { 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 }, 11,
		{ 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41 }, 21, 55,
		0.017286401856 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const double m = (double)row[i].a_count, n = (double)row[i].b_count;
		const struct mann_whitney there =
			mann_whitney_test(row[i].a, row[i].a_count, row[i].b, row[i].b_count);
		const struct mann_whitney back =
			mann_whitney_test(row[i].b, row[i].b_count, row[i].a, row[i].a_count);

		CHECK(there.u == row[i].u, "%s: U is %g, not %g", row[i].what, there.u, row[i].u);
		CHECK(fabs(there.p - row[i].p) < 1e-9, "%s: p is %.12f, not %.12f", row[i].what, there.p,
			row[i].p);
		CHECK(back.u == m * n - row[i].u && fabs(back.p - there.p) < 1e-12,
			"%s: exchanged, U is %g and p %g", row[i].what, back.u, back.p);
	}
	CHECK(fabs(mann_whitney_least_p(6, 6) - 0.005074868098) < 1e-9, "6 and 6 samples: %g",
		mann_whitney_least_p(6, 6));
	CHECK(fabs(mann_whitney_least_p(5, 5) - 0.012185780355) < 1e-9, "5 and 5 samples: %g",
		mann_whitney_least_p(5, 5));
	CHECK(mann_whitney_least_p(0, 9) == 1, "no sample: %g", mann_whitney_least_p(0, 9));
	return test_result();
}
