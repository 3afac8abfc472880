/*
 * Reading a plan as text, line by line, word by word.
 *
 * A function that reads consumes its words from the front of the line.  It returns LS_OK,
 * LS_ERR_SPEC with a message, or LS_ERR_MEMORY.  A message is "LINE: text"; a program puts the name
 * of the file before it, as compilers do: "FILE:LINE: text".
 */
#ifndef LSI_PLAN_READER_H
#define LSI_PLAN_READER_H

#include "base/error.h"
#include "plan/plan_table.h"

enum { LSI_NUMBER_MOST = 1 << 20 }; /* of blocks, slots and nodes */

struct lsi_reader {
	const char *at, *end; /* the rest of the line */
	int64_t line;
	int64_t claim_line; /* the line `claim`, checked at the end of the header; 0: none */
	struct ls_plan *plan;
	struct lsi_table *t;
	struct ls_error *why;
	unsigned seen; /* bit i: a line began with words[i] of read.c */
};

int lsi_reader_fail(struct lsi_reader *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Fail with "expected `what`, found `the next word`". */
int lsi_reader_fail_expected(struct lsi_reader *, const char *what);
int lsi_reader_no_memory(struct lsi_reader *);

/* Consume `text` where the line continues with it, as a whole word; else false. */
bool lsi_reader_take(struct lsi_reader *, const char *text);
bool lsi_reader_at_end(struct lsi_reader *);
/* The next word of the line, and the whole rest of it, for messages. */
struct lsi_quote lsi_reader_word(struct lsi_reader *);
struct lsi_quote lsi_reader_rest(struct lsi_reader *);
/* `noun` names the number in messages: "rank 9 is out of range; expected 0..3". */
int lsi_reader_number(
	struct lsi_reader *, const char *noun, int64_t least, int64_t most, int64_t *out);
int lsi_reader_node(struct lsi_reader *, int64_t *out);

/* "RANK: send ..; receive ..; MOVE"; afterward every buffer that it names exists. */
int lsi_read_row(struct lsi_reader *);
/* End the step before, whose rows are then sorted, and begin one. */
int lsi_read_step(struct lsi_reader *, bool local);

#endif
