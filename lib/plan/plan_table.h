/*
 * A plan that is a table: what each node does in each step, as it was read.
 *
 * Actions are sorted by step and node; a slice is a run or a list of numbers.
 * The plan's algorithm is one of its own, whose functions look into the table.
 */
#ifndef LSI_PLAN_PLAN_TABLE_H
#define LSI_PLAN_PLAN_TABLE_H

#include "plan/plan_internal.h"

/* Blocks first .. first+run-1, or, where listed, the run numbers from there on
 * in the table's. */
struct lsi_table_blocks {
	int64_t first, run;
	bool listed;
	uint8_t buffer;
};

enum { LSI_ACT_SEND, LSI_ACT_RECEIVE, LSI_ACT_COPY, LSI_ACT_COMBINE, LSI_ACT_FOLD };
struct lsi_table_action {
	uint8_t kind, port;
	int64_t peer, arrives;
	struct lsi_table_blocks dst, a, b; /* SEND: a */
};

/* The actions of a node in a step are those up to the next row's. */
struct lsi_table_row {
	int64_t node;
	size_t first;
};

struct lsi_table {
	struct lsi_algorithm algorithm;
	char name[64];
	struct lsi_table_step {
		size_t row;
		bool local;
	} * step;                  /* one more than there are */
	struct lsi_table_row *row; /* one more */
	struct lsi_table_action *action;
	int64_t *number;
	size_t steps, rows, actions, numbers;
	size_t step_room, row_room, action_room, number_room;
};

/* A plan of an empty table; NULL: no memory. */
struct ls_plan *lsi_table_plan(const struct ls_topology *);

/* Room for one more element of an array; false: no memory. */
bool lsi_table_grow(void *array, size_t count, size_t *room, size_t bytes);

#endif
