/*
 * How the claim at hand is checked.  The functions that make, count and run plans record it while
 * the claim is checked, so a claim cannot state a method that was not used.
 */
#ifndef LOCKSTEP_REPRODUCE_EVIDENCE_H
#define LOCKSTEP_REPRODUCE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

/* In ascending order of strength. */
enum method {
	METHOD_NO_PLAN,   /* the library has no plan */
	METHOD_FORMULA,   /* computed by a formula */
	METHOD_PROCEDURE, /* computed by a procedure of the source, without a plan */
	METHOD_NETWORK,   /* measured on the network */
	METHOD_PLAN,      /* counted in the plan */
	METHOD_REPLAY,    /* the plan was replayed on values */
	METHOD_LAWS,      /* the plan was checked against the laws */
	METHOD_SWEEP,     /* a sweep executed the plan */
	METHOD_THREADS,   /* threads executed the plan */
	METHODS
};

/* Forget the methods of the previous claim. */
void evidence_begin(void);
/* nodes >= 1: of the network, 1 if there is none. */
void record_method(enum method, int64_t nodes);
/*
 * Whether a status says that the machine lacks memory or threads; then the claim counts as not run,
 * for the reason that the format gives.
 */
bool lacks_resources(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The reason; "": none. */
const char *missing_resource(void);
/*
 * Name the methods, in FOUND_SIZE bytes.  Those that reached no more nodes than a stronger one are
 * omitted; if several remain, each has its number of nodes.
 */
void write_evidence(char *text);

#endif
