/*
 * Words that the reader and the writer of plans as text share.
 */
#ifndef LSI_PLAN_TEXT_H
#define LSI_PLAN_TEXT_H

#include "plan/plan_internal.h"

#define LSI_SCRATCH_LETTERS "STUV"

extern const char *const lsi_claim_words[LS_MOVE + 1];

#endif
