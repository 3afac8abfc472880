/*
 * The observer of a replay, and the state between its calls.
 *
 * lsi_observe calls the observer before the first step and after each; queries read the checker's
 * values.
 */
#ifndef LSI_CHECK_OBSERVER_H
#define LSI_CHECK_OBSERVER_H

#include <lockstep/replay.h>

#include "check/needs.h"

struct lsi_checker;

/*
 * Values of the combinations made so far, in the order of their numbers.  The operands of a
 * combination have lower numbers, so no recursion is needed.
 */
struct lsi_evaluated {
	unsigned char *value; /* two for operands that are contributions, then those of combinations */
	size_t count, room;   /* of combinations */
};

struct ls_replay {
	const struct lsi_checker *checker;
	struct ls_observer observer; /* observe is NULL: there is none */
	int64_t steps;
	struct lsi_evaluated *evaluated; /* queries fill it although the replay is const */
	struct lsi_needs needs;          /* if the observer asks for them */
};

/* False: the observer lacks a function.  The caller frees evaluated->value. */
bool lsi_replay_init(struct ls_replay *, const struct lsi_checker *,
	const struct ls_observer *or_null, struct lsi_evaluated *evaluated);

/*
 * Call the observer before the first step, and after a step; 0, or its value, or LS_ERR_MEMORY.
 * The needs are released by lsi_needs_fini.
 */
int lsi_observe_start(struct ls_replay *, struct lsi_checker *);
int lsi_observe_step(struct ls_replay *, int64_t step);

#endif
