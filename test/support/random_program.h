/*
 * Random node programs: sends, receives, ends of rounds, early ends; and a simulator that forecasts
 * their outcome without any code of the library.
 *
 * Each node has a list of actions.  Sends and receives of a valid program match; then a few actions
 * are removed or added, or those of a round are shuffled.  Node programs are deterministic:
 * whatever the order in which nodes run, they get equally far.  So the simulator runs one node
 * after the other until no one gets any further.
 */
#ifndef LOCKSTEP_TEST_RANDOM_PROGRAM_H
#define LOCKSTEP_TEST_RANDOM_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>

#include <lockstep/machine.h>

enum { PROGRAM_NODES = 9, PROGRAM_ACTIONS = 80, PROGRAM_WORDS = 300 };

enum action_kind { SENDS, RECEIVES, ENDS_ROUND, LEAVES };
struct action {
	enum action_kind kind;
	int peer;
	bool is_long; /* a message that the receiver reads in the memory of the sender */
};

/* Nodes, slots of a mailbox, and how the nodes may communicate. */
struct program_shape {
	enum ls_rounds rounds;
	int p, mailbox, ports;
	int groups;     /* node u is in group u % groups, and communicates by its handle */
	bool adds;      /* messages that no one expects, or that have no port or link */
	bool is_sparse; /* with the links below; else all nodes of a group are linked */
	bool link[PROGRAM_NODES][PROGRAM_NODES];
};

struct random_program {
	struct program_shape shape;
	int actions[PROGRAM_NODES];
	struct action action[PROGRAM_NODES][PROGRAM_ACTIONS];
};
void random_program_make(struct random_program *, const struct program_shape *, uint64_t *seed);

enum outcome { ALL_END, ALL_WAIT, RULE_BROKEN };
struct forecast {
	enum outcome outcome;
	bool is_race;                /* a send finds that its receiver has left, or comes before that */
	int received[PROGRAM_NODES]; /* messages, unless a rule is broken or there is a race */
};
void random_program_forecast(const struct random_program *, struct forecast *);

/* One run on a machine of the shape.  arg of random_program_play. */
struct random_run {
	const struct random_program *program;
	int received[PROGRAM_NODES];
	atomic_int wrong; /* words */
	uint64_t words[PROGRAM_NODES][PROGRAM_ACTIONS][PROGRAM_WORDS];
};
void random_run_begin(struct random_run *, const struct random_program *);
int random_program_play(ls_node *, void *random_run);
/* Has the run ended as forecast, and have the nodes first .. last-1 received what they should? */
void random_run_check(const struct random_run *, const struct forecast *, const struct ls_error *,
	int64_t first, int64_t last);
/* The program, for a message. */
void random_program_print(const struct random_program *);

#endif
