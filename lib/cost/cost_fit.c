/*
 * Fitting t_s and t_w to times measured, by linear least squares.
 *
 * Times range over many powers of ten, so it is relative errors that are made small: with
 * u = rounds / time and v = bytes / time of each sample, the sum of (1 - t_s u - t_w v)^2.  What
 * of v lies along u is taken off first (Gram-Schmidt), so that nothing is lost where bytes are
 * many.
 */
#include <lockstep/cost.h>

#include <math.h>

/* Sums over the samples. */
struct sums {
	double u, v, uu, uv, vv;
};

static struct sums sum(const struct ls_cost_sample *sample, size_t count)
{
	struct sums s = { 0, 0, 0, 0, 0 };

	for (size_t i = 0; i < count; i++) {
		const double u = sample[i].rounds / sample[i].time, v = sample[i].bytes / sample[i].time;

		s.u += u;
		s.v += v;
		s.uu += u * u;
		s.uv += u * v;
		s.vv += v * v;
	}
	return s;
}

static bool in_range(const struct ls_cost_sample *sample, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(sample[i].time > 0) || !(sample[i].rounds >= 0) || !(sample[i].bytes >= 0)
			|| !isfinite(sample[i].time + sample[i].rounds + sample[i].bytes))
			return false;
	return count > 0;
}

/* One of two times alone: the best when the other would be negative. */
static double alone(double sum, double square)
{
	return square > 0 ? sum / square : 0;
}

static double residual(
	const struct ls_cost_sample *sample, size_t count, struct ls_cost_model model)
{
	double total = 0;

	for (size_t i = 0; i < count; i++)
		total +=
			fabs((sample[i].rounds * model.t_s + sample[i].bytes * model.t_w) / sample[i].time - 1);
	return total / (double)count;
}

/* Samples whose rounds and bytes grow in proportion, but for rounding, are one sample. */
#define PROPORTIONAL 1e-12

int ls_cost_fit(const struct ls_cost_sample *sample, size_t count, struct ls_cost_model *out,
	double *residual_or_null)
{
	if (!in_range(sample, count))
		return LS_ERR_ARGUMENT;

	const struct sums s = sum(sample, count);
	const double along = s.uu > 0 ? s.uv / s.uu : 0, across = s.vv - along * s.uv;
	struct ls_cost_model model = { .t_s = alone(s.u, s.uu) };

	if (s.vv > 0) {
		if (!(across > PROPORTIONAL * s.vv) || !(s.uu > 0))
			return LS_ERR_UNSUPPORTED;
		model.t_w = (s.v - along * s.u) / across;
		model.t_s = (s.u - s.uv * model.t_w) / s.uu;
		if (model.t_w < 0)
			model = (struct ls_cost_model){ .t_s = alone(s.u, s.uu) };
		else if (model.t_s < 0)
			model = (struct ls_cost_model){ .t_w = alone(s.v, s.vv) };
	}
	*out = model;
	if (residual_or_null)
		*residual_or_null = residual(sample, count, model);
	return LS_OK;
}
