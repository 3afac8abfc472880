/*
 * Where a plan leaves the order of ranks.
 */
#ifndef LOCKSTEP_CHECK_RANK_ORDER_H
#define LOCKSTEP_CHECK_RANK_ORDER_H

#include <lockstep.h>

/*
 * The first step after which a node has a sum that is not in rank order, with that sum: "node 0
 * adds 0..1 3 in round 2".  The text is empty if there is none, or no memory to find it.
 */
void rank_order_lost(
	const ls_plan *, size_t n, const struct ls_check_options *, char *text, size_t size);

#endif
