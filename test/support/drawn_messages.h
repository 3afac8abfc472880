/*
 * The messages that a picture should show, and those that it shows.
 */
#ifndef LOCKSTEP_TEST_DRAWN_MESSAGES_H
#define LOCKSTEP_TEST_DRAWN_MESSAGES_H

#include "support/svg_tags.h"

enum { MESSAGES = 1 << 16 };

struct message_list {
	size_t n;
	struct ls_record row[MESSAGES]; /* by round, src, dst */
	bool drawn[MESSAGES];
};
extern struct message_list expected;

/* Expect the messages of a plan for one element. */
void expect_plan(const ls_plan *);
/* A message is drawn: it must be expected, for the first time. */
void mark_message(const char *text, int64_t round, int64_t src, int64_t dst);
/* All are drawn. */
void check_all_drawn(const char *text);

#endif
