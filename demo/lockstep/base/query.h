/*
 * The computation that a command line requests: an operation or a plan, its network, its operands.
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

/* Texts come from the command line, or from the file of --plan; NULL: not given. */
struct query {
	const char *verb;      /* the words before the operation: "check", "list algorithms" */
	const char *operation; /* with a plan: the operation that it must perform */
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
	} given; /* on the command line, or `mode` in a trace; else the default or the file holds */
};

#endif
