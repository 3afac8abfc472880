/*
 * What the result must be: computed sequentially, one element after the other in rank order, by the
 * tool itself.  No plan, engine or kernel of the library takes part.
 */
#ifndef LOCKSTEP_TRUTH_H
#define LOCKSTEP_TRUTH_H

#include "matrix.h"

struct truth {
	enum ls_operation operation;
	ls_op op;
	int64_t root, shift, nodes;
	size_t count;                   /* m                                                         */
	struct matrix expected;         /* a row a node; one row, where all results are the same      */
	double *slack;                  /* what each of its floating elements may differ by           */
};

struct comparison {
	int64_t wrong;                  /* elements, over all nodes                                   */
	int64_t node;                   /* the first of them; -1: none                                */
	size_t element;
	bool identical;                 /* all nodes that have a result hold the same bits            */
};

struct truth truth_make(const struct ls_request *, const struct matrix *input);
void truth_destroy(struct truth *);

struct comparison truth_compare(const struct truth *, const struct matrix *output);

/* Name the first wrong element on stderr; node: how its node is called. */
void truth_complain(const struct truth *, const struct comparison *, const char *node,
	const struct matrix *output);

/* "sum of 24 values at every node"; root: how its node is called. */
void truth_text(const struct truth *, const char *root, char *text, size_t size);

#endif
