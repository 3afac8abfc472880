/*
 * The result that an operation defines for a block of OUTPUT: the contributions of the ranks
 * first .. first+count-1, from this block of INPUT.  count 0: the block stays unchanged.
 */
#ifndef LSI_PLAN_EXPECTED_H
#define LSI_PLAN_EXPECTED_H

#include "plan/plan_internal.h"

struct lsi_expected_block {
	int64_t first, count, block;
};
struct lsi_expected_block lsi_plan_expected(const struct ls_plan *, int64_t rank, int64_t block);

#endif
