/*
 * The state of a search, and its attempts.
 */
#ifndef LSI_FIND_SEARCH_H
#define LSI_FIND_SEARCH_H

#include <lockstep/find.h>

#include "find/first_rounds.h"
#include "find/solver.h"
#include "find/symmetry.h"

struct lsi_search {
	struct ls_find_options options;
	struct ls_request request;
	struct lsi_arcs arcs;
	struct lsi_goal goal;
	struct lsi_symmetries symmetries;
	struct lsi_first_rounds first;
	struct ls_found found;
	ls_plan *plan;    /* the default plan, then the plan that was found */
	ls_plan *longer;  /* with more rounds than that; NULL: none was found */
	bool is_longer;   /* the plans that are searched now have more rounds */
	double left;      /* of the budget */
	char *refutation; /* text of the last checked refutation; NULL: none */
	size_t refutation_length;
	char *record; /* text of the last schedule; NULL: none */
	struct ls_error *why;
};

/* Every plan that is searched needs at least this many rounds. */
static inline int64_t lsi_find_least(const struct lsi_search *s)
{
	return s->first.count ? s->found.prefix_bound : s->found.bound;
}

/*
 * Try one number of rounds, and report the step.  A verified model becomes the plan, and a verified
 * refutation raises the bound, or that of the plans whose first rounds are fixed.
 */
int lsi_find_try(struct lsi_search *, int rounds);

/*
 * A checked refutation raises the bound, or that of the plans whose first rounds are fixed.  Its
 * text is kept if the caller wants it.
 */
int lsi_find_accept_refutation(struct lsi_search *, const struct lsi_clauses *, int rounds,
	const struct lsi_answer *, struct ls_find_step *);

/*
 * The plan of an all-reduce has the fewest rounds, but may send contributions apart: search for one
 * that merges sums, if the formula is small.  No solver is needed.
 */
int lsi_find_merge(struct lsi_search *);

/* Search for plans of more rounds and less volume, and give them away.  No solver is needed. */
int lsi_find_longer(struct lsi_search *);

/* Take what an earlier search found, if it is better than what is known now. */
int lsi_find_use_record(struct lsi_search *);

#endif
