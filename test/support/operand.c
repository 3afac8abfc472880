#include "support/operand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operator_reference.h"
#include "support/guard.h"
#include "support/user_elements.h"

/* ---- The table */

enum form { SUM, PRODUCT, COMPLEX_PRODUCT, BITS, PAIR, FLOATS, MATRIX, SEQUENCE, TRIPLE };

static const struct {
	const char *name, *type, *op; /* type NULL: the user's, `size` bytes */
	size_t size;
	enum form form;
	struct shape shape; /* of exact built-in ones */
	void (*combine)(void *, const void *, const void *, size_t, void *);
	bool commutative;
} table[ELEMENTS] = {
	{ .name = "double sum", .type = "double", .op = "sum", .form = SUM },
	{ .name = "int32 sum",
		.type = "int32",
		.op = "sum",
		.form = BITS,
		.shape = { NULL, 'i', 's', 4 } },
	{ .name = "matrix product",
		.size = sizeof(struct matrix),
		.form = MATRIX,
		.combine = combine_matrices },
	{ .name = "uint8 max",
		.type = "uint8",
		.op = "max",
		.form = BITS,
		.shape = { NULL, 'i', 'u', 1 } },
	{ .name = "float prod", .type = "float", .op = "prod", .form = PRODUCT },
	{ .name = "double pair minloc",
		.type = "pair-double",
		.op = "minloc",
		.form = PAIR,
		.shape = { NULL, 'p', 'f', 8 } },
	{ .name = "sequence",
		.size = sizeof(struct sequence),
		.form = SEQUENCE,
		.combine = combine_sequences },
	{ .name = "int16 band",
		.type = "int16",
		.op = "band",
		.form = BITS,
		.shape = { NULL, 'i', 's', 2 } },
	{ .name = "cdouble prod", .type = "cdouble", .op = "prod", .form = COMPLEX_PRODUCT },
	{ .name = "float min",
		.type = "float",
		.op = "min",
		.form = FLOATS,
		.shape = { NULL, 'r', 'f', 4 } },
	{ .name = "int64 lxor",
		.type = "int64",
		.op = "lxor",
		.form = BITS,
		.shape = { NULL, 'i', 's', 8 } },
	{ .name = "triple sum",
		.size = sizeof(struct triple),
		.form = TRIPLE,
		.combine = combine_triples,
		.commutative = true },
	{ .name = "uint64 sum",
		.type = "uint64",
		.op = "sum",
		.form = BITS,
		.shape = { NULL, 'i', 'u', 8 } },
};

static enum form form_of(const struct element *e)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		if (table[i].name == e->name)
			return table[i].form;
	}
	abort();
}

void elements_make(struct element out[ELEMENTS])
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		const struct ls_op_options options = { .size = sizeof options,
			.name = table[i].name,
			.combine = table[i].combine,
			.commutative = table[i].commutative };
		struct element *e = &out[i];

		*e = (struct element){ .name = table[i].name };
		if (table[i].type) {
			const bool pair = !strncmp(table[i].type, "pair-", 5);

			e->type =
				pair ? ls_type_pair(ls_type_find(table[i].type + 5)) : ls_type_find(table[i].type);
			e->op = ls_op_find(table[i].op);
		} else if (ls_type_make(table[i].size, &e->type) != LS_OK
			|| ls_op_make(&options, &e->op) != LS_OK) {
			exit(1);
		}
		e->size = ls_type_size(e->type);
		e->exact = form_of(e) > COMPLEX_PRODUCT;
		e->commutative = ls_op_commutative(e->op);
		e->idempotent = ls_op_idempotent(e->op);
	}
}

void elements_destroy(struct element element[ELEMENTS])
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		ls_op_destroy(element[i].op);
		if (!table[i].type)
			ls_type_destroy(element[i].type);
	}
}

/* ---- Operands */

/* In [0.5, 1.5): products of a thousand stay in range. */
static double about_one(uint64_t bits)
{
	return 0.5 + (double)(bits >> 11) * 0x1p-53;
}

static float some_float(uint64_t bits)
{
	switch (bits % 9) {
	case 0:
		return 0.0f;
	case 1:
		return -0.0f;
	case 2:
		return bits % 5 ? INFINITY : NAN;
	default:
		return (float)about_one(bits) * (bits % 2 ? 1 : -1);
	}
}

static void fill_one(enum form form, size_t size, void *out, int64_t rank, uint64_t bits)
{
	const double x = about_one(bits) * (bits % 2 ? 1 : -1),
				 complex_number[2] = { x / 2, about_one(bits << 7) / 2 };
	const float product = (float)x, anything = some_float(bits);
	const struct {
		double value;
		int64_t index;
	} pair = { (double)(bits % 7), rank };
	const struct sequence sequence = { rank, rank, bits | 1 };

	switch (form) {
	case SUM:
		memcpy(out, &x, size);
		break;
	case PRODUCT:
		memcpy(out, &product, size);
		break;
	case COMPLEX_PRODUCT:
		memcpy(out, complex_number, size);
		break;
	case PAIR:
		memcpy(out, &pair, size);
		break;
	case FLOATS:
		memcpy(out, &anything, size);
		break;
	case SEQUENCE:
		memcpy(out, &sequence, size);
		break;
	case BITS:
	case MATRIX:
	case TRIPLE:
		memcpy(out, (const uint64_t[]){ bits, bits * 0x9e3779b97f4a7c15u }, size);
		break;
	}
}

void operand_fill(const struct element *e, void *out, size_t n, int64_t rank, uint64_t seed)
{
	const enum form form = form_of(e);
	uint64_t state = seed * 1000003 + (uint64_t)rank;

	for (size_t i = 0; i < n; i++)
		fill_one(form, e->size, (char *)out + i * e->size, rank, random_next(&state));
}

