/*
 * One collective call on a machine of threads, checked in full: results against the sequential
 * ones, the trace and the counts against the plan, the same bits in lockstep and in free rounds, by
 * either engine.
 */
#ifndef LOCKSTEP_TEST_JOB_H
#define LOCKSTEP_TEST_JOB_H

#include <lockstep/collective.h>

#include "support/operand.h"

/* Round modes and engines. */
enum {
	LOCKSTEP_THREADS = 1,
	FREE_COOPERATIVE = 2,
	LOCKSTEP_COOPERATIVE = 4,
	FREE_THREADS = 8,
	LOCKSTEP_AUTO = 16,
	FREE_AUTO = 32,
	ALL_WAYS = 63
};

struct job {
	const ls_topology *topology;
	enum ls_operation operation;
	const char *algorithm; /* NULL: the default */
	const struct element *element;
	size_t count;
	int64_t root, shift;
	enum ls_mode mode;
	int ports, mailbox;
	bool in_place;
	int ways; /* of the above; every run of each must give the same bits */
	int runs; /* in each way */
};

struct job_name {
	char text[256];
};
struct job_name job_name(const struct job *);

/* The request of the job's plan. */
struct ls_request job_request(const struct job *);

/*
 * Run it in these ways and check everything; false: no algorithm serves it (and the call says so).
 */
bool job_check(const struct job *);

#endif
