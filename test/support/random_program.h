/*
 * Random node programs: sends, receives, ends of rounds, early ends; and a simulator that forecasts
 * their outcome without any code of the library.
 *
 * Each node has a list of actions.  Sends and receives of a valid program match; then a few actions
 * are removed, or the actions of a round are shuffled.  Node programs are deterministic: whatever
 * the order in which nodes run, they get equally far.  So the simulator runs one node after the
 * other until no one gets any further.
 */
#ifndef LOCKSTEP_TEST_RANDOM_PROGRAM_H
#define LOCKSTEP_TEST_RANDOM_PROGRAM_H

#include <stdatomic.h>

#include <lockstep/machine.h>

enum { PROGRAM_NODES = 9, PROGRAM_ACTIONS = 80, PROGRAM_WORDS = 300 };

enum action_kind { SENDS, RECEIVES, ENDS_ROUND, LEAVES };
struct action {
	enum action_kind kind;
	int peer;
	bool is_long; /* a message that the receiver reads in the memory of the sender */
};

struct random_program {
	int p, mailbox; /* nodes, slots of a mailbox */
	enum ls_rounds rounds;
	int actions[PROGRAM_NODES];
	struct action action[PROGRAM_NODES][PROGRAM_ACTIONS];
};
void random_program_make(
	struct random_program *, enum ls_rounds, int p, int mailbox, uint64_t *seed);

enum outcome { ALL_END, ALL_WAIT, RULE_BROKEN };
struct forecast {
	enum outcome outcome;
	bool is_race;                /* a send finds that its receiver has left, or comes before that */
	int received[PROGRAM_NODES]; /* messages, unless a rule is broken or there is a race */
};
void random_program_forecast(const struct random_program *, struct forecast *);

/* One run on a machine for `complete:P` with P ports.  arg of random_program_play. */
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
