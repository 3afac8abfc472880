/*
 * Shared by tests that run threads: the name of the current trial for messages and hangs, helpers
 * for machines and memory, and how thorough the run is.
 */
#ifndef LOCKSTEP_TEST_GUARD_H
#define LOCKSTEP_TEST_GUARD_H

#include <pthread.h>

#include <lockstep/collective.h>
#include <lockstep/machine.h>

#include "support/random_numbers.h"

/* Ends the test with this text unless called again within 20 minutes. */
void guard(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The text of the last guard. */
const char *guarded(void);

/* A plan; the test ends when there is none. */
ls_plan *plan_for(const struct ls_request *);
/* What nodes are in this run of the test: LS_NODES, which scripts/run-test sets. */
enum ls_node_kind node_kind(void);
/*
 * May a node call pthread_exit?  Not a light node under ThreadSanitizer, which aborts if a fiber
 * does.
 */
bool may_exit_thread(enum ls_node_kind);
/* A machine of such nodes; the test ends when there is none. */
ls_machine *machine_on(const ls_topology *, const struct ls_machine_options *);
/* The node of a machine whose program called this function, perhaps through an operator. */
ls_node *node_here(void);
/* A run that must succeed. */
void must_run(ls_machine *, int (*program)(ls_node *, void *), void *arg);

/* Some messages of the last run took another route than that of the topology, but not all. */
void check_reroutes(const ls_machine *);

/* A thread, or the end of the test. */
pthread_t start_thread(void *(*body)(void *), void *arg);
/* The calling thread as a node of the machine; the test ends if it cannot attach. */
ls_node *attached_to(ls_machine *, int64_t rank, unsigned flags);
/* For ls_machine_options.trace: does nothing. */
void ignore_record(void *context, const struct ls_record *);

/* All-reduces rank + 1; the sum is checked unless the call fails.  Returns the call's status. */
int add_ranks(ls_node *);
int add_ranks_program(ls_node *, void *unused);

/* Memory or the end of the test; zeroed. */
void *memory(size_t count, size_t bytes);

/* Threads of a process whose program has one: ThreadSanitizer adds its own. */
#ifdef LSI_TSAN
enum { ONE_THREAD = 2 };
#else
enum { ONE_THREAD = 1 };
#endif

/* Threads of this process. */
int threads_alive(void);
/* Are there soon only n of them?  A thread that was joined may be seen for a moment. */
bool threads_end(int n);
double seconds(void); /* monotonic */
void nap(double ms);

bool is_thin(void); /* under a sanitizer, and with LS_THIN=1: a large grid, but less of it */
bool is_fast(void); /* LS_FAST=1: a small grid that still takes each algorithm and network */
/* A fast run, with fibers: fewer cells, because the run with threads takes the others. */
bool is_fast_repeat(void);
bool is_long(void); /* LS_LONG=1: the full grid */
/* LS_LONG_SLICE=k/n: is number i one of the k-th n-th?  Without it, all are. */
bool in_slice(int64_t i);

#endif
