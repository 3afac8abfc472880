/*
 * The counts that a checked plan must have: --expect 'rounds<=3,messages=7'.
 */
#ifndef LOCKSTEP_CHECK_EXPECT_H
#define LOCKSTEP_CHECK_EXPECT_H

#include <stdint.h>

/* The counts that an expectation may name. */
enum expected_count { EXPECT_ROUNDS, EXPECT_MESSAGES, EXPECT_WORDS, EXPECT_LOAD, EXPECT_COUNTS };

/* Whether a list is well-formed; exit code, after a message that names the wrong part. */
int expect_check_syntax(const char *list);

/* Compare the counts with a well-formed list; reports the first unmet one.  Exit code. */
int expect_compare(const char *list, const int64_t count[EXPECT_COUNTS]);

#endif
