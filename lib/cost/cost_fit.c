/*
 * Fitting t_s and t_w to measured times, by linear least squares.
 *
 * Times range over many powers of ten, so the fit minimizes relative errors: with u = rounds / time
 * and v = bytes / time of each sample, the sum of (1 - t_s u - t_w v)^2.  Gram-Schmidt first
 * subtracts the projection of v on u, which avoids cancellation where v is much larger than u:
 *
 *        v
 *       /|
 *      / | v - projection u, whose square is residual_square
 *     /  |
 *    +---+----> u
 */
#include <lockstep/cost.h>

#include <math.h>

/* Sums over the samples of u, v and their products. */
struct sums {
	double u, v, uu, uv, vv;
};

static struct sums sum_samples(const struct ls_cost_sample *sample, size_t count)
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

/* Whether there is a sample, and all are finite and have a positive time. */
static bool in_range(const struct ls_cost_sample *sample, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(sample[i].time > 0) || !(sample[i].rounds >= 0) || !(sample[i].bytes >= 0)
			|| !isfinite(sample[i].time + sample[i].rounds + sample[i].bytes))
			return false;
	return count > 0;
}

/* The fit of one time alone, used if the other would be negative. */
static double fit_one(double sum, double square)
{
	return square > 0 ? sum / square : 0;
}

/* The mean relative error of the model. */
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
	if (!sample || !out || !in_range(sample, count))
		return LS_ERR_ARGUMENT;

	const struct sums s = sum_samples(sample, count);
	const double projection = s.uu > 0 ? s.uv / s.uu : 0,
				 residual_square = s.vv - projection * s.uv;
	struct ls_cost_model model = { .t_s = fit_one(s.u, s.uu) };

	if (s.vv > 0) {
		if (!(residual_square > PROPORTIONAL * s.vv) || !(s.uu > 0))
			return LS_ERR_UNSUPPORTED;
		model.t_w = (s.v - projection * s.u) / residual_square;
		model.t_s = (s.u - s.uv * model.t_w) / s.uu;
		if (model.t_w < 0)
			model = (struct ls_cost_model){ .t_s = fit_one(s.u, s.uu) };
		else if (model.t_s < 0)
			model = (struct ls_cost_model){ .t_w = fit_one(s.v, s.vv) };
	}
	*out = model;
	if (residual_or_null)
		*residual_or_null = residual(sample, count, model);
	return LS_OK;
}
