/*
 * Plans for a guest network, embedded in the topology, its host: -a GUEST/ALGORITHM.
 *
 * Operands, results, root and shift use ranks of the guest; messages name nodes by their rank on
 * the host.  Without a guest both ranks are the same.
 */
#ifndef LOCKSTEP_JOB_EMBEDDED_H
#define LOCKSTEP_JOB_EMBEDDED_H

#include "data/trace_file.h"
#include "job/job.h"

/* Whether -a names a guest. */
bool has_guest(const struct query *);

/* Opens the guest of -a and its embedding by --map, if -a names one and it is not open yet. */
int guest_open(const struct query *, struct job *);

/* The network whose ranks number the operands: the guest, or else the topology. */
const ls_topology *operand_network(const struct job *);

/* The rank of the host that holds this rank of the operands. */
int64_t host_rank_of(const struct job *, int64_t rank);

/* The rank of the operands at a node of the host; LS_NO_RANK: it holds no rank of the guest. */
int64_t operand_rank_at(const struct job *, int64_t host_rank);

/* The step of a node of the host; its peers are host ranks. */
void host_step(const struct job *, int64_t host_rank, int64_t step, struct ls_step *out);

/* As ls_trace_step and ls_trace_plan, in host ranks. */
int host_trace_step(const struct job *, int64_t step,
	int (*row)(void *context, const struct ls_record *), void *context);
int host_trace(
	const struct job *, int (*row)(void *context, const struct ls_record *), void *context);

/* Most messages that cross a directed link in one round; -1: no memory to count. */
int64_t host_link_load(const struct job *);

/* "hypercube:3 by identity: dilation 4, congestion 4, expansion 1" */
void embedding_text(const struct query *, const struct job *, char *text, size_t size);

/* The map in force; "" without a guest. */
const char *map_name(const struct query *, const struct job *);

/* The first line of the job's trace; its texts are those of the query and the job. */
struct trace_title job_trace_title(const struct query *, const struct job *);

#endif
