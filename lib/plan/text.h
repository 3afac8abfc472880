/*
 * What the reader and the writer of plans as text share.
 */
#ifndef LS_PLAN_TEXT_H
#define LS_PLAN_TEXT_H

#include "plan/plan.h"

#define LS_SCRATCH_LETTERS "STUV"

extern const char *const ls_claim_words[LS_MOVE + 1];

#endif
