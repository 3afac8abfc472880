/*
 * Messages for requests that no algorithm serves: the fault, then a remedy.
 */
#ifndef LSI_COST_REFUSAL_H
#define LSI_COST_REFUSAL_H

#include "cost/candidate.h"

/* The named algorithm does not exist.  Returns LS_ERR_SPEC. */
int lsi_refuse_unknown(const struct lsi_selection *, struct ls_error *why_or_null);

/* No algorithm, or not the named one, serves the request.  Returns LS_ERR_UNSUPPORTED. */
int lsi_refuse_unsupported(const struct lsi_selection *, struct ls_error *why_or_null);

#endif
