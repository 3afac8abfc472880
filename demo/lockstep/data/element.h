/*
 * Elements, one by one: the tool's own arithmetic, independent of the library's kernels and plans.
 *
 * A value holds an element of any type: integers in i (unsigned ones as their bits), real and
 * complex numbers in re and im, and the index of a pair separately.
 */
#ifndef LOCKSTEP_DATA_ELEMENT_H
#define LOCKSTEP_DATA_ELEMENT_H

#include <lockstep.h>

#include <stdio.h>

enum element_class { CLASS_SIGNED, CLASS_UNSIGNED, CLASS_REAL, CLASS_COMPLEX };

struct value {
	int64_t i, index;
	double re, im;
};

struct element {
	const char *name;   /* of the type, without its index if it is a pair */
	const char *npy;    /* numpy's, little-endian */
	size_t size, bytes; /* of the number; of the whole element */
	enum element_class class;
	struct value (*load)(const void *);
	void (*store)(void *, struct value);
	double epsilon;     /* 2 x the relative error of one operation */
	double least, most; /* of floating types: the least normal and the largest number */
	bool pair;          /* {number, int64_t index at bytes 8 .. 15} */
};

/* The number type of this name; pair: as {number, index}. */
struct element element_of(ls_type number, bool pair);
bool element_of_npy(const char *npy, ls_type *number);
/* Whether it is a plain 64-bit integer, signed or unsigned. */
bool element_is_int64(const struct element *);

struct value element_load(const struct element *, const void *);
void element_store(const struct element *, void *, struct value);

/* As the type holds it: wrapped, rounded. */
struct value value_wrap(const struct element *, struct value);

/* The number n, wrapped for integers; a random one; the value of a text. */
struct value value_of(const struct element *, int64_t n);
struct value value_random(const struct element *, uint64_t bits, uint64_t more_bits);
bool value_read(const struct element *, const char *text, struct value *out);
void value_print(const struct element *, struct value, char *text, size_t size);

/* a (+) b as <lockstep/op.h> defines it. */
struct value value_combine(const struct element *, ls_op, struct value a, struct value b);

/* The same for n elements, aligned as their type. */
void elements_combine(const struct element *, ls_op, size_t n, const unsigned char *a,
	const unsigned char *b, unsigned char *into);

/* Whether the order of the operands changes bits: sums and products of floating types. */
bool depends_on_order(const struct element *, ls_op);

/* The same bits, except that all NaNs are equal. */
bool value_equal(const struct element *, struct value a, struct value b);
/*
 * Whether a value differs from the expected one by slack at most in re and in im.  0: they have the
 * same bits, except that all NaNs are equal; INFINITY: any value; NAN: any with re or im NaN.
 */
bool value_near(const struct element *, struct value want, struct value got, double slack);
double value_magnitude(const struct element *, struct value);

#endif
