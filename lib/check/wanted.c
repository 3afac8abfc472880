#include "base/math.h"
#include "check/checker.h"

typedef struct ls_wanted wanted(const struct ls_problem *, int64_t rank, int64_t block);

static struct ls_wanted of_root(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)rank;
	return (struct ls_wanted){ p->root, 1, block };
}

static struct ls_wanted of_all(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)rank;
	return (struct ls_wanted){ 0, p->nodes, block };
}

static struct ls_wanted of_block(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)p, (void)rank;
	return (struct ls_wanted){ block, 1, 0 };
}

static struct ls_wanted of_all_mine(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)block;
	return (struct ls_wanted){ 0, p->nodes, rank };
}

static struct ls_wanted up_to(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct ls_wanted){ 0, rank + 1, block };
}

static struct ls_wanted below(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct ls_wanted){ 0, rank, block };
}

static struct ls_wanted of_root_mine(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)block;
	return (struct ls_wanted){ p->root, 1, rank };
}

static struct ls_wanted of_block_mine(const struct ls_problem *p, int64_t rank, int64_t block)
{
	(void)p;
	return (struct ls_wanted){ block, 1, rank };
}

static struct ls_wanted of_shift(const struct ls_problem *p, int64_t rank, int64_t block)
{
	return (struct ls_wanted){ ls_wrap(rank - p->shift, p->nodes), 1, block };
}

/* The definitions of the operations. */
static wanted *const table[LS_OPERATIONS] = {
	[LS_BROADCAST] = of_root,
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
	[LS_BARRIER] = of_all
};

struct ls_wanted ls_check_wanted(const struct ls_plan *plan, int64_t rank, int64_t block)
{
	return table[plan->problem.operation](&plan->problem, rank, block);
}
