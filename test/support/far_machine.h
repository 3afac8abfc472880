/*
 * One process of many, more than a computer can start.  The others are imitated: a test computes
 * what they send.  Tests with it state  link: -Wl,--wrap=lsi_world_meet
 */
#ifndef LOCKSTEP_TEST_FAR_MACHINE_H
#define LOCKSTEP_TEST_FAR_MACHINE_H

#include <lockstep.h>

#include "world/transport.h"

/* What arrives from other processes, computed from what this process sends, or from the plan. */
struct far_machine {
	struct lsi_transport transport;
	int messages; /* that this process has sent */
	bool waits;   /* for what arrives, until the next message is sent */
	void (*send)(struct far_machine *, int to, const uint64_t *, size_t bytes);
	void (*receive)(struct far_machine *, int from, uint64_t *, size_t bytes);
	void *state;
};

/* The caller sets `send` and `receive`, and does not move the struct from then on. */
struct far_machine far_machine(int processes, int process, void *state);

/* The plan of an all-reduce of 64-bit numbers. */
ls_plan *far_plan(const ls_topology *, const char *algorithm);
/* The process reduces the ranks of all nodes; `output` has a row for each of its own. */
struct ls_sweep_result far_run(struct far_machine *, const ls_plan *, uint64_t *output);

/* The sum of n ranks, an even number or one, modulo 2^64. */
uint64_t sum_of_ranks(int64_t first, int64_t n);

#endif
