/*
 * Plans made for a guest and placed on the nodes of the topology, its host: -a GUEST/ALGORITHM.
 *
 * Operands, results, root and shift are counted in ranks of the guest, nodes named by their rank on
 * the host.  Without a guest both are the same.
 */
#ifndef LOCKSTEP_JOB_EMBEDDED_H
#define LOCKSTEP_JOB_EMBEDDED_H

#include "job/job.h"

/* Whether -a says a guest. */
bool names_guest(const struct query *);

/* The guest that -a says and its embedding by --map; nothing where none is said or it is there. */
int place_open(const struct query *, struct job *);

/* The network whose ranks operands are counted in. */
const ls_topology *place_group(const struct job *);

/* Where a rank is, and who is there; LS_NO_RANK: no node of the guest. */
int64_t place_of(const struct job *, int64_t rank);
int64_t place_rank(const struct job *, int64_t place);

/* What the node there does in a step, its peers by their places. */
void place_step(const struct job *, int64_t place, int64_t step, struct ls_step *out);

/* As ls_trace_plan, by places. */
int place_trace(
	const struct job *, int (*row)(void *context, const struct ls_record *), void *context);

/* "hypercube:3 by identity: dilation 4, congestion 4, expansion 1" */
void place_text(const struct query *, const struct job *, char *text, size_t size);

/* The map in force; "" without a guest. */
const char *place_map(const struct query *, const struct job *);

#endif
