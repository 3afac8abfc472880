#include "base/alloc.h"
#include "base/error.h"
#include "find/bound.h"
#include "find/search.h"
#include "find/solver.h"

/* What the contradiction of a checked refutation rests on, as a text. */
static int keep_refutation(struct lsi_search *s, const struct lsi_clauses *formula, int rounds,
	const struct lsi_answer *answer, struct lsi_core *core)
{
	lsi_free(s->refutation);
	s->refutation = NULL;
	if (lsi_core_mark(core))
		s->refutation = lsi_refutation_text(&s->request, formula, rounds,
			(struct lsi_proof){ answer->proof, answer->proof_bytes, core }, &s->refutation_length);
	return s->refutation ? LS_OK
						 : lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for the refutation");
}

static int report_wrong_proof(struct lsi_search *s, int rounds, const struct lsi_answer *answer,
	struct lsi_refutation_result result)
{
	if (answer->proof_bytes == 0)
		return lsi_error_set(s->why, LS_ERR_LAW,
			"the solver writes no proof that %d rounds are impossible; try another --solver",
			rounds);
	return lsi_error_set(s->why, LS_ERR_LAW,
		"the solver claims that %d rounds are impossible, but clause %zu of its refutation "
		"does not follow; try another --solver",
		rounds, result.line);
}

int lsi_find_accept_refutation(struct lsi_search *s, const struct lsi_clauses *formula, int rounds,
	const struct lsi_answer *answer, struct ls_find_step *step)
{
	struct lsi_core core = { 0 };
	const struct lsi_refutation_result result = lsi_refutation_check(formula, answer->proof,
		answer->proof_bytes, LSI_VISITS_MAX, s->options.refutation ? &core : NULL);
	int status = LS_OK;

	step->proof_bytes = (int64_t)answer->proof_bytes;
	if (result.outcome == LSI_REFUTED) {
		step->outcome = LS_FIND_REFUTED;
		if (s->first.count)
			s->found.prefix_bound = rounds + 1;
		else if (s->found.bound <= rounds)
			s->found.bound = rounds + 1;
		if (s->options.refutation)
			status = keep_refutation(s, formula, rounds, answer, &core);
	} else if (result.outcome == LSI_PROOF_LONG) {
		step->outcome = LS_FIND_UNCHECKED;
	} else if (result.outcome == LSI_PROOF_NO_MEMORY) {
		status = lsi_error_set(s->why, LS_ERR_MEMORY, "no memory to check the refutation");
	} else {
		status = report_wrong_proof(s, rounds, answer, result);
	}
	lsi_core_fini(&core);
	return status;
}
