/*
 * What a checked plan must have: --expect 'rounds<=3,messages=7,ordered'.
 */
#ifndef LOCKSTEP_CHECK_EXPECT_H
#define LOCKSTEP_CHECK_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The counts that an expectation may name. */
enum expected_count { EXPECT_ROUNDS, EXPECT_MESSAGES, EXPECT_WORDS, EXPECT_LOAD, EXPECT_COUNTS };

/* The properties that an expectation may name. */
enum expected_property { EXPECT_ORDERED, EXPECT_IDENTICAL, EXPECT_PROPERTIES };

/* A checked plan: its counts, and for each property NULL, or why it does not hold. */
struct expect_found {
	int64_t count[EXPECT_COUNTS];
	const char *lacks[EXPECT_PROPERTIES];
};

/* Whether a list is well-formed; exit code, after a message that names the wrong part. */
int expect_check_syntax(const char *list);

/* Whether a well-formed list names a property. */
bool expect_names(const char *list, enum expected_property);

/* Compare a plan with a well-formed list; one message reports all unmet parts.  Exit code. */
int expect_compare(const char *list, const struct expect_found *);

#endif