/* ---- The truth */

static void exact_one(const struct element *e, enum form form, void *z, const void *y)
{
	struct shape shape = { 0 };
	struct matrix m[2];
	struct sequence s[2];
	struct triple t[2];

	switch (form) {
	case MATRIX:
		memcpy(&m[0], z, sizeof m[0]);
		memcpy(&m[1], y, sizeof m[1]);
		m[0] = product(m[0], m[1]);
		memcpy(z, &m[0], sizeof m[0]);
		break;
	case SEQUENCE:
		memcpy(&s[0], z, sizeof s[0]);
		memcpy(&s[1], y, sizeof s[1]);
		s[0] = join(s[0], s[1]);
		memcpy(z, &s[0], sizeof s[0]);
		break;
	case TRIPLE:
		memcpy(&t[0], z, sizeof t[0]);
		memcpy(&t[1], y, sizeof t[1]);
		t[0] = add(t[0], t[1]);
		memcpy(z, &t[0], sizeof t[0]);
		break;
	default:
		for (size_t i = 0; i < ELEMENTS; i++)
			shape = table[i].name == e->name ? table[i].shape : shape;
		reference(&shape, e->op, z, z, y);
	}
}

static quad magnitude_of(quad x)
{
	return x < 0 ? -x : x;
}

/* A sum, or product, in quadruple precision, and that of the magnitudes. */
struct precise {
	quad re, im, size;
};

static struct precise add_precisely(enum form form, struct precise s, const void *operand)
{
	double d[2] = { 0 };
	float f;

	switch (form) {
	case SUM:
		memcpy(d, operand, sizeof d[0]);
		return (struct precise){ s.re + (quad)d[0], 0, s.size + magnitude_of((quad)d[0]) };
	case PRODUCT:
		memcpy(&f, operand, sizeof f);
		return (struct precise){ s.re * (quad)f, 0, s.size * magnitude_of((quad)f) };
	default:
		memcpy(d, operand, sizeof d);
		return (struct precise){ s.re * (quad)d[0] - s.im * (quad)d[1],
			s.re * (quad)d[1] + s.im * (quad)d[0], s.size * (quad)hypot(d[0], d[1]) };
	}
}

/*
 * The result of `terms` operands.  The error of `terms` - 1 roundings is at most that many eps
 * times the sum, or product, of magnitudes.  Returns that bound.
 */
static double write_precise(enum form form, struct precise s, int64_t terms, void *out)
{
	const double d[2] = { (double)s.re, (double)s.im };
	const float f = (float)s.re;
	/* A complex product takes two roundings a part; the bound itself was rounded once. */
	const double eps = form == PRODUCT ? FLT_EPSILON : form == SUM ? DBL_EPSILON : 3 * DBL_EPSILON;

	if (form == PRODUCT)
		memcpy(out, &f, sizeof f);
	else
		memcpy(out, d, form == SUM ? sizeof d[0] : sizeof d);
	return (double)terms * (double)s.size * eps;
}

/* Where the prefixes of one element go: `row` elements apart; row 0: only the last one remains. */
struct prefixes {
	void *out;
	double *slack;
	size_t row;
};

static void combine_one(
	const struct element *e, void *const *operands, int64_t p, size_t at, struct prefixes to)
{
	const size_t row = to.row;
	const enum form form = form_of(e);
	struct precise s = { form == SUM ? 0 : 1, 0, form == SUM ? 0 : 1 };

	for (int64_t r = 0; r < p; r++) {
		char *z = (char *)to.out + (size_t)r * row * e->size;
		const char *x = (const char *)operands[r] + at;

		to.slack[(size_t)r * row] = 0;
		if (!e->exact)
			s = add_precisely(form, s, x);
		if (r == 0) {
			memcpy(z, x, e->size);
		} else if (e->exact) {
			memmove(z, z - row * e->size, e->size);
			exact_one(e, form, z, x);
		} else if (row > 0 || r == p - 1) {
			to.slack[(size_t)r * row] = write_precise(form, s, r + 1, z);
		}
	}
}

void operand_reduce(
	const struct element *e, void *const *operands, int64_t p, size_t n, void *out, double *slack)
{
	for (size_t i = 0; i < n; i++)
		combine_one(e, operands, p, i * e->size,
			(struct prefixes){ (char *)out + i * e->size, slack + i, 0 });
}

void operand_scan(
	const struct element *e, void *const *operands, int64_t p, size_t n, void *out, double *slack)
{
	for (size_t i = 0; i < n; i++)
		combine_one(e, operands, p, i * e->size,
			(struct prefixes){ (char *)out + i * e->size, slack + i, n });
}

static bool is_close(enum form form, const void *got, const void *want, double slack)
{
	float f[2];
	double d[2][2] = { { 0 } };

	if (form == PRODUCT) {
		memcpy(&f[0], got, sizeof f[0]);
		memcpy(&f[1], want, sizeof f[1]);
		return fabs((double)f[0] - (double)f[1]) <= slack;
	}
	memcpy(d[0], got, form == SUM ? sizeof d[0][0] : sizeof d[0]);
	memcpy(d[1], want, form == SUM ? sizeof d[1][0] : sizeof d[1]);
	return hypot(d[0][0] - d[1][0], d[0][1] - d[1][1]) <= slack;
}

size_t operand_wrong(
	const struct element *e, const void *got, const void *want, const double *slack, size_t n)
{
	const enum form form = form_of(e);

	for (size_t i = 0; i < n; i++) {
		const char *x = (const char *)got + i * e->size, *y = (const char *)want + i * e->size;

		if (memcmp(x, y, e->size) != 0 && (e->exact || !is_close(form, x, y, slack[i])))
			return i;
	}
	return n;
}
