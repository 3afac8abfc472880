/*
 * Reading a plan as text, line by line, word by word.
 *
 * A function that reads consumes its words from the front of the line.  It returns LS_OK,
 * LS_ERR_SPEC with a message that names the line and the remedy, or LS_ERR_MEMORY.
 */
#ifndef LSI_PLAN_READER_H
#define LSI_PLAN_READER_H

#include "base/error.h"
#include "plan/plan_table.h"

enum { LSI_NUMBER_MOST = 1 << 20 }; /* of blocks, slots and nodes */

struct lsi_reader {
	const char *at, *end; /* the rest of the line */
	int64_t line;
	struct ls_plan *plan;
	struct lsi_table *t;
	struct ls_error *why;
	bool has_operation, has_nodes, has_claim; /* lines of the head that were read */
};

int lsi_reader_fail(struct lsi_reader *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int lsi_reader_no_memory(struct lsi_reader *);

/* Consume `text` where the line continues with it, as a whole word; else false. */
bool lsi_reader_take(struct lsi_reader *, const char *text);
bool lsi_reader_at_end(struct lsi_reader *);
/* The rest of the line, for a message. */
struct lsi_quote lsi_reader_rest(struct lsi_reader *);
int lsi_reader_number(struct lsi_reader *, int64_t least, int64_t most, int64_t *out);
int lsi_reader_node(struct lsi_reader *, int64_t *out);

/* "NODE: send ..; receive ..; MOVE": every buffer that it names exists afterward. */
int lsi_read_row(struct lsi_reader *);
/* End the step before, whose rows are then sorted, and begin one. */
int lsi_read_step(struct lsi_reader *, bool local);

#endif
