/*
 * A job: the topology, request and plan of a query.
 */
#ifndef LOCKSTEP_JOB_JOB_H
#define LOCKSTEP_JOB_JOB_H

#include "base/execution.h"
#include "base/messages.h"
#include "base/names.h"
#include "base/object_text.h"
#include "base/query.h"

struct job {
	ls_topology *topology;
	ls_topology *guest;        /* of the plan, if it is embedded in the topology */
	ls_embedding *embedding;   /* both NULL: the plan is for the topology */
	enum ls_mode mode;         /* of messages */
	struct ls_request request; /* algorithm: of the plan; type: of the elements, pairs for minloc */
	struct ls_algorithm_info info;
	ls_plan *plan;
	int64_t trace_words; /* that the rows of a trace state; -1: no trace, or not stated */
	bool borrows;        /* the caller destroys the topology */
	char name[200];      /* of the algorithm, with its guest: "hypercube:3/doubling" */
};

int topology_open(const struct query *, ls_topology **out);

/* The mode of the query; by default hop, or routed on networks with switches. */
enum ls_mode mode_on(const struct query *, const ls_topology *);

/* The mode as the first line of a trace states it; NULL: the default, which is omitted. */
const char *mode_in_trace(enum ls_mode, const ls_topology *);

/*
 * The words of a plan, of which `counted` were counted.  A trace may state fewer: an inferred
 * message carries whole contributions, but one of the trace may have carried a part.
 */
int64_t job_words(const struct job *, int64_t counted);

/* The request for an operation on a topology; no plan is made. */
int request_for(
	const struct query *, enum ls_operation, const ls_topology *, struct ls_request *out);

/* job_plan is for a job that has its topology already.  A failure closes the job. */
int job_open(const struct query *, struct job *out);
int job_plan(const struct query *, struct job *);
void job_close(struct job *);

/* A lower bound on the rounds of every plan for the request of the job; -1: none is known. */
int64_t job_lower_bound(const struct job *);

/*
 * "substar (Oh, Choi, Primeaux 2005), rank-ordered"; of the source as much as fits `width`
 * columns; 0: all.
 */
void job_title(const struct job *, int width, char *text, size_t size);

/* Prints the candidates with their costs, and why this algorithm was chosen. */
void print_algorithm_choice(const struct query *, const struct job *, FILE *);

/* Prints why this engine was chosen; why: the reason that the library gives. */
void print_engine_choice(const struct execution *, const char *engine, const char *why, FILE *);

#endif
