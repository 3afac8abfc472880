/*
 * Inside the second checker: nodes hold sequences of contributions.
 */
#ifndef LOCKSTEP_TEST_SECOND_CHECKER_H
#define LOCKSTEP_TEST_SECOND_CHECKER_H

#include "support/second_plan.h"

enum { TERMS = 64, CELLS = 6 * PLAN_BLOCKS };

/* A contribution is block b of the operand of node u: u * PLAN_BLOCKS + b. */
struct value {
	bool is_defined, is_over; /* over: more terms than there is room for */
	int length;               /* the class of its length */
	int terms;
	uint16_t term[TERMS]; /* in the order of the expression; for idempotent plans sorted, once */
	uint64_t expression;  /* a hash */
};

struct message {
	int blocks, length[PLAN_BLOCKS]; /* the class of each block's length */
	struct value *value;
};

struct checker {
	const struct second_plan *plan;
	const struct ls_operation_info *info;
	const ls_topology *network;
	int64_t blocks;      /* of a vector, or those that scratch counts */
	enum ls_claim claim; /* in force */
	char *why;
	struct value *cell[PLAN_NODES]; /* CELLS of each node */
	struct message arrived[PLAN_NODES][PLAN_PORTS];
	bool *received[PLAN_NODES]; /* contributions, for nodup */
	bool is_large;
};

/* False; the first reason stays. */
bool second_broken(struct checker *, int law, int node, int step, const char *what);

bool second_has_buffer(const struct checker *, int node, int buffer);
int64_t second_blocks_of(const struct checker *, int node, int buffer);
/* Where a block is stored at a node. */
int second_cell_of(const struct checker *, int node, int buffer, int64_t block);
/* The operand of a node. */
struct value second_contribution(const struct checker *, int node, int64_t block);

/* The laws of one step, which is then executed. */
bool second_check_step(struct checker *, int step);

#endif
