/*
 * The representation of element types and operators, and the kernels that compute dst := a (+) b.
 *
 * A node resolves (operator, type) once with lsi_kernel_for and keeps the result.  It is valid on
 * every thread, for a user's operator until that operator is destroyed.
 */
#ifndef LSI_OP_OP_INTERNAL_H
#define LSI_OP_OP_INTERNAL_H

#include <string.h>

#include <lockstep/op.h>

#include "base/cpu.h"

/* Numbers of the built-in types and operators; the pair type of type t has number LSI_TYPES + t. */
#define LSI_ENUM_TYPE(NAME, name) LSI_TYPE_##name,
#define LSI_ENUM_PAIR(NAME, name) LSI_TYPE_pair_##name,
#define LSI_ENUM_OP(NAME, name)   LSI_OP_##NAME,
enum {
	LS_FOR_TYPES(LSI_ENUM_TYPE) LSI_TYPES,
	LSI_TYPE_BEFORE_PAIRS = LSI_TYPES - 1,
	LS_FOR_TYPES(LSI_ENUM_PAIR) LSI_TYPES_AND_PAIRS
};
enum { LS_FOR_OPS(LSI_ENUM_OP) LSI_OPS };
#undef LSI_ENUM_TYPE
#undef LSI_ENUM_PAIR
#undef LSI_ENUM_OP

/*
 * The C type of every element type.  may_alias because kernels also work on scratch and mailbox
 * slots, whose declared type is bytes.
 */
#define LSI_ELEMENT __attribute__((may_alias))
typedef int8_t LSI_ELEMENT lsi_int8;
typedef int16_t LSI_ELEMENT lsi_int16;
typedef int32_t LSI_ELEMENT lsi_int32;
typedef int64_t LSI_ELEMENT lsi_int64;
typedef uint8_t LSI_ELEMENT lsi_uint8;
typedef uint16_t LSI_ELEMENT lsi_uint16;
typedef uint32_t LSI_ELEMENT lsi_uint32;
typedef uint64_t LSI_ELEMENT lsi_uint64;
typedef float LSI_ELEMENT lsi_float;
typedef double LSI_ELEMENT lsi_double;
typedef struct {
	float re, im;
} LSI_ELEMENT lsi_cfloat;
typedef struct {
	double re, im;
} LSI_ELEMENT lsi_cdouble;

#define LSI_DEFINE_PAIR(NAME, name) \
	typedef struct { \
		lsi_##name value; \
		int64_t index; \
	} LSI_ELEMENT lsi_pair_##name;
LS_FOR_TYPES(LSI_DEFINE_PAIR)
#undef LSI_DEFINE_PAIR

/* The kind of an element type determines its operators (the lists in kernels.inc). */
enum lsi_type_kind {
	LSI_KIND_INTEGER,
	LSI_KIND_REAL,
	LSI_KIND_COMPLEX,
	LSI_KIND_PAIR,
	LSI_KIND_USER
};
#define LSI_KIND_int8    INTEGER
#define LSI_KIND_int16   INTEGER
#define LSI_KIND_int32   INTEGER
#define LSI_KIND_int64   INTEGER
#define LSI_KIND_uint8   INTEGER
#define LSI_KIND_uint16  INTEGER
#define LSI_KIND_uint32  INTEGER
#define LSI_KIND_uint64  INTEGER
#define LSI_KIND_float   REAL
#define LSI_KIND_double  REAL
#define LSI_KIND_cfloat  COMPLEX
#define LSI_KIND_cdouble COMPLEX

#define LSI_JOIN_(a, b) a##b
#define LSI_JOIN(a, b)  LSI_JOIN_(a, b)

/*
 * `id` enters the fingerprints of messages.  A built-in type or operator has the number above.  All
 * user-defined types of one size count as one type, so their id follows from the size.
 * User-defined operators are numbered in the order in which the process makes them.
 */
struct ls_type_info {
	const char *name;
	size_t size; /* bytes of an element */
	uint64_t id;
	enum lsi_type_kind kind;
};

typedef void (*lsi_kernel)(void *dst, const void *a, const void *b, size_t n, void *context);

struct ls_op_info {
	const char *name;
	uint64_t id;
	bool commutative, idempotent;
	bool rounds;        /* floating results depend on the order of evaluation */
	lsi_kernel combine; /* NULL: built in, the kernels have it */
	void *context;
};

/*
 * dst := a (+) b on elements of one type.  kernel NULL: the operator is not defined on the type.
 * A built-in kernel needs no context: it uses this argument as a second destination.
 */
struct lsi_operator {
	lsi_kernel kernel;
	void *context;
	size_t size; /* bytes of an element */
	bool built_in;
};

struct lsi_operator lsi_kernel_for(ls_op op, ls_type type);

/* The same with the kernels of a given instruction set, at most lsi_cpu_isa(). */
struct lsi_operator lsi_kernel_on(enum lsi_isa isa, ls_op op, ls_type type);

/* dst := a, which is dst or disjoint.  Copies 8 bytes inline, any other number by memcpy. */
static inline void lsi_copy(void *dst, const void *a, size_t bytes)
{
	if (bytes == sizeof(uint64_t))
		memcpy(dst, a, sizeof(uint64_t));
	else if (dst != a)
		memcpy(dst, a, bytes);
}

/* n elements each; dst is a, or b, or disjoint from both; a may be b. */
static inline void lsi_combine(
	const struct lsi_operator *c, void *dst, const void *a, const void *b, size_t n)
{
	c->kernel(dst, a, b, n, c->context);
}

/*
 * The same, to two destinations in one pass, which costs less than a copy afterward.  `also`, too,
 * is a, or b, or disjoint from both, and not dst.
 */
static inline void lsi_combine_twice(
	const struct lsi_operator *c, void *dst, void *also, const void *a, const void *b, size_t n)
{
	if (c->built_in) {
		c->kernel(dst, a, b, n, also);
		return;
	}
	lsi_combine(c, dst, a, b, n);
	memcpy(also, dst, n * c->size);
}

/*
 * dst := a_1 (+) a_2 (+) .. (+) a_k, left to right, n elements each.
 *
 * a_i begins (i - 1) * stride bytes after a; k >= 1, and k = 1 is a copy; dst is disjoint from a.
 */
void lsi_fold(
	const struct lsi_operator *c, void *dst, const void *a, size_t k, size_t stride, size_t n);

#endif
