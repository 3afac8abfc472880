#include "find/core.h"

#include "base/alloc.h"
#include "plan/plan_table.h"

void lsi_core_use(struct lsi_core *c, size_t step)
{
	if (step == 0 || c->no_memory)
		return;
	c->no_memory = !lsi_table_grow(&c->use, c->uses, &c->use_room, sizeof *c->use);
	if (!c->no_memory)
		c->use[c->uses++] = step;
}

void lsi_core_end_step(struct lsi_core *c)
{
	if (c->no_memory)
		return;
	c->no_memory = !lsi_table_grow(&c->end, c->steps, &c->step_room, sizeof *c->end);
	if (!c->no_memory)
		c->end[c->steps++] = c->uses;
}

/* A step rests on earlier ones only. */
bool lsi_core_mark(struct lsi_core *c)
{
	c->needed = c->no_memory ? NULL : lsi_alloc_zero(c->steps + 1, sizeof *c->needed);
	if (!c->needed)
		return false;
	c->needed[c->steps] = true;
	for (size_t step = c->steps; step >= 1; step--)
		for (size_t i = step > 1 ? c->end[step - 2] : 0; c->needed[step] && i < c->end[step - 1];
			 i++)
			c->needed[c->use[i]] = true;
	return true;
}

void lsi_core_fini(struct lsi_core *c)
{
	lsi_free(c->end);
	lsi_free(c->use);
	lsi_free(c->needed);
}
