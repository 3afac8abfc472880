/*
 * Words that the reader and the writer of plans as text share.
 */
#ifndef LSI_PLAN_TEXT_H
#define LSI_PLAN_TEXT_H

#include "plan/plan_internal.h"

#define LSI_SCRATCH_LETTERS "STUV"

extern const char *const lsi_claim_words[LS_MOVE + 1];

/* The state of one text; no more output after put() returned nonzero. */
struct lsi_plan_writer {
	const struct ls_plan *plan;
	int (*put)(void *context, const char *text);
	void *context;
	int stopped;
	/*
	 * The step of the slices: those that are all of INPUT, OUTPUT or an arrived message are then
	 * written without numbers.  NULL: all with numbers.
	 */
	const struct ls_step *brief;
};

void lsi_plan_write_slice(struct lsi_plan_writer *, const struct ls_slice *); /* "S[0..3,8]" */
void lsi_plan_write_move(struct lsi_plan_writer *, const struct ls_move *);   /* "S[0] := INPUT" */

#endif
