/*
 * The algorithms that may serve a request.
 */
#ifndef LSI_COST_CANDIDATE_H
#define LSI_COST_CANDIDATE_H

#include <lockstep/cost.h>

#include "plan/plan_internal.h"

/* A valid request with its defaults filled in. */
struct lsi_selection {
	struct lsi_problem problem; /* of one segment */
	const char *algorithm;      /* the only one to consider; NULL: any */
	size_t count;
	ls_type type;
	ls_op op;
};

/* Returns LS_OK, or LS_ERR_ARGUMENT with the reason in *why_or_null. */
int lsi_selection_init(
	struct lsi_selection *, const struct ls_request *, struct ls_error *why_or_null);

/* Whether the algorithm solves the problem, and its claim permits the operator. */
bool lsi_supports(const struct lsi_algorithm *, const struct lsi_selection *);

/*
 * Whether the choice considers the algorithm.  Unless named, it must also give identical bits at
 * all nodes of an all-reduce, and not be for teaching.
 */
bool lsi_is_candidate(const struct lsi_algorithm *, const struct lsi_selection *);

#endif
