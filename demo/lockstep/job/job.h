/*
 * A job: the topology, request and plan that a command line asks for.
 */
#ifndef LOCKSTEP_JOB_JOB_H
#define LOCKSTEP_JOB_JOB_H

#include "base/messages.h"
#include "base/names.h"
#include "base/query.h"
#include "base/execution.h"

struct job {
	ls_topology *topology;
	ls_topology *guest;        /* what the plan is made for, when that is placed on the topology */
	ls_embedding *embedding;   /* its places; both NULL: the plan is one for the topology */
	enum ls_mode mode;         /* of messages */
	struct ls_request request; /* algorithm: of the plan; type: of the elements, pairs for minloc */
	struct ls_algorithm_info info;
	ls_plan *plan;
	bool borrows;   /* the topology is another's */
	char name[200]; /* of the algorithm, with its guest: "hypercube:3/doubling" */
};

int topology_open(const struct query *, ls_topology **out);

/* The mode asked for; else hop, or routed where switches lie between the processors. */
enum ls_mode mode_on(const struct query *, const ls_topology *);

/* Whether a file holds a plan as text, by its ending. */
bool is_plan_file(const char *path);

/* The request for an operation on a topology; no plan is made. */
int request_for(
	const struct query *, enum ls_operation, const ls_topology *, struct ls_request *out);

/* job_plan: the rest of job_open, for a job that has its topology.  A job that fails is closed. */
int job_open(const struct query *, struct job *out);
int job_plan(const struct query *, struct job *);
void job_close(struct job *);

/* Elements are pairs {value, index}: a reduction by minloc or maxloc. */
bool takes_pairs(enum ls_operation, ls_op);

/*
 * "substar (Oh, Choi, Primeaux 2005), rank-ordered"; of the source as much as fits into `width`
 * columns, 0: all.
 */
void job_title(const struct job *, int width, char *text, size_t size);

/* The algorithms that could have been taken, their costs, and why this one. */
void job_choice(const struct query *, const struct job *, FILE *);

/* No engine but the sweep has workers; returns the exit code. */
int print_workers_error(enum ls_engine, const char *verb);

/* Why this engine; why: as the library says it. */
void engine_choice(const struct execution *, const char *engine, const char *why, FILE *);

const char *claim_text(enum ls_claim); /* "rank-ordered" */
const char *mode_text(enum ls_mode);
const char *rounds_text(enum ls_rounds);

/* "24 nodes, degree 3, diameter 4, 36 links" */
void topology_text(const ls_topology *, char *text, size_t size);

/* "0110(6)"; "6" where the label is the rank.  As snprintf. */
int node_text(const ls_topology *, int64_t rank, char *text, size_t size);

#endif
