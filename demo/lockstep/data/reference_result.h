/*
 * The expected result, computed by the tool itself: sequentially, element by element, in rank
 * order.  It uses no plan, engine or kernel of the library.
 */
#ifndef LOCKSTEP_DATA_REFERENCE_RESULT_H
#define LOCKSTEP_DATA_REFERENCE_RESULT_H

#include "data/matrix.h"

/* Elements combined so far: their value, how many, and the sum (product) of their magnitudes. */
struct partial {
	struct value value;
	int64_t count;
	double size;
};
/* a (+) b; an empty partial (count 0) is neutral. */
struct partial partial_combine(const struct element *, ls_op, struct partial a, struct partial b);
struct partial partial_of(const struct element *, struct value);
/* The error bound of the result. */
double partial_slack(const struct element *, ls_op, struct partial);

struct reference {
	enum ls_operation operation;
	ls_op op;
	int64_t root, shift, nodes;
	size_t count;           /* m */
	struct matrix expected; /* one row per node; one row if all results are the same */
	double *slack;          /* error bound of each floating element */
};

struct comparison {
	int64_t wrong; /* elements, over all nodes */
	int64_t node;  /* the first of them; -1: none */
	size_t element;
	bool identical; /* all results have the same bits */
};

/* Without expected results. */
struct reference reference_begin(const struct ls_request *, int64_t nodes);
struct reference reference_make(const struct ls_request *, const struct matrix *input);
void reference_destroy(struct reference *);

struct comparison reference_compare(const struct reference *, const struct matrix *output);

/* The origin of a block of a result, if nothing is combined: its rank, and in *of_its its block. */
int64_t reference_origin(const struct reference *, int64_t rank, int64_t block, int64_t *of_its);

/* Name the first wrong element on stderr; node: the text of its node. */
int print_wrong_element(
	size_t element, const char *node, const char *got, int64_t more, const char *want);
void print_wrong_result(const struct reference *, const struct comparison *, const char *node,
	const struct matrix *output);

/* "sum of 24 values at every node"; root: the text of the root. */
void reference_text(const struct reference *, const char *root, char *text, size_t size);

#endif
