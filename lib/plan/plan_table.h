/*
 * A plan that is a table of the actions of each node in each step: read from a text, or inferred
 * from a schedule.
 *
 * Rows are sorted by step, then node; actions lie in the order of the text.  A slice is a run or a
 * list of numbers.  The table holds the plan's algorithm, whose functions look the steps up in it.
 */
#ifndef LSI_PLAN_PLAN_TABLE_H
#define LSI_PLAN_PLAN_TABLE_H

#include "plan/plan_internal.h"

/* The blocks first .. first+run-1; if listed, the blocks number[first .. first+run-1]. */
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

/* The actions of a node in a step: action[first .. first+actions-1]. */
struct lsi_table_row {
	int64_t node;
	size_t first, actions;
	int64_t line; /* of the text, for messages */
};

struct lsi_table {
	struct lsi_algorithm algorithm;
	char name[64];
	/* Rows of step s: row[step[s].row .. step[s + 1].row - 1]; the last step is only an end. */
	struct lsi_table_step {
		size_t row;
		bool local;
	} * step;
	struct lsi_table_row *row;
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
