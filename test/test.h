/*
 * Every test includes this file: CHECK counts, reports a failure and goes on; the last line of
 * main is `return test_result();`.  Usable from any thread.  A test without a CHECK fails.  The
 * counters are weak, so that the files of a test share them.
 */
#ifndef LOCKSTEP_TEST_H
#define LOCKSTEP_TEST_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_FAILURES_MAX = 20 }; /* more tell nothing new */

__attribute__((weak)) atomic_llong test_checks, test_failures;

/* CHECK(condition, format, ...): the text says what was checked, with the values at hand. */
#define CHECK(condition, ...) \
	do { \
		atomic_fetch_add_explicit(&test_checks, 1, memory_order_relaxed); \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not (%s): ", __FILE__, __LINE__, #condition); \
			fprintf(stderr, __VA_ARGS__); \
			fputc('\n', stderr); \
			if (atomic_fetch_add(&test_failures, 1) + 1 >= TEST_FAILURES_MAX) \
				exit(1); \
		} \
	} while (0)

static inline int test_result(void)
{
	const long long checks = atomic_load(&test_checks), failures = atomic_load(&test_failures);

	printf("%lld checks, %lld failures\n", checks, failures);
	return checks > 0 && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
