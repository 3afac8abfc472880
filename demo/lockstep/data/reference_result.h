/*
 * What the result must be: computed sequentially, one element after the other in rank order, by the
 * tool itself.  No plan, engine or kernel of the library takes part.
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
/* a (+) b; nothing at all (count 0) changes nothing. */
struct partial partial_combine(const struct element *, ls_op, struct partial a, struct partial b);
struct partial partial_of(const struct element *, struct value);
/* What the result may differ by. */
double partial_slack(const struct element *, ls_op, struct partial);

struct reference {
	enum ls_operation operation;
	ls_op op;
	int64_t root, shift, nodes;
	size_t count;           /* m */
	struct matrix expected; /* a row a node; one row, where all results are the same */
	double *slack;          /* what each of its floating elements may differ by */
};

struct comparison {
	int64_t wrong; /* elements, over all nodes */
	int64_t node;  /* the first of them; -1: none */
	size_t element;
	bool identical; /* all nodes that have a result hold the same bits */
};

/* Of a request alone, before anything is expected. */
struct reference truth_asked(const struct ls_request *, int64_t nodes);
struct reference truth_make(const struct ls_request *, const struct matrix *input);
void truth_destroy(struct reference *);

struct comparison truth_compare(const struct reference *, const struct matrix *output);

/* Whose block a block of a node's result is, if nothing is combined, and which of its. */
int64_t truth_origin(const struct reference *, int64_t rank, int64_t block, int64_t *of_its);

/* Name the first wrong element on stderr; node: how its node is called. */
int complain_element(
	size_t element, const char *node, const char *got, int64_t more, const char *want);
void truth_complain(const struct reference *, const struct comparison *, const char *node,
	const struct matrix *output);

/* "sum of 24 values at every node"; root: how its node is called. */
void truth_text(const struct reference *, const char *root, char *text, size_t size);

#endif
