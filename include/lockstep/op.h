/*
 * Element types and reduction operators.
 *
 * Operators are element-wise: a call may be split at any element and run on any thread.  Data that
 * must stay together, such as a matrix, is one element of a large user-defined type.
 *
 * The built-in operators:
 *   integers   sum and prod wrap modulo 2^bits, signed ones too (two's complement); land, lor, lxor
 *              give 0 or 1; band, bor, bxor work on the bits.
 *   floating   sum and prod are one IEEE operation per element, never contracted or reassociated.
 *              min and max are IEEE 754-2019 minimum and maximum: NaN if either is NaN, -0 < +0.
 *              land, lor, lxor take NaN as true and give 0.0 or 1.0.  No bitwise operators.
 *   complex    sum and prod only; (a + bi)(c + di) is (ac - bd) + (ad + bc)i, four products and two
 *              sums, each rounded, infinities and NaN included.
 *   NaN        every computed NaN is the same: quiet, positive, without payload (0x7fc00000,
 *              0x7ff8000000000000).
 *   minloc,    on pairs {value, index} (ls_type_pair): the smaller (larger) value wins; among equal
 *   maxloc     values the lower index.  -0 and +0 are equal values; a NaN wins over any number.  If
 *              value and index are equal, -0 wins (maxloc: +0).  Padding is written as zero.
 * Results have the same bits on every processor, and all built-in operators commute to the bit.
 * An element that is copied, not combined, keeps its bits.
 */
#ifndef LOCKSTEP_OP_H
#define LOCKSTEP_OP_H

#include <lockstep/status.h>

LS_BEGIN_DECLS

typedef const struct ls_type_info *ls_type;
typedef const struct ls_op_info *ls_op;

#define LS_FOR_TYPES(X) \
	X(INT8, int8) \
	X(INT16, int16) \
	X(INT32, int32) \
	X(INT64, int64) \
	X(UINT8, uint8) \
	X(UINT16, uint16) \
	X(UINT32, uint32) \
	X(UINT64, uint64) X(FLOAT, float) X(DOUBLE, double) X(CFLOAT, cfloat) X(CDOUBLE, cdouble)
#define LS_FOR_OPS(X) \
	X(SUM, sum) \
	X(PROD, prod) \
	X(MIN, min) \
	X(MAX, max) \
	X(LAND, land) \
	X(LOR, lor) \
	X(LXOR, lxor) X(BAND, band) X(BOR, bor) X(BXOR, bxor) X(MINLOC, minloc) X(MAXLOC, maxloc)

#define LS_DECLARE_TYPE(NAME, name) extern LS_API const struct ls_type_info ls_type_##name;
#define LS_DECLARE_OP(NAME, name)   extern LS_API const struct ls_op_info ls_op_##name;
LS_FOR_TYPES(LS_DECLARE_TYPE)
LS_FOR_OPS(LS_DECLARE_OP)

#define LS_INT8    (&ls_type_int8)
#define LS_INT16   (&ls_type_int16)
#define LS_INT32   (&ls_type_int32)
#define LS_INT64   (&ls_type_int64)
#define LS_UINT8   (&ls_type_uint8)
#define LS_UINT16  (&ls_type_uint16)
#define LS_UINT32  (&ls_type_uint32)
#define LS_UINT64  (&ls_type_uint64)
#define LS_SIZE    LS_UINT64 /* size_t: the library is for 64 bits */
#define LS_FLOAT   (&ls_type_float)
#define LS_DOUBLE  (&ls_type_double)
#define LS_CFLOAT  (&ls_type_cfloat)
#define LS_CDOUBLE (&ls_type_cdouble)
#define LS_SUM     (&ls_op_sum)
#define LS_PROD    (&ls_op_prod)
#define LS_MIN     (&ls_op_min)
#define LS_MAX     (&ls_op_max)
#define LS_LAND    (&ls_op_land)
#define LS_LOR     (&ls_op_lor)
#define LS_LXOR    (&ls_op_lxor)
#define LS_BAND    (&ls_op_band)
#define LS_BOR     (&ls_op_bor)
#define LS_BXOR    (&ls_op_bxor)
#define LS_MINLOC  (&ls_op_minloc)
#define LS_MAXLOC  (&ls_op_maxloc)

LS_API size_t ls_type_size(ls_type); /* bytes of an element */
LS_API const char *ls_type_name(ls_type);
LS_API ls_type ls_type_find(const char *name); /* NULL: no such type */

/*
 * {T value; int64_t index;} laid out as the C compiler does, for a built-in integer or real type T,
 * named "pair-" and T's name; NULL for any other type.
 */
LS_API ls_type ls_type_pair(ls_type value);

LS_API const char *ls_op_name(ls_op);
LS_API ls_op ls_op_find(const char *name); /* NULL: no such operator */
LS_API bool ls_op_defined(ls_op, ls_type); /* true for user-defined operators */
LS_API bool ls_op_commutative(ls_op);

/* x (+) x == x: min, max, land, lor, band, bor, minloc, maxloc. */
LS_API bool ls_op_idempotent(ls_op);

/*
 * Returns true if every order of evaluation gives the same bits.  False for sum and prod of
 * floating and complex types, for user-defined operators, and if the operator is not defined for
 * the type.
 */
LS_API bool ls_op_exact(ls_op, ls_type);

/*
 * User-defined element types and operators.
 *
 * `combine` computes dst[i] = a[i] (+) b[i] for n elements.  dst is a, or b, or disjoint from both.
 * Any thread may call it, and it may run concurrently on different parts of the vector.  It must
 * return normally: it must not call longjmp or end the thread.  A collective call on the same
 * machine, made inside it, fails with LS_ERR_BUSY; in a machine over several processes it may fail
 * with LS_ERR_ARGUMENT.
 *
 * Called by  any thread.  All nodes of a collective call pass the same operator, and types of equal
 *            size.  Each process of a world makes its own; all name it and use it in the same way.
 * Owns       The caller owns *out and destroys it after the last call that uses it.  On failure
 *            *out is NULL.  The destroy calls ignore NULL and built-in types and operators.
 *            context stays the caller's.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT  bytes is 0, or combine or out is NULL
 *            LS_ERR_MEMORY    nothing was made
 */
struct ls_op_options {
	size_t size;
	const char *name; /* for messages; copied; NULL: "user-defined" */
	void (*combine)(void *dst, const void *a, const void *b, size_t n, void *context);
	void *context;
	bool commutative; /* false: only ordered algorithms are used */
	bool idempotent;
};
LS_API LS_MUST_CHECK int ls_type_make(size_t bytes, ls_type *out);
LS_API void ls_type_destroy(ls_type);
LS_API LS_MUST_CHECK int ls_op_make(const struct ls_op_options *, ls_op *out);
LS_API void ls_op_destroy(ls_op);

LS_END_DECLS
#endif
