/*
 * Fixed first rounds: on a Cayley graph, all nodes use the same link, a generator.
 *
 *   star:5, links 2 3 4    round 1: every node sends over link 2, and over no other
 *                          round 2: over link 3; round 3: over link 4; then any links
 *
 * The formula gets shorter by what is known after these rounds.  Its refutation says nothing about
 * schedules with other first rounds, so it is no bound.
 */
#ifndef LSI_FIND_FIRST_ROUNDS_H
#define LSI_FIND_FIRST_ROUNDS_H

#include "schedule/link_schedule.h"

struct lsi_first_rounds {
	int count;
	bool backward;             /* the plan runs backwards: they are the last of the schedule */
	int link[LSI_FIND_ROUNDS]; /* of the schedule: the index of the link at its sender */
};

/*
 * The links of a plan's first rounds, by the numbers that ls_link_label gives.  LS_OK;
 * LS_ERR_ARGUMENT: a number is no link; LS_ERR_UNSUPPORTED: the network is no Cayley graph.
 */
int lsi_first_rounds_init(struct lsi_first_rounds *, const ls_topology *, const int64_t *label,
	int64_t count, const struct lsi_goal *, struct ls_error *why_or_null);

/* The only link that nodes use in round t = 1 .. rounds of a schedule; -1: any. */
static inline int lsi_first_rounds_link(const struct lsi_first_rounds *f, int t, int rounds)
{
	const int at = f->backward ? rounds - t : t - 1;

	return at < f->count ? f->link[at] : -1;
}

/* Whether a schedule has them. */
bool lsi_first_rounds_hold(const struct lsi_first_rounds *, const struct lsi_link_schedule *);

#endif
