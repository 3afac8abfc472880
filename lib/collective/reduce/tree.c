#include "collective/reduce/tree.h"

void ls_reduce_body(const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	const struct ls_slice partial = ls_one(shape & LS_REDUCE_ROOT ? LS_OUTPUT : LS_SCRATCH, 0);
	const struct ls_slice mine = shape & LS_REDUCE_HELD ? partial : ls_one(LS_INPUT, 0);

	(void)plan;
	(void)round;
	if (shape & LS_REDUCE_SENDS)
		ls_step_send(step, mine);
	if (!(shape & LS_REDUCE_RECEIVES))
		return;
	ls_step_receive(step, 1);
	if (shape & LS_REDUCE_ABOVE)
		ls_step_combine(step, partial, mine, ls_arrival(step));
	else
		ls_step_combine(step, partial, ls_arrival(step), mine);
}

struct ls_window ls_reduce_window(const struct ls_plan *plan, int64_t rank, int k)
{
	return (struct ls_window){ 0, rank == plan->problem.root ? 0 : plan->frame.scratch[k].slots };
}
