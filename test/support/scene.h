/*
 * All-reduces that nodes execute together, of which one goes wrong: what the tests of who is late
 * and of what operators do have in common.
 *
 * Buffers are poisoned as soon as a call has returned, and come from the heap: of a thread that
 * ends in its call they are freed after the run, as nobody else can know when it is done.
 */
#ifndef LOCKSTEP_TEST_SCENE_H
#define LOCKSTEP_TEST_SCENE_H

#include <lockstep/collective.h>

#include <stdatomic.h>

enum { CALLS = 3, SHORT = 6, WORDS = 6000, NODES = 40 };
enum { LEAVE = 1, FAIL = 7 }; /* what `act` may return beside a status */

struct scene {
	const ls_topology *topology;
	ls_machine *machine;
	ls_op op;
	enum ls_rounds rounds;
	bool limited; /* a run has a time limit */
	size_t words;
	int64_t p;

	/* What node `node` does in place of call `call`; -1: none does. */
	int (*act)(ls_node *, struct scene *);
	int64_t node, call;
	/* What the operator does in its use number `use`; -1: nothing else. */
	void (*spring)(struct scene *);
	int64_t use;

	int64_t gone; /* its thread ended in an operator; or -1 */
	int status[NODES][CALLS];
	int64_t *buffer[NODES];
	atomic_int users, uses; /* of operands now, and so far */
	atomic_bool poisoned;   /* somebody read a buffer after its call */
};

extern _Thread_local ls_node *self;

void nap(int ms);
/* Returns some time after the machine has stopped, at its time limit. */
void outlast_limit(const struct scene *);
void scene_make(struct scene *, const char *spec, enum ls_rounds, size_t words);
void scene_destroy(struct scene *);
void scene_machine(struct scene *, bool limited, enum ls_engine);
/* One call, checked; and the program of all of them. */
int call_once(ls_node *, struct scene *, int64_t call);
int call_all(ls_node *, void *scene);
/* A run in which nothing goes wrong. */
void run_again(struct scene *);

#endif
