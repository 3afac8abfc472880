/*
 * The division of the values of a plan into the parts that a process executes.
 *
 * A part computes what its exchange sends, and the last one the results of local nodes.  A value is
 * computed by the first part that needs it.  If a later part needs it, too, that part finds it in a
 * slot.  So nothing is computed twice.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_DIVIDE_H
#define LSI_ENGINE_COOPERATIVE_FLOW_DIVIDE_H

#include "engine/cooperative/flow_parts.h"

/*
 * Fill *out, which is zero.  The caller destroys it, also after a failure.
 * LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW.
 */
int lsi_flow_divide(
	const struct lsi_flow_values *, const struct lsi_flow_transfers *, struct lsi_flow_parts *out);

#endif
