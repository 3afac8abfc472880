/*
 * One collective call on a machine of threads, checked in full: results against the sequential
 * ones, the trace and the counts against the plan, the same bits in lockstep and in free rounds.
 */
#ifndef LOCKSTEP_TEST_JOB_H
#define LOCKSTEP_TEST_JOB_H

#include <lockstep/collective.h>

#include "support/operand.h"

struct job {
	const ls_topology *topology;
	enum ls_operation operation;
	const char *algorithm;        /* NULL: the default */
	const struct element *element;
	size_t count;
	int64_t root, shift;
	enum ls_mode mode;
	int ports, mailbox;
	bool in_place;
	int runs;                     /* in each round mode; every one must give the same bits */
};

struct job_name { char text[256]; };
struct job_name job_name(const struct job *);

/* The request of the job's plan. */
struct ls_request job_request(const struct job *);

/*
 * Run it in both round modes and check everything; false: no algorithm serves it (and the call
 * says so).
 */
bool job_check(const struct job *);

#endif
