/*
 * A second reader and a second checker of plan files, written from docs/plans.md and the laws of
 * docs/architecture.md.  They share no code with the library but the neighbors of the network.
 *
 * They are made to be plain, not fast: they take small plans, and replay the sequence of
 * contributions in each block.
 */
#ifndef LOCKSTEP_TEST_SECOND_PLAN_H
#define LOCKSTEP_TEST_SECOND_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lockstep/plan.h>

enum {
	PLAN_NODES = 16,
	PLAN_BLOCKS = 256, /* of a buffer, or of a slice */
	PLAN_STEPS = 300,
	PLAN_PORTS = 4,
	PLAN_MOVES = 4
};

/* INPUT OUTPUT ARRIVAL ARRIVAL1 ARRIVAL2 ARRIVAL3 S T U V */
enum plan_buffer { IN, OUT, ARRIVED, SCRATCH = ARRIVED + PLAN_PORTS, PLAN_BUFFERS = SCRATCH + 4 };

struct plan_slice {
	int buffer, blocks; /* blocks -1: all of the buffer */
	int16_t block[PLAN_BLOCKS];
};
struct plan_send {
	bool is_there;
	int64_t to;
	struct plan_slice slice;
};
struct plan_receive {
	bool is_there;
	int64_t blocks, from;
};
struct plan_move {
	enum { COPIES, COMBINES, FOLDS } kind;
	struct plan_slice result, left, right;
};
/* What a node does in a step. */
struct plan_part {
	bool is_there;
	struct plan_send send[PLAN_PORTS];
	struct plan_receive receive[PLAN_PORTS];
	int moves;
	struct plan_move move[PLAN_MOVES];
};

struct second_plan {
	int operation, nodes, steps;
	int64_t ports, root, shift, blocks, slots[4], each[4]; /* blocks, slots, each 0: not stated */
	int claim;                                             /* enum ls_claim; -1: not stated */
	bool is_routed, is_identical, is_nodup, is_in_place;
	bool is_local[PLAN_STEPS];
	struct plan_part *part[PLAN_STEPS]; /* of each node */
};

enum second_verdict { ACCEPTED, REFUSED, TOO_LARGE };

/* The plan is valid until the next one is read.  `why` has room for 200 bytes. */
enum second_verdict second_plan_read(const char *text, struct second_plan *, char *why);
/* The parts of a step, without any action yet, in memory that is kept for the next plan. */
struct plan_part *second_plan_parts(int step, int nodes);

/* Is the text a plan that obeys the laws on this network? */
enum second_verdict second_check(const char *text, const ls_topology *, char *why);

#endif
