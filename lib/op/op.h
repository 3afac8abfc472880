/*
 * Element types and operators from inside: what they are made of, and who computes dst := a (+) b.
 *
 * A node resolves (operator, type) once with ls_kernel_for and keeps the answer.  It is valid on
 * every thread, for a user's operator until that operator is destroyed.
 */
#ifndef LS_OP_OP_H
#define LS_OP_OP_H

#include <string.h>

#include <lockstep/op.h>

#include "base/cpu.h"

/* Numbers of the built-in types and operators; the pair type of type t has number LS_TYPES + t. */
#define LS_ENUM_TYPE(NAME, name) LS_TYPE_##name,
#define LS_ENUM_PAIR(NAME, name) LS_TYPE_pair_##name,
#define LS_ENUM_OP(NAME, name) LS_OP_##NAME,
enum { LS_FOR_TYPES(LS_ENUM_TYPE) LS_TYPES, LS_TYPE_BEFORE_PAIRS = LS_TYPES - 1,
       LS_FOR_TYPES(LS_ENUM_PAIR) LS_TYPES_AND_PAIRS };
enum { LS_FOR_OPS(LS_ENUM_OP) LS_OPS };
#undef LS_ENUM_TYPE
#undef LS_ENUM_PAIR
#undef LS_ENUM_OP

/*
 * The C type of every element type.  may_alias because kernels also work on scratch and mailbox
 * slots, whose declared type is bytes.
 */
#define LS_ELEMENT __attribute__((may_alias))
typedef int8_t LS_ELEMENT ls_int8;
typedef int16_t LS_ELEMENT ls_int16;
typedef int32_t LS_ELEMENT ls_int32;
typedef int64_t LS_ELEMENT ls_int64;
typedef uint8_t LS_ELEMENT ls_uint8;
typedef uint16_t LS_ELEMENT ls_uint16;
typedef uint32_t LS_ELEMENT ls_uint32;
typedef uint64_t LS_ELEMENT ls_uint64;
typedef float LS_ELEMENT ls_float;
typedef double LS_ELEMENT ls_double;
typedef struct { float re, im; } LS_ELEMENT ls_cfloat;
typedef struct { double re, im; } LS_ELEMENT ls_cdouble;

#define LS_DEFINE_PAIR(NAME, name) \
	typedef struct { ls_##name value; int64_t index; } LS_ELEMENT ls_pair_##name;
LS_FOR_TYPES(LS_DEFINE_PAIR)
#undef LS_DEFINE_PAIR

/* The kind of every element type: it says which operators there are (the lists in kernels.inc). */
enum ls_type_kind { LS_KIND_INTEGER, LS_KIND_REAL, LS_KIND_COMPLEX, LS_KIND_PAIR, LS_KIND_USER };
#define LS_KIND_int8 INTEGER
#define LS_KIND_int16 INTEGER
#define LS_KIND_int32 INTEGER
#define LS_KIND_int64 INTEGER
#define LS_KIND_uint8 INTEGER
#define LS_KIND_uint16 INTEGER
#define LS_KIND_uint32 INTEGER
#define LS_KIND_uint64 INTEGER
#define LS_KIND_float REAL
#define LS_KIND_double REAL
#define LS_KIND_cfloat COMPLEX
#define LS_KIND_cdouble COMPLEX

#define LS_JOIN_(a, b) a##b
#define LS_JOIN(a, b) LS_JOIN_(a, b)

/*
 * id goes into the fingerprints of messages.  Built in: the number above.  User-made types of one
 * size are one type to everybody, so theirs follows from the size; that of a user's operator is its
 * address, for the nodes of a call share one operator.
 */
struct ls_type_info {
	const char *name;
	size_t size;                /* bytes of an element */
	uint64_t id;
	enum ls_type_kind kind;
};

typedef void (*ls_kernel)(void *dst, const void *a, const void *b, size_t n, void *context);

struct ls_op_info {
	const char *name;
	uint64_t id;
	bool commutative, idempotent;
	bool rounds;                /* floating results depend on the order of evaluation */
	ls_kernel combine;          /* NULL: built in, the kernels have it                */
	void *context;
};

/*
 * dst := a (+) b on elements of one type.  kernel NULL: the operator is not defined on the type.  What
 * is built in needs no context: it takes it for a second destination.
 */
struct ls_combine {
	ls_kernel kernel;
	void *context;
	size_t size;                /* bytes of an element */
	bool built_in;
};

struct ls_combine ls_kernel_for(ls_op op, ls_type type);

/* The same with the kernels of a given instruction set, at most ls_cpu_isa(). */
struct ls_combine ls_kernel_on(enum ls_isa isa, ls_op op, ls_type type);

/* dst := a, which is dst or disjoint; few bytes without a call, memcpy knows best about many. */
static inline void ls_copy(void *dst, const void *a, size_t bytes)
{
	if (bytes == sizeof(uint64_t))
		memcpy(dst, a, sizeof(uint64_t));
	else if (dst != a)
		memcpy(dst, a, bytes);
}

/* n elements each; dst is a, or b, or disjoint from both; a may be b. */
static inline void ls_combine(const struct ls_combine *c, void *dst, const void *a, const void *b,
			      size_t n)
{
	c->kernel(dst, a, b, n, c->context);
}

/*
 * The same, to two places at once, which costs less than a copy afterwards: `also`, too, is a, or b, or
 * disjoint from both, and not dst.
 */
static inline void ls_combine_twice(const struct ls_combine *c, void *dst, void *also,
				    const void *a, const void *b, size_t n)
{
	if (c->built_in) {
		c->kernel(dst, a, b, n, also);
		return;
	}
	ls_combine(c, dst, a, b, n);
	memcpy(also, dst, n * c->size);
}

/*
 * dst := a_1 (+) a_2 (+) .. (+) a_k, left to right, n elements each.
 *
 * a_i begins (i - 1) * stride bytes after a; k >= 1, and k = 1 is a copy; dst is disjoint from a.
 */
void ls_fold(const struct ls_combine *c, void *dst, const void *a, size_t k, size_t stride,
	     size_t n);

#endif
