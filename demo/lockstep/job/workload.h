/*
 * An operation of all nodes on data: the job, operands, results and expected results.
 */
#ifndef LOCKSTEP_JOB_WORKLOAD_H
#define LOCKSTEP_JOB_WORKLOAD_H

#include "base/output.h"
#include "base/shared_run.h"
#include "data/stream.h"
#include "job/job.h"
#include "run/outcome.h"

struct workload {
	struct query *query; /* a file of operands or a plan completes it */
	const struct execution *how;
	const struct output *output;
	const struct workload *like; /* shares its data if it has as many nodes; or NULL */
	bool same_plan;              /* as `like`, which shares its replay, too */
	bool broadcasts_in_place;    /* calls without a plan, as ls_broadcast */
	struct job job;
	bool borrows;             /* the data are those of `like` */
	bool in_place;            /* as in collective.h; only nodes with both buffers are */
	struct local_ranks local; /* of operand_network */
	/* Not NULL: local has all ranks, whose nodes are in several processes: as first_ranks. */
	int64_t *first_rank;
	struct matrix operands; /* their values of all nodes, which no call changes */
	struct matrix buffers;  /* of local results; in place also of the operands */
	struct matrix input;    /* in place: a view of buffers, for calls with a result */
	struct matrix results;  /* a view of buffers */
	struct reference reference;
	bool any_order; /* sums do not round in any order: `replayed` are the expected results */
	struct matrix
		replayed; /* results in the order of the plan; without memory: not needed, or large */
	struct stream *stream; /* engine sweep: replaces matrices, except those of files */
	char placed[300];      /* the embedding in words */
};

/* Opens the plan and the operands.  The caller has set query, how, output and job.topology. */
int workload_open(struct workload *);
void workload_close(struct workload *);

/*
 * Report too many nodes for the engine, or too much data of a job; exit code.  *left: the bytes
 * that remain.
 */
int workload_check_nodes(
	const struct query *, const struct execution *, const struct output *, ls_topology *);
int workload_check_memory(const struct query *, const struct execution *, const struct output *,
	const struct job *, size_t *left);

/* Clear the results; in place, store the operands. */
void workload_reset_buffers(struct workload *);
/* In place: store the operand of a local node with a result in its buffer. */
void workload_store_operand(const struct workload *, int64_t rank);

/* Fills the fields that are known before the run. */
void workload_describe(struct workload *, struct outcome *);

/*
 * The engine that executes the calls on a machine, and why.  EXIT_UNAVAILABLE if the requested
 * engine cannot.
 */
int workload_engine(
	const struct workload *, const ls_machine *, const char **name, const char **why);

/* With first_rank: the process that has the node of a rank. */
int workload_process_of(const struct workload *, int64_t rank);
/* Whether this process has the node of a rank of `local`. */
bool workload_has_node(const struct workload *, int64_t rank);

/* In a node: the handle of the group of the calls, NULL if the node is not in it. */
int workload_enter(ls_node *me, const struct workload *, ls_node **group);
/* The call of a local rank. */
struct ls_call workload_call(const struct workload *, int64_t rank);
/* Aligns the nodes before a measurement. */
int workload_align(ls_node *, const struct workload *);

#endif
