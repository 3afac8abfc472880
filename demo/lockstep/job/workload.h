/*
 * An operation of all nodes on its data: the job, operands, results, and what these must be.
 */
#ifndef LOCKSTEP_JOB_WORKLOAD_H
#define LOCKSTEP_JOB_WORKLOAD_H

#include "base/output.h"
#include "job/job.h"
#include "run/outcome.h"
#include "data/stream.h"

struct workload {
	struct query *query; /* a file of operands or a plan completes it */
	const struct execution *how;
	const struct output *output;
	const struct workload *like; /* whose data it uses, where it has as many nodes; or NULL */
	bool in_place;               /* broadcast: one buffer a node, as ls_broadcast has it */
	struct job job;
	bool borrows; /* the data are those of `like` */
	struct matrix operands, results;
	struct reference reference;
	struct stream *stream; /* engine sweep: in place of matrices, but those of files */
	char placed[300];      /* the embedding in words */
};

/* Opens plan and operands of the query, which are set, as are how and output. */
int work_open(struct workload *);
void work_close(struct workload *);

/* By the engine, refuse so many nodes, whatever is done on them; a job with its data. */
int work_holds(
	const struct query *, const struct execution *, const struct output *, ls_topology *);
int work_fits(
	const struct query *, const struct execution *, const struct output *, const struct job *);

/* Clear the results. */
void work_reset(struct workload *);

/* What `run` and `bench` know before anything is measured. */
void work_describe(struct workload *, struct outcome *);

/* The engine that executes its calls on a machine, and why; exit code where another was asked. */
int work_engine(const struct workload *, const ls_machine *, const char **name, const char **why);

/* In a node: the handle of those that take part, NULL: this one does not; the call of a rank. */
int work_enter(ls_node *me, const struct workload *, ls_node **group);
struct ls_call work_call(const struct workload *, int64_t rank);
/* Bring the nodes together: the end of a round of lockstep does. */
int work_align(ls_node *, const struct workload *);

/*
 * Compare the results with what they must be (sweep: what was taken); the first wrong element is
 * told.
 */
void work_verify(const struct workload *, struct outcome *);

#endif
