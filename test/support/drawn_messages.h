/*
 * The messages that a picture should show, and those that it shows.
 */
#ifndef LOCKSTEP_TEST_DRAWN_MESSAGES_H
#define LOCKSTEP_TEST_DRAWN_MESSAGES_H

#include "support/svg_tags.h"

enum { MESSAGES = 1 << 16 };

struct message_list {
	size_t n;
	struct ls_record row[MESSAGES];
};
/* Add a message; for ls_trace_plan, whose context is a list. */
int add_message(void *list, const struct ls_record *);

/* What a test expects, by round, src, dst; and what it has seen. */
extern struct message_list expected, seen;

/* Expect the messages of a plan for one element. */
void expect_plan(const ls_plan *);
void see_message(int64_t round, int64_t src, int64_t dst);
/* All of the expected messages were seen once, and no other one; forget what was seen. */
void check_seen(const char *picture);

/* The messages of a picture, sorted, are those of the sorted list; perhaps without the words. */
void compare_messages(const char *picture, const struct message_list *, const struct ls_record *got,
	size_t n, bool with_words);

#endif
