/*
 * What is to be computed: an operation or a plan, its network, and its operands.
 */
#ifndef LOCKSTEP_BASE_QUERY_H
#define LOCKSTEP_BASE_QUERY_H

#include <lockstep.h>

#include <stdbool.h>

/* least, least * factor, .. up to most. */
struct range {
	size_t least, most, factor;
};

struct plan_file;

/* Texts are those of the command line; NULL: not given. */
struct query {
	const char *operation; /* not used where a plan is given */
	const char *topology, *algorithm, *map;
	const char *plan;             /* file of a plan or a trace */
	const struct plan_file *file; /* its contents; NULL: no plan is given */
	const char *input;            /* file of operands */
	size_t count;                 /* elements of one contribution */
	struct range sizes;           /* bench: all values of count */
	int64_t root, shift;
	ls_type type;
	ls_op op;
	enum ls_mode mode;
	int ports; /* 0: not given */
	uint64_t seed;
	struct ls_cost_model model; /* of predicted times, ns */
	struct {
		bool count, root, shift, type, mode, ports, seed, model;
	} given; /* on the command line; otherwise the default holds */
};

#endif
