#include "collective/tree/reduce_tree.h"

void lsi_reduce_body(const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	const struct ls_slice partial = lsi_block(shape & LSI_REDUCE_ROOT ? LS_OUTPUT : LS_SCRATCH, 0);
	const struct ls_slice mine = shape & LSI_REDUCE_HELD ? partial : lsi_block(LS_INPUT, 0);

	(void)plan;
	(void)round;
	if (shape & LSI_REDUCE_SENDS)
		lsi_step_send(step, mine);
	if (!(shape & LSI_REDUCE_RECEIVES))
		return;
	lsi_step_receive(step, 1);
	if (shape & LSI_REDUCE_ABOVE)
		lsi_step_combine(step, partial, mine, lsi_arrival(step));
	else
		lsi_step_combine(step, partial, lsi_arrival(step), mine);
}

struct lsi_window lsi_reduce_window(const struct ls_plan *plan, int64_t rank, int k)
{
	return (struct lsi_window){ 0, rank == plan->problem.root ? 0 : plan->frame.scratch[k].slots };
}

const struct lsi_whole_machine lsi_reduce_whole = { .window = lsi_reduce_window };
