/*
 * The fit of t_s and t_w: it recovers the parameters of exact data, equals a computation by hand,
 * and has the least sum of squares on noisy data.
 */
/* variants: release checked asan chaos */
#include <lockstep/cost.h>

#include <math.h>

#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want) + 1e-15;
}

/* Times that the model itself gives, over nine powers of ten. */
static void exact(double t_s, double t_w)
{
	struct ls_cost_sample sample[31];
	struct ls_cost_model model = { 0, 0, 1 };
	double residual = 1;

	for (size_t i = 0; i < COUNT(sample); i++) {
		sample[i] = (struct ls_cost_sample){ 1 + (double)(i % 3), ldexp(8, (int)i), 0 };
		sample[i].time = sample[i].rounds * t_s + sample[i].bytes * t_w;
	}

	const int status = ls_cost_fit(sample, COUNT(sample), &model, &residual);

	CHECK(status == LS_OK && near(model.t_s, t_s) && near(model.t_w, t_w) && model.t_h == 0,
		"%d: t_s %.12g, t_w %.12g, t_h %g of %g, %g", status, model.t_s, model.t_w, model.t_h, t_s,
		t_w);
	CHECK(residual < 1e-9, "residual %g", residual);
}

/*
 * By hand: with u = 1/10, 1/30, 1/15 and v = 0, 1/3, 1/3 the normal equations, times 900, are
 * 14 t_s + 30 t_w = 180 and 30 t_s + 200 t_w = 600: t_s = 180/19, t_w = 30/19, and the relative
 * errors are -1/19, -3/19 and 3/19.
 */
static void by_hand(void)
{
	const struct ls_cost_sample sample[] = { { 1, 0, 10 }, { 1, 10, 30 }, { 2, 10, 30 } };
	struct ls_cost_model model;
	double residual;

	CHECK(ls_cost_fit(sample, 3, &model, &residual) == LS_OK, "three samples");
	CHECK(near(model.t_s, 180. / 19) && near(model.t_w, 30. / 19) && near(residual, 7. / 57),
		"%.12g %.12g %.12g", model.t_s, model.t_w, residual);
}

static double squares(const struct ls_cost_sample *sample, size_t count, struct ls_cost_model model)
{
	double total = 0;

	for (size_t i = 0; i < count; i++)
		total += pow(
			1 - (sample[i].rounds * model.t_s + sample[i].bytes * model.t_w) / sample[i].time, 2);
	return total;
}

/* No allowed model beside the one found is better, also where a time would be negative. */
static void noisy(unsigned seed, double t_s, double t_w, double noise)
{
	struct ls_cost_sample sample[20];
	struct ls_cost_model model;
	double residual;

	for (size_t i = 0; i < COUNT(sample); i++) {
		seed = seed * 1664525u + 1013904223u;
		sample[i] = (struct ls_cost_sample){ 1 + (double)i / 4, ldexp(8, (int)i), 0 };
		sample[i].time = (sample[i].rounds * t_s + sample[i].bytes * t_w)
			* (1 + noise * ((double)(seed >> 8) / 0x1p23 - 1));
	}
	CHECK(ls_cost_fit(sample, COUNT(sample), &model, &residual) == LS_OK, "noisy samples");
	CHECK(model.t_s >= 0 && model.t_w >= 0, "negative: %g %g", model.t_s, model.t_w);
	CHECK(residual <= noise / (1 - noise), "residual %g of noise %g", residual, noise);

	const double least = squares(sample, COUNT(sample), model);

	for (int i = -1; i <= 1; i++)
		for (int j = -1; j <= 1; j++) {
			const struct ls_cost_model other = { fabs(model.t_s + i * 1e-3 * t_s),
				fabs(model.t_w + j * 1e-3 * t_w), 0 };

			CHECK(squares(sample, COUNT(sample), other) >= least, "better: %g %g than %g %g",
				other.t_s, other.t_w, model.t_s, model.t_w);
		}
}

/* Long messages that grow ever faster want a negative t_s, small ones a negative t_w. */
static void at_the_edge(void)
{
	const struct ls_cost_sample convex[] = { { 2, 10, 1 }, { 1, 20, 4 } };
	const struct ls_cost_sample falling[] = { { 1, 10, 5 }, { 1, 20, 4 } };
	struct ls_cost_model model;

	CHECK(ls_cost_fit(convex, 2, &model, NULL) == LS_OK && model.t_s == 0
			&& near(model.t_w, (10 + 5.) / (100 + 25)),
		"%g %g", model.t_s, model.t_w);
	CHECK(ls_cost_fit(falling, 2, &model, NULL) == LS_OK && model.t_w == 0
			&& near(model.t_s, (.2 + .25) / (.04 + .0625)),
		"%g %g", model.t_s, model.t_w);
}

static void refused(void)
{
	const struct ls_cost_sample good[] = { { 1, 8, 10 }, { 2, 16, 20 } }, still = { 1, 8, 0 },
								less = { -1, 8, 1 }, endless = { 1, 8, INFINITY },
								barrier[] = { { 3, 0, 9 }, { 3, 0, 9 } };
	struct ls_cost_model model;

	CHECK(ls_cost_fit(good, 0, &model, NULL) == LS_ERR_ARGUMENT, "no samples");
	CHECK(ls_cost_fit(&still, 1, &model, NULL) == LS_ERR_ARGUMENT, "no time");
	CHECK(ls_cost_fit(&less, 1, &model, NULL) == LS_ERR_ARGUMENT, "negative rounds");
	CHECK(ls_cost_fit(&endless, 1, &model, NULL) == LS_ERR_ARGUMENT, "endless");
	CHECK(ls_cost_fit(good, 1, &model, NULL) == LS_ERR_UNSUPPORTED, "one size");
	CHECK(ls_cost_fit(good, 2, &model, NULL) == LS_ERR_UNSUPPORTED, "in proportion");
	CHECK(ls_cost_fit(barrier, 2, &model, NULL) == LS_OK && near(model.t_s, 3) && model.t_w == 0,
		"a barrier: %g %g", model.t_s, model.t_w);
}

int main(void)
{
	exact(1000, 1);
	exact(45, .02);
	exact(1e6, 1e-6);
	exact(1e-3, 10);
	exact(100, 0);
	exact(0, .5);
	by_hand();
	for (unsigned seed = 1; seed <= 50; seed++)
		noisy(seed, 100, .05, seed / 100.);
	at_the_edge();
	refused();
	return test_result();
}
