/*
 * The results that the built-in operators should give, element by element, computed with bits,
 * 128-bit integers and quadruple precision, without code of the library.
 */
#ifndef LOCKSTEP_TEST_OP_REFERENCE_H
#define LOCKSTEP_TEST_OP_REFERENCE_H

#include "op/op_internal.h"

#include <float.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

/* A type as the reference sees it: one or two parts of `width` bytes, or a part and an index. */
struct shape {
	ls_type type;
	char form; /* i integer, r real, c complex, p pair */
	char part; /* u unsigned, s signed, f floating */
	size_t width;
};

static uint64_t load(const void *from, size_t width)
{
	uint8_t b;
	uint16_t h;
	uint32_t w;
	uint64_t d;

	switch (width) {
	case 1:
		return memcpy(&b, from, 1), b;
	case 2:
		return memcpy(&h, from, 2), h;
	case 4:
		return memcpy(&w, from, 4), w;
	default:
		return memcpy(&d, from, 8), d;
	}
}

static void store(void *to, size_t width, uint64_t bits)
{
	const uint8_t b = (uint8_t)bits;
	const uint16_t h = (uint16_t)bits;
	const uint32_t w = (uint32_t)bits;

	switch (width) {
	case 1:
		memcpy(to, &b, 1);
		break;
	case 2:
		memcpy(to, &h, 2);
		break;
	case 4:
		memcpy(to, &w, 4);
		break;
	default:
		memcpy(to, &bits, 8);
	}
}

static uint64_t sign_bit(size_t width)
{
	return (uint64_t)1 << (8 * width - 1);
}
static uint64_t infinity(size_t width)
{
	return width == 4 ? 0x7f800000u : 0x7ff0000000000000u;
}
static uint64_t the_nan(size_t width)
{
	return width == 4 ? 0x7fc00000u : 0x7ff8000000000000u;
}
static uint64_t magnitude(uint64_t x, size_t width)
{
	return x & (sign_bit(width) - 1);
}

static bool is_nan(const struct shape *s, uint64_t x)
{
	return s->part == 'f' && magnitude(x, s->width) > infinity(s->width);
}

/* The number as an integer that orders like it; both zeros are 0. */
static wide rank_of(const struct shape *s, uint64_t x)
{
	const bool minus = s->part != 'u' && (x & sign_bit(s->width)) != 0;

	if (s->part == 'f')
		return minus ? -(wide)magnitude(x, s->width) : (wide)x;
	return minus ? (wide)x - 2 * (wide)sign_bit(s->width) : (wide)x;
}

static quad number(uint64_t x, size_t width)
{
	const uint32_t w = (uint32_t)x;
	float f;
	double d;

	memcpy(&f, &w, sizeof f);
	memcpy(&d, &x, sizeof d);
	return width == 4 ? (quad)f : (quad)d;
}

/* A quadruple has more than twice the digits of a double, so rounding twice is rounding once. */
static uint64_t rounded(quad q, size_t width)
{
	const float f = (float)q;
	const double d = (double)q;

	if (q != q)
		return the_nan(width);
	return width == 4 ? load(&f, 4) : load(&d, 8);
}

static uint64_t floating(bool times, uint64_t x, uint64_t y, size_t width)
{
	const quad p = number(x, width), q = number(y, width);

	return rounded(times ? p * q : p + q, width);
}

static uint64_t extreme(const struct shape *s, bool least, uint64_t x, uint64_t y)
{
	const wide rx = rank_of(s, x), ry = rank_of(s, y);

	if (is_nan(s, x) || is_nan(s, y))
		return the_nan(s->width);
	if (rx == ry && x != y)
		return least ? sign_bit(s->width) : 0;
	return (rx < ry) == least ? x : y;
}

/* land, lor, lxor count how many of two are true. */
static uint64_t logical(const struct shape *s, uint64_t op, uint64_t x, uint64_t y)
{
	const bool f = s->part == 'f';
	const int trues =
		(f ? magnitude(x, s->width) != 0 : x != 0) + (f ? magnitude(y, s->width) != 0 : y != 0);
	const bool truth = op == LSI_OP_LAND ? trues == 2 : op == LSI_OP_LOR ? trues > 0 : trues == 1;

	return f && truth ? rounded(1, s->width) : truth;
}

static uint64_t scalar(const struct shape *s, uint64_t op, uint64_t x, uint64_t y)
{
	const bool f = s->part == 'f';
	const unsigned_wide rx = (unsigned_wide)rank_of(s, x), ry = (unsigned_wide)rank_of(s, y);

	switch (op) {
	case LSI_OP_SUM:
		return f ? floating(false, x, y, s->width) : (uint64_t)(rx + ry);
	case LSI_OP_PROD:
		return f ? floating(true, x, y, s->width) : (uint64_t)(rx * ry);
	case LSI_OP_MIN:
		return extreme(s, true, x, y);
	case LSI_OP_MAX:
		return extreme(s, false, x, y);
	case LSI_OP_BAND:
		return ~(~x | ~y);
	case LSI_OP_BOR:
		return ~(~x & ~y);
	case LSI_OP_BXOR:
		return (x | y) - (x & y);
	default:
		return logical(s, op, x, y);
	}
}

static void complex_product(uint64_t z[2], const uint64_t x[2], const uint64_t y[2], size_t width)
{
	const uint64_t ac = floating(true, x[0], y[0], width);
	const uint64_t bd = floating(true, x[1], y[1], width);
	const uint64_t ad = floating(true, x[0], y[1], width);
	const uint64_t bc = floating(true, x[1], y[0], width);

	z[0] = floating(false, ac, bd ^ sign_bit(width), width);
	z[1] = floating(false, ad, bc, width);
}

/* Whether pair y beats pair x: by value (NaN first), by index, by the sign of zero. */
static bool beats(const struct shape *s, bool least, const uint64_t y[2], const uint64_t x[2])
{
	const wide vx = least ? rank_of(s, x[0]) : -rank_of(s, x[0]);
	const wide vy = least ? rank_of(s, y[0]) : -rank_of(s, y[0]);

	if (is_nan(s, x[0]) != is_nan(s, y[0]))
		return is_nan(s, y[0]);
	if (!is_nan(s, x[0]) && vx != vy)
		return vy < vx;
	if (x[1] != y[1])
		return (int64_t)y[1] < (int64_t)x[1];
	return x[0] != y[0] && y[0] == (least ? sign_bit(s->width) : 0);
}

/* z := x (+) y, one element. */
static void reference(const struct shape *s, ls_op op, void *z, const void *x, const void *y)
{
	const size_t second = s->form == 'p' ? 8 : s->form == 'c' ? s->width : 0;
	const size_t width = s->form == 'p' ? 8 : s->width;
	const uint64_t p[2] = { load(x, s->width), load((const char *)x + second, width) };
	const uint64_t q[2] = { load(y, s->width), load((const char *)y + second, width) };
	uint64_t r[2];

	if (s->form == 'p') {
		memcpy(r, beats(s, op->id == LSI_OP_MINLOC, q, p) ? q : p, sizeof r);
		if (is_nan(s, r[0]))
			r[0] = the_nan(s->width);
		memset(z, 0, 8);
	} else if (s->form == 'c' && op->id == LSI_OP_PROD) {
		complex_product(r, p, q, width);
	} else {
		r[0] = scalar(s, op->id, p[0], q[0]);
		r[1] = scalar(s, op->id, p[1], q[1]);
	}
	store(z, s->width, r[0]);
	if (second > 0)
		store((char *)z + second, width, r[1]);
}

#endif
