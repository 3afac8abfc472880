/*
 * Shared by the formats of `steps`.
 */
#ifndef LOCKSTEP_STEPS_STEPS_H
#define LOCKSTEP_STEPS_STEPS_H

#include "base/drawing_choice.h"
#include "base/output.h"
#include "base/query.h"
#include "job/embedded.h"

struct traced;

/* The document of the formats of steps. */
struct shown_plan {
	const struct query *query;
	const struct job *job;
	const struct drawing_choice *drawing;
	const struct traced *traced;      /* its messages are drawn, in place of a plan; NULL: none */
	const struct ls_error *violation; /* of a law, to be marked; NULL or kind LS_OK: none */
};

/* verb_steps.c */
int write_steps_text(const struct output *, const void *shown_plan);
/* step_json.c */
int write_steps_json(const struct output *, const void *shown_plan);

#endif
