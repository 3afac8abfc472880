#include "data/element.h"

#include "base/messages.h"
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTEGER(T, name) \
	static struct value load_##name(const void *from) \
	{ \
		T x; \
		memcpy(&x, from, sizeof x); \
		return (struct value){ .i = (int64_t)x }; \
	} \
	static void store_##name(void *to, struct value v) \
	{ \
		const T x = (T)v.i; \
		memcpy(to, &x, sizeof x); \
	}
#define FLOATING(T, name, parts) \
	static struct value load_##name(const void *from) \
	{ \
		T x[2] = { 0, 0 }; \
		memcpy(x, from, parts * sizeof *x); \
		return (struct value){ .re = x[0], .im = x[1] }; \
	} \
	static void store_##name(void *to, struct value v) \
	{ \
		const T x[2] = { (T)v.re, (T)v.im }; \
		memcpy(to, x, parts * sizeof *x); \
	}

INTEGER(int8_t, int8)
INTEGER(int16_t, int16)
INTEGER(int32_t, int32)
INTEGER(int64_t, int64)
INTEGER(uint8_t, uint8)
INTEGER(uint16_t, uint16)
INTEGER(uint32_t, uint32)
INTEGER(uint64_t, uint64)
FLOATING(float, float, 1)
FLOATING(double, double, 1)
FLOATING(float, cfloat, 2)
FLOATING(double, cdouble, 2)

#define ROW(name, npy, size, class, epsilon, least, most) \
	{ \
#name, npy, size, size, CLASS_##class, load_##name, store_##name, epsilon, least, most, \
			false \
	}
