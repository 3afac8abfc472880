/*
 * Reading a plan as text: the line at hand, whose words are cut off its front.
 *
 * What reads returns LS_OK, LS_ERR_SPEC with a line that says what would be
 * right, or LS_ERR_MEMORY.
 */
#ifndef LS_PLAN_READER_H
#define LS_PLAN_READER_H

#include "base/error.h"
#include "plan/table.h"

enum { LS_NUMBER_MOST = 1 << 20 }; /* of blocks, slots and nodes */

struct ls_reader {
	const char *at, *end; /* the rest of the line: words are cut off its front */
	int64_t line;
	struct ls_plan *plan;
	struct ls_table *t;
	struct ls_error *why;
	bool named, sized; /* operation and nodes are known */
	bool claimed;
};

int ls_reader_fail(struct ls_reader *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int ls_reader_no_memory(struct ls_reader *);

/* Whether the line goes on with a text, which is then taken; whether it is at
 * its end. */
bool ls_reader_take(struct ls_reader *, const char *text);
bool ls_reader_at_end(struct ls_reader *);
/* What is left of it, to be quoted. */
struct ls_quote ls_reader_rest(struct ls_reader *);
int ls_reader_number(struct ls_reader *, int64_t least, int64_t most, int64_t *out);
int ls_reader_node(struct ls_reader *, int64_t *out);

/* "NODE: what it does; ..." */
int ls_read_row(struct ls_reader *);
/* "round", "local" */
int ls_read_step(struct ls_reader *, bool local);

#endif
