/*
 * Reading a plan as text: the line at hand, whose words are cut off its front.
 *
 * What reads returns LS_OK, LS_ERR_SPEC with a line that says what would be
 * right, or LS_ERR_MEMORY.
 */
#ifndef LSI_PLAN_READER_H
#define LSI_PLAN_READER_H

#include "base/error.h"
#include "plan/plan_table.h"

enum { LSI_NUMBER_MOST = 1 << 20 }; /* of blocks, slots and nodes */

struct lsi_reader {
	const char *at, *end; /* the rest of the line: words are cut off its front */
	int64_t line;
	struct ls_plan *plan;
	struct lsi_table *t;
	struct ls_error *why;
	bool named, sized; /* operation and nodes are known */
	bool claimed;
};

int lsi_reader_fail(struct lsi_reader *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int lsi_reader_no_memory(struct lsi_reader *);

/* Whether the line goes on with a text, which is then taken; whether it is at
 * its end. */
bool lsi_reader_take(struct lsi_reader *, const char *text);
bool lsi_reader_at_end(struct lsi_reader *);
/* What is left of it, to be quoted. */
struct lsi_quote lsi_reader_rest(struct lsi_reader *);
int lsi_reader_number(struct lsi_reader *, int64_t least, int64_t most, int64_t *out);
int lsi_reader_node(struct lsi_reader *, int64_t *out);

/* "NODE: what it does; ..." */
int lsi_read_row(struct lsi_reader *);
/* "round", "local" */
int lsi_read_step(struct lsi_reader *, bool local);

#endif
