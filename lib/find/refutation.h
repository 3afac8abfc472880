/*
 * Checking refutations: a proof in the form DRAT, of which every clause follows by unit propagation
 * from those before it.
 *
 * The check is forward.  A clause is added if the formula and the clauses so far, together with the
 * negation of all its literals, give a contradiction by unit propagation.  So every added clause
 * follows from the formula.  The proof holds if the clauses contradict each other by unit
 * propagation alone.  Deletions only save time; a clause that states the value of a variable stays.
 * A proof that needs more than unit propagation is rejected.
 *
 * The check shares no code with any solver.
 */
#ifndef LSI_FIND_REFUTATION_H
#define LSI_FIND_REFUTATION_H

#include "find/core.h"
#include "find/formula.h"

enum lsi_refutation {
	LSI_REFUTED,
	LSI_PROOF_ENDS,       /* without a contradiction */
	LSI_PROOF_WRONG,      /* a clause does not follow */
	LSI_PROOF_UNREADABLE, /* not DRAT */
	LSI_PROOF_LONG,       /* the propagations exceed the limit */
	LSI_PROOF_NO_MEMORY
};

/* The outcome, and the number of the clause of the proof, from 1, that decided it. */
struct lsi_refutation_result {
	enum lsi_refutation outcome;
	size_t line;
};

/*
 * `propagations`: the most clauses to visit; 0: any number.  Text or binary form.  Of a refutation
 * the core gets its steps, and one more: the contradiction.
 */
struct lsi_refutation_result lsi_refutation_check(const struct lsi_clauses *, const char *proof,
	size_t bytes, uint64_t propagations, struct lsi_core *or_null);

#endif
