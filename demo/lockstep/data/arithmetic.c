/*
 * Arithmetic of elements: operators, comparison, magnitude.
 */
#include "data/element.h"

#include <float.h>
#include <math.h>

/* Three-way; of floating types only where neither is NaN. */
static int compare(const struct element *element, struct value a, struct value b)
{
	switch (element->class) {
	case CLASS_SIGNED:
		return (a.i > b.i) - (a.i < b.i);
	case CLASS_UNSIGNED:
		return ((uint64_t)a.i > (uint64_t)b.i) - ((uint64_t)a.i < (uint64_t)b.i);
	default:
		return (a.re > b.re) - (a.re < b.re);
	}
}

static bool is_floating(const struct element *element)
{
	return element->class == CLASS_REAL || element->class == CLASS_COMPLEX;
}

bool depends_on_order(const struct element *element, ls_op op)
{
	return is_floating(element) && (op == LS_SUM || op == LS_PROD);
}

static bool is_nan(const struct element *element, struct value a)
{
	return is_floating(element) && (isnan(a.re) || isnan(a.im));
}

static bool is_true(const struct element *element, struct value a)
{
	return is_floating(element) ? a.re != 0 : a.i != 0;
}

/* IEEE 754-2019 minimum and maximum: NaN wins, -0 < +0. */
static struct value extreme(const struct element *element, struct value a, struct value b, int sign)
{
	const int order = compare(element, a, b) * sign;

	if (is_nan(element, a) || is_nan(element, b))
		return (struct value){ .re = NAN };
	if (order == 0 && is_floating(element))
		return (signbit(a.re) != 0) == (sign < 0) ? b : a;
	return order > 0 ? b : a;
}

/* {value, index}: a NaN wins over any number; of equal values, and of NaNs, the lower index. */
static struct value locate(const struct element *element, struct value a, struct value b, int sign)
{
	const int order = compare(element, a, b) * sign;
	const int nans = is_nan(element, a) - is_nan(element, b);

	if (nans != 0)
		return nans > 0 ? a : b;
	if (order != 0 && !is_nan(element, a))
		return order > 0 ? b : a;
	return a.index <= b.index ? a : b;
}

static struct value sum(struct value a, struct value b)
{
	return (struct value){
		.i = (int64_t)((uint64_t)a.i + (uint64_t)b.i), .re = a.re + b.re, .im = a.im + b.im
	};
}

/* Each product of a complex one is rounded on its own. */
static double rounded_product(const struct element *element, double a, double b)
{
	return element->most < DBL_MAX ? (double)((float)a * (float)b) : a * b;
}

static struct value complex_product(const struct element *element, struct value a, struct value b)
{
	return (struct value){
		.re = rounded_product(element, a.re, b.re) - rounded_product(element, a.im, b.im),
		.im = rounded_product(element, a.re, b.im) + rounded_product(element, a.im, b.re),
	};
}

static struct value product(const struct element *element, struct value a, struct value b)
{
	const int64_t i = (int64_t)((uint64_t)a.i * (uint64_t)b.i);

	if (element->class == CLASS_COMPLEX)
		return complex_product(element, a, b);
	return (struct value){ .i = i, .re = a.re * b.re };
}

static struct value evaluate(
	const struct element *element, ls_op op, struct value a, struct value b)
{
	const bool x = is_true(element, a), y = is_true(element, b);

	if (op == LS_SUM)
		return sum(a, b);
	if (op == LS_PROD)
		return product(element, a, b);
	if (op == LS_MIN || op == LS_MAX)
		return extreme(element, a, b, op == LS_MIN ? 1 : -1);
	if (op == LS_LAND || op == LS_LOR || op == LS_LXOR)
		return value_of(element, op == LS_LAND ? x && y : op == LS_LOR ? x || y : x != y);
	if (op == LS_BAND)
		return (struct value){ .i = a.i & b.i };
	if (op == LS_BOR)
		return (struct value){ .i = a.i | b.i };
	if (op == LS_BXOR)
		return (struct value){ .i = a.i ^ b.i };
	return locate(element, a, b, op == LS_MINLOC ? 1 : -1);
}

struct value value_combine(const struct element *element, ls_op op, struct value a, struct value b)
{
	return value_wrap(element, evaluate(element, op, a, b));
}

/* Sums and products of a real type, as value_combine gives them but without struct value. */
#define COMBINE_REAL(T) \
	static void combine_##T(ls_op op, size_t n, const void *left, const void *right, void *into) \
	{ \
		const T *a = left, *b = right; \
		T *c = into; \
		for (size_t i = 0; i < n; i++) \
			c[i] = op == LS_SUM ? a[i] + b[i] : a[i] * b[i]; \
	}
COMBINE_REAL(float)
COMBINE_REAL(double)

void elements_combine(const struct element *element, ls_op op, size_t n, const unsigned char *a,
	const unsigned char *b, unsigned char *into)
{
	if (element->class == CLASS_REAL && depends_on_order(element, op)) {
		(element->size == sizeof(float) ? combine_float : combine_double)(op, n, a, b, into);
		return;
	}
	for (size_t at = 0; at < n * element->bytes; at += element->bytes)
		element_store(element, into + at,
			value_combine(
				element, op, element_load(element, a + at), element_load(element, b + at)));
}

double value_magnitude(const struct element *element, struct value a)
{
	return element->class == CLASS_COMPLEX ? hypot(a.re, a.im) : fabs(a.re);
}

static bool same(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b && signbit(a) == signbit(b);
}

bool value_equal(const struct element *element, struct value a, struct value b)
{
	if (element->pair && a.index != b.index)
		return false;
	if (!is_floating(element))
		return a.i == b.i;
	return same(a.re, b.re) && same(a.im, b.im);
}

bool value_near(const struct element *element, struct value want, struct value got, double slack)
{
	if (slack == 0)
		return value_equal(element, want, got);
	if (isnan(slack))
		return is_nan(element, got);
	return isinf(slack) || (fabs(want.re - got.re) <= slack && fabs(want.im - got.im) <= slack);
}
