/*
 * Two processes share the items of a test: each takes the next item that is not taken.
 */
#ifndef LOCKSTEP_TEST_WORKERS_H
#define LOCKSTEP_TEST_WORKERS_H

#include <stddef.h>

/* Memory, zeroed, that all processes see; or the end of the test. */
void *memory_of_all(size_t bytes);

/* Visits 0 .. items-1, each in one process or the other.  A CHECK that fails in one fails here. */
void share_work(int items, void (*visit)(int item, void *context), void *context);

#endif
