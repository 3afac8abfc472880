/*
 * The expected result, computed by the tool itself: sequentially, element by element, in rank
 * order.  It uses no plan, engine or kernel of the library.
 */
#ifndef LOCKSTEP_DATA_REFERENCE_RESULT_H
#define LOCKSTEP_DATA_REFERENCE_RESULT_H

#include "data/matrix.h"

/*
 * Magnitudes of elements combined so far, which bound every value of every order: their sum, or the
 * products of those above and of those below 1, without zeros.
 */
struct magnitude {
	double high, low;
};

/* Elements combined so far: their value, how many, and their magnitude. */
struct partial {
	struct value value;
	int64_t count;
	struct magnitude size;
};
/* a (+) b; an empty partial (count 0) is neutral. */
struct partial partial_combine(const struct element *, ls_op, struct partial a, struct partial b);
struct partial partial_of(const struct element *, ls_op, struct value);
/*
 * The error bound of the result; INFINITY: none is stated, as some order over- or underflows.  NAN:
 * an operand is NaN, and so is the result of every order.
 */
double partial_slack(const struct element *, ls_op, struct partial);

struct reference {
	enum ls_operation operation;
	ls_op op;
	int64_t root, shift, nodes;
	size_t count;           /* m */
	struct matrix expected; /* one row per node; one row if all results are the same */
	double *slack;          /* error bound of each element; NULL: all are 0 */
};

/* Elements first .. first + n - 1 of the result of a node, and what they must be. */
struct result_part {
	int64_t node;
	size_t first, n;
	const unsigned char *got, *sequential;
	const unsigned char *replayed; /* NULL: only within the error bound of the sequential ones */
	const double *slack;           /* NULL: all are 0 */
};

struct comparison {
	int64_t wrong; /* elements, over all nodes */
	int64_t node;  /* the first of them; -1: none */
	size_t element;
	struct value got, want;
	bool identical; /* all results have the same bits */
};

/* Whether a part has the bits of the sequential and the replayed elements; then it is right. */
bool part_has_expected_bits(const struct element *, const struct result_part *);
/* Counts the wrong elements of a part. */
void compare_elements(const struct element *, const struct result_part *, struct comparison *);

/* Without expected results. */
struct reference reference_begin(const struct ls_request *, int64_t nodes);
struct reference reference_make(const struct ls_request *, const struct matrix *input);
void reference_destroy(struct reference *);

/* The row of a node in results that may have one row for all nodes; NULL: there are no rows. */
const unsigned char *row_of_node(const struct matrix *, int64_t node);

/*
 * replayed: the results in the order of the plan, or without memory; first: the rank of the first
 * row of the output.
 */
struct comparison reference_compare(const struct reference *, const struct matrix *replayed,
	const struct matrix *output, int64_t first);

/* The origin of a block of a result, if nothing is combined: its rank, and in *of_its its block. */
int64_t reference_origin(const struct reference *, int64_t rank, int64_t block, int64_t *of_its);

/* Names the first wrong element on stderr; node: the text of its node. */
void print_wrong_element(const struct element *, const struct comparison *, const char *node);

/* "sum of 24 values at every node"; root: the text of the root. */
void reference_text(const struct reference *, const char *root, char *text, size_t size);

#endif
