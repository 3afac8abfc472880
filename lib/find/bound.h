/*
 * Refutations as texts: a lower bound with its proof.
 */
#ifndef LSI_FIND_BOUND_H
#define LSI_FIND_BOUND_H

#include "find/refutation.h"

/* The clauses that a check may visit: some seconds. */
#define LSI_VISITS_MAX ((uint64_t)1 << 29)

/* A proof in text or binary form, and what is needed of it; no core: all of it. */
struct lsi_proof {
	const char *at;
	size_t bytes;
	const struct lsi_core *core;
};

/*
 * The text of a refutation of a formula.  NULL: no memory.  The caller frees it by lsi_free.
 *
 *   c lockstep: a refutation of allgather on ring:9, root 0, shift 1, 1 port
 *   c rounds 5
 *   c sum 7f3a..          of the formula and of all that follows
 *   -12 40 0
 *   17 -12 3 0
 */
char *lsi_refutation_text(const struct ls_request *, const struct lsi_clauses *, int rounds,
	struct lsi_proof, size_t *length);

/*
 * Copy a request of the caller.  LS_OK; LS_ERR_ARGUMENT; LS_ERR_UNSUPPORTED: the network has
 * switches or too many nodes, or the mode is not hop.
 */
int lsi_find_read(
	struct ls_request *, const struct ls_request *given_or_null, struct ls_error *why_or_null);

#endif