static const struct element elements[] = {
	ROW(int8, "|i1", 1, SIGNED, 0, 0, 0),
	ROW(int16, "<i2", 2, SIGNED, 0, 0, 0),
	ROW(int32, "<i4", 4, SIGNED, 0, 0, 0),
	ROW(int64, "<i8", 8, SIGNED, 0, 0, 0),
	ROW(uint8, "|u1", 1, UNSIGNED, 0, 0, 0),
	ROW(uint16, "<u2", 2, UNSIGNED, 0, 0, 0),
	ROW(uint32, "<u4", 4, UNSIGNED, 0, 0, 0),
	ROW(uint64, "<u8", 8, UNSIGNED, 0, 0, 0),
	ROW(float, "<f4", 4, REAL, FLT_EPSILON, FLT_MIN, FLT_MAX),
	ROW(double, "<f8", 8, REAL, DBL_EPSILON, DBL_MIN, DBL_MAX),
	ROW(cfloat, "<c8", 8, COMPLEX, FLT_EPSILON, FLT_MIN, FLT_MAX),
	ROW(cdouble, "<c16", 16, COMPLEX, DBL_EPSILON, DBL_MIN, DBL_MAX),
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

struct element element_of(ls_type number, bool pair)
{
	struct element element = elements[0];

	for (int i = 0; i < ELEMENTS; i++)
		if (strcmp(elements[i].name, ls_type_name(number)) == 0)
			element = elements[i];
	element.pair = pair;
	element.bytes = pair ? 16 : element.size;
	return element;
}

bool element_of_npy(const char *npy, ls_type *number)
{
	for (int i = 0; i < ELEMENTS; i++)
		if (strcmp(elements[i].npy + 1, npy + 1) == 0 && (npy[0] == '<' || elements[i].size == 1)) {
			*number = ls_type_find(elements[i].name);
			return true;
		}
	return false;
}

struct value element_load(const struct element *element, const void *from)
{
	struct value value = element->load(from);

	if (element->pair)
		memcpy(&value.index, (const char *)from + 8, sizeof value.index);
	return value;
}

bool element_is_int64(const struct element *element)
{
	return !element->pair && element->class <= CLASS_UNSIGNED && element->size == sizeof(int64_t);
}

void element_store(const struct element *element, void *to, struct value value)
{
	if (element->pair) {
		memset(to, 0, element->bytes);
		memcpy((char *)to + 8, &value.index, sizeof value.index);
	}
	element->store(to, value);
}

static int64_t wrap(const struct element *element, int64_t i)
{
	const int unheld = 64 - 8 * (int)element->size;
	const uint64_t high = (uint64_t)i << unheld;

	return element->class == CLASS_SIGNED ? (int64_t)high >> unheld : (int64_t)(high >> unheld);
}

struct value value_wrap(const struct element *element, struct value value)
{
	const bool complex = element->class == CLASS_COMPLEX;

	if (element->class == CLASS_SIGNED || element->class == CLASS_UNSIGNED)
		return (struct value){ .i = wrap(element, value.i), .index = value.index };
	if (element->epsilon > DBL_EPSILON) {
		value.re = (float)value.re;
		value.im = (float)value.im;
	}
	return (struct value){ .index = value.index, .re = value.re, .im = complex ? value.im : 0 };
}

struct value value_of(const struct element *element, int64_t n)
{
	return value_wrap(element, (struct value){ .i = n, .re = (double)n });
}

/* Uniform in [-1, 1). */
static double fraction(uint64_t bits)
{
	return (double)(int64_t)bits * 0x1p-63;
}

struct value value_random(const struct element *element, uint64_t bits, uint64_t more_bits)
{
	return value_wrap(element,
		(struct value){ .i = (int64_t)bits, .re = fraction(bits), .im = fraction(more_bits) });
}

/* "1", "-2.5", and of complex types also "1+2i" and "2j". */
static bool read_complex(const char *text, struct value *out)
{
	const size_t length = strlen(text);
	size_t split = length - (length > 0);
	char part[2][64];

	out->im = 0;
	if (length == 0 || length >= sizeof part[0])
		return false;
	if (text[length - 1] != 'i' && text[length - 1] != 'j')
		return read_real(text, &out->re);
	while (split > 0
		&& !((text[split] == '+' || text[split] == '-') && text[split - 1] != 'e'
			&& text[split - 1] != 'E'))
		split--;
	snprintf(part[0], sizeof part[0], "%.*s", (int)split, split ? text : "0");
	snprintf(part[1], sizeof part[1], "%.*s", (int)(length - 1 - split), text + split);
	if (split == 0)
		strcpy(part[0], "0");
	return read_real(part[0], &out->re) && read_real(part[1], &out->im);
}

bool value_read(const struct element *element, const char *text, struct value *out)
{
	uint64_t number;

	*out = (struct value){ 0 };
	switch (element->class) {
	case CLASS_SIGNED:
		return read_int(text, &out->i) && value_wrap(element, *out).i == out->i;
	case CLASS_UNSIGNED:
		if (!read_unsigned(text, &number))
			return false;
		out->i = (int64_t)number;
		return value_wrap(element, *out).i == out->i;
	case CLASS_REAL:
		if (!read_real(text, &out->re))
			return false;
		break;
	case CLASS_COMPLEX:
		if (!read_complex(text, out))
			return false;
		break;
	}
	*out = value_wrap(element, *out);
	return true;
}

void value_print(const struct element *element, struct value value, char *text, size_t size)
{
	const int digits = element->epsilon > DBL_EPSILON ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
	size_t at = 0;

	switch (element->class) {
	case CLASS_SIGNED:
		at = (size_t)snprintf(text, size, "%" PRId64, value.i);
		break;
	case CLASS_UNSIGNED:
		at = (size_t)snprintf(text, size, "%" PRIu64, (uint64_t)value.i);
		break;
	case CLASS_REAL:
		at = (size_t)snprintf(text, size, "%.*g", digits, value.re);
		break;
	case CLASS_COMPLEX:
		at = (size_t)snprintf(text, size, "%.*g%+.*gi", digits, value.re, digits, value.im);
		break;
	}
	if (element->pair && at < size)
		snprintf(text + at, size - at, ":%" PRId64, value.index);
}
