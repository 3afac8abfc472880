/*
 * How a plan is executed: engine, threads, repetitions, limits.
 */
#ifndef LOCKSTEP_BASE_EXECUTION_H
#define LOCKSTEP_BASE_EXECUTION_H

#include <lockstep.h>

#include <stdbool.h>

/* The values of a list such as mailboxes,cooperative, in its order. */
enum { LIST_MOST = 8 };
struct list {
	int count, at[LIST_MOST];
};

struct execution {
	enum ls_engine engine;
	enum ls_rounds rounds;
	enum ls_node_kind nodes;
	struct list engines, every_rounds, node_kinds; /* bench compares all of them */
	enum ls_bind bind;
	int mailbox, workers; /* 0: not given */
	size_t iterations, warmup, samples;
	double timeout; /* seconds; 0: none */
	bool strict;
	bool times;          /* the trace has the times of messages */
	const char *expect;  /* check: counts that the plan must have; NULL: any */
	const char *compare; /* bench: file of earlier times; NULL: none */
	struct {
		bool engine, iterations, warmup;
	} given; /* on the command line; otherwise the default holds */
};

#endif
