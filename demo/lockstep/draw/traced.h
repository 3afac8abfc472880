/*
 * The messages of draw --trace FILE: those that passed, of any program.
 */
#ifndef LOCKSTEP_DRAW_TRACED_H
#define LOCKSTEP_DRAW_TRACED_H

#include "job/plan_file.h"

struct traced {
	struct plan_file own; /* that traced_open has opened */
	struct ls_record *record;
	size_t records;
	int *core;   /* [rank]; NULL: not known */
	char *title; /* "allreduce on ring:8"; NULL: the trace names no operation */
};

/*
 * Read the file, "-": standard input, and make its topology, unless the query names one; exit code.
 * traced_close in every case; the caller destroys *topology.
 */
int traced_open(struct query *, const char *path, ls_topology **topology, struct traced *out);
/* The messages of the file of --plan, which is open, and no plan. */
int traced_take_plan(const struct query *, const ls_topology *, struct traced *out);
void traced_close(struct traced *);

#endif
