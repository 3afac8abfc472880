/*
 * All-reduces that nodes execute together, one of which fails.  Shared by the tests of late nodes
 * and of misbehaving operators.
 *
 * A call's buffers come from the heap and are overwritten when it has returned.  If a thread ends
 * in its call, its buffers are freed after the run: other nodes may still read them before.
 */
#ifndef LOCKSTEP_TEST_FAULT_CASE_H
#define LOCKSTEP_TEST_FAULT_CASE_H

#include <lockstep/collective.h>

#include <stdatomic.h>

enum { CALLS = 3, SHORT = 6, WORDS = 6000, NODES = 40 };
enum { LEAVE = 1, FAIL = 7 }; /* what `act` may return in addition to a status */

struct fault_case {
	const ls_topology *topology;
	ls_machine *machine;
	ls_op op;
	enum ls_rounds rounds;
	bool limited; /* a run has a time limit */
	size_t words;
	int64_t p;

	/* What node `node` does in place of call `call`; -1: none does. */
	int (*act)(ls_node *, struct fault_case *);
	int64_t node, call;
	/* What the operator does in its use number `use`; -1: nothing else. */
	void (*spring)(struct fault_case *);
	int64_t use;

	int64_t gone; /* its thread ended in an operator; or -1 */
	int status[NODES][CALLS];
	int64_t *buffer[NODES];
	atomic_int users, uses; /* of operands now, and so far */
	atomic_bool poisoned;   /* a buffer was read after its call */
};

/* Returns some time after the machine has stopped, at its time limit. */
void outlast_limit(const struct fault_case *);
void fault_case_make(struct fault_case *, const char *spec, enum ls_rounds, size_t words);
void fault_case_destroy(struct fault_case *);
void fault_case_machine(struct fault_case *, bool limited, enum ls_engine);
/* Calls `test` for each network, round mode and length of operands. */
void fault_case_networks(void (*test)(const char *spec, enum ls_rounds, size_t words));
/* One call, checked; and the program of all of them. */
int call_once(ls_node *, struct fault_case *, int64_t call);
int call_all(ls_node *, void *fault_case);
/*
 * A run, and after its time limit its last nodes: on a busy computer ls_run may return before they
 * do.
 */
int run_to_end(struct fault_case *, int (*program)(ls_node *, void *));
/* A run in which nothing goes wrong. */
void run_again(struct fault_case *);

#endif
