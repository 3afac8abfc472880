/*
 * What the result must be: computed sequentially, one element after the other in rank order, by the
 * tool itself.  No plan, engine or kernel of the library takes part.
 */
#ifndef LOCKSTEP_TRUTH_H
#define LOCKSTEP_TRUTH_H

#include "matrix.h"

struct truth {
	struct matrix expected;         /* one row: what every node with a result must hold          */
	double *slack;                  /* what a floating element may differ by                      */
	enum ls_operation operation;
	int64_t root;
};

struct comparison {
	int64_t wrong;                  /* elements, over all nodes                                   */
	int64_t node;                   /* the first of them; -1: none                                */
	size_t element;
	bool identical;                 /* all nodes that have a result hold the same bits            */
};

struct truth truth_make(enum ls_operation, ls_op, int64_t root, const struct matrix *input);
void truth_destroy(struct truth *);

/* Whether a node of this rank gets a result. */
bool truth_holds(enum ls_operation, int64_t root, int64_t rank);

struct comparison truth_compare(const struct truth *, const struct matrix *output);

/* Name the first wrong element on stderr. */
void truth_complain(const struct truth *, const struct comparison *, const ls_topology *,
	const struct matrix *output);

/* "sum of 24 values at every node" */
void truth_text(enum ls_operation, ls_op, const char *root, const struct matrix *input, char *text,
	size_t size);

#endif
