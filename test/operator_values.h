/*
 * The built-in types and operators, and special and random values of each type.
 */
#ifndef LOCKSTEP_TEST_OPERATOR_VALUES_H
#define LOCKSTEP_TEST_OPERATOR_VALUES_H

#include "operator_reference.h"
#include "support/guard.h"
#include "test.h"

/* ---- Types and operators */

static const struct shape value_shapes[] = {
	{ LS_INT8, 'i', 's', 1 },
	{ LS_INT16, 'i', 's', 2 },
	{ LS_INT32, 'i', 's', 4 },
	{ LS_INT64, 'i', 's', 8 },
	{ LS_UINT8, 'i', 'u', 1 },
	{ LS_UINT16, 'i', 'u', 2 },
	{ LS_UINT32, 'i', 'u', 4 },
	{ LS_UINT64, 'i', 'u', 8 },
	{ LS_FLOAT, 'r', 'f', 4 },
	{ LS_DOUBLE, 'r', 'f', 8 },
	{ LS_CFLOAT, 'c', 'f', 4 },
	{ LS_CDOUBLE, 'c', 'f', 8 },
};
enum { VALUE_SHAPES = sizeof value_shapes / sizeof *value_shapes };

/* The forms on which each operator is defined. */
static const struct {
	ls_op op;
	const char *forms;
} operators[] = {
	{ LS_SUM, "irc" },
	{ LS_PROD, "irc" },
	{ LS_MIN, "ir" },
	{ LS_MAX, "ir" },
	{ LS_LAND, "ir" },
	{ LS_LOR, "ir" },
	{ LS_LXOR, "ir" },
	{ LS_BAND, "i" },
	{ LS_BOR, "i" },
	{ LS_BXOR, "i" },
	{ LS_MINLOC, "p" },
	{ LS_MAXLOC, "p" },
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static struct shape pair_of(struct shape s)
{
	s.type = ls_type_pair(s.type);
	s.form = 'p';
	return s;
}

/* ---- Values */

static uint64_t random_bits(void)
{
	static uint64_t state;

	return random_next(&state);
}

/* Special values of one part: zeros, units, limits, and of floating types all that is no number. */
enum { SPECIALS = 22 };

static uint64_t special_part(const struct shape *s, size_t k)
{
	const uint64_t sign = sign_bit(s->width), inf = infinity(s->width);
	const uint64_t one = rounded(1, s->width);
	const uint64_t quiet = the_nan(s->width) ^ inf, smallest_normal = quiet << 1;
	const uint64_t floating_specials[SPECIALS] = {
		0,
		sign,
		one,
		sign | one,
		one + 1,
		one - 1,
		rounded(1.5, s->width),
		sign | rounded(3, s->width),
		inf - 1,
		sign | (inf - 1),
		1,
		sign | 1,
		smallest_normal,
		quiet,
		inf,
		sign | inf,
		inf | quiet,
		sign | inf | quiet,
		inf | quiet | 0x1234,
		inf | 1,
		sign | inf | 0x77,
		sign | inf | quiet | 0x4321,
	};
	const uint64_t integer_specials[SPECIALS] = {
		0,
		1,
		2,
		3,
		7,
		sign - 1,
		sign - 2,
		sign,
		sign + 1,
		sign + 2,
		sign | sign >> 1,
		~(uint64_t)0,
		~(uint64_t)1,
		~(uint64_t)6,
		0x55,
		0xaa,
		0x0f,
		16,
		255,
		256,
		65535,
		46341,
	};

	return s->part == 'f' ? floating_specials[k] : integer_specials[k];
}

static size_t specials(const struct shape *s)
{
	return s->form == 'c' ? SPECIALS * SPECIALS : s->form == 'p' ? SPECIALS * 3 : SPECIALS;
}

static void put_special(const struct shape *s, size_t k, void *element)
{
	static const int64_t index[3] = { 0, INT64_MAX, -5 };

	memset(element, 0xa5, ls_type_size(s->type));
	store(element, s->width, special_part(s, k % SPECIALS));
	if (s->form == 'c')
		store((char *)element + s->width, s->width, special_part(s, k / SPECIALS));
	if (s->form == 'p')
		memcpy((char *)element + 8, &index[k / SPECIALS], 8);
}

/* Any bits, or for floating types as often a number of either sign between 1 and 256. */
static uint64_t random_part(const struct shape *s)
{
	const uint64_t any = random_bits(), how = random_bits();
	const unsigned digits = s->width == 4 ? 23 : 52;
	const uint64_t power = rounded(1, s->width) + ((how >> 60 & 7) << digits);

	if (s->part != 'f' || how % 2 == 0)
		return any;
	return (how >> 63 ? sign_bit(s->width) : 0) | power | (any & (((uint64_t)1 << digits) - 1));
}

static void put_random(const struct shape *s, void *element)
{
	put_special(s, random_bits() % specials(s), element);
	if (random_bits() % 4 == 0)
		return;
	store(element, s->width, random_part(s));
	if (s->form == 'c')
		store((char *)element + s->width, s->width, random_part(s));
}

#endif
