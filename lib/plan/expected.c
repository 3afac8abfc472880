/*
 * The contributions that each operation defines for each block of its results.
 *
 * Each function returns the ranks { first, count } whose operands are combined in OUTPUT[block] of
 * a rank, and the block of INPUT that these operands come from.  Example for p = 4, rank 2:
 *
 *   all-reduce   OUTPUT[b]  =  INPUT[b] of ranks 0 1 2 3         { 0, 4, b }
 *   scan         OUTPUT[b]  =  INPUT[b] of ranks 0 1 2           { 0, 3, b }
 *   all-gather   OUTPUT[b]  =  INPUT[0] of rank b                { b, 1, 0 }
 *   all-to-all   OUTPUT[b]  =  INPUT[2] of rank b                { b, 1, 2 }
 *
 * The names of the functions: of_X is the contribution of the ranks X, from INPUT[block].  of_block
 * means the rank `block`, from INPUT[0].  _mine: from INPUT[rank], the block for this rank.
 */
#include "plan/expected.h"

#include "base/math.h"

typedef struct lsi_expected_block expectation(
	const struct lsi_problem *, int64_t rank, int64_t block);

static struct lsi_expected_block of_root(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)rank;
	return (struct lsi_expected_block){ p->root, 1, block };
}

static struct lsi_expected_block of_all(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)rank;
	return (struct lsi_expected_block){ 0, p->nodes, block };
}

static struct lsi_expected_block of_block(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)p, (void)rank;
	return (struct lsi_expected_block){ block, 1, 0 };
}

static struct lsi_expected_block of_all_mine(
	const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)block;
	return (struct lsi_expected_block){ 0, p->nodes, rank };
}

static struct lsi_expected_block up_to(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct lsi_expected_block){ 0, rank + 1, block };
}

static struct lsi_expected_block below(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct lsi_expected_block){ 0, rank, block };
}

static struct lsi_expected_block of_root_mine(
	const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)block;
	return (struct lsi_expected_block){ p->root, 1, rank };
}

static struct lsi_expected_block of_block_mine(
	const struct lsi_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct lsi_expected_block){ block, 1, rank };
}

static struct lsi_expected_block of_shift(const struct lsi_problem *p, int64_t rank, int64_t block)
{
	return (struct lsi_expected_block){ lsi_wrap(rank - p->shift, p->nodes), 1, block };
}

/* The definitions of the operations. */
static expectation *const table[LS_OPERATIONS] = { [LS_BROADCAST] = of_root,
	[LS_REDUCE] = of_all,
	[LS_ALLREDUCE] = of_all,
	[LS_ALLGATHER] = of_block,
	[LS_REDUCE_SCATTER] = of_all_mine,
	[LS_SCAN] = up_to,
	[LS_EXSCAN] = below,
	[LS_SCATTER] = of_root_mine,
	[LS_GATHER] = of_block,
	[LS_ALLTOALL] = of_block_mine,
	[LS_SHIFT] = of_shift,
	[LS_BARRIER] = of_all };

struct lsi_expected_block lsi_plan_expected(const struct ls_plan *plan, int64_t rank, int64_t block)
{
	return table[plan->problem.operation](&plan->problem, rank, block);
}
