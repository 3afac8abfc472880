#include "support/visits.h"

#include <lockstep/topology.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

int visit_add_ranks(ls_node *me, int64_t which)
{
	(void)which;
	return add_ranks(me);
}

static void *visit(void *arg)
{
	struct visit *v = arg;
	ls_node *me;

	v->attached = ls_attach(v->machine, v->rank, 0, &me);
	if (v->attached)
		return NULL;
	CHECK(ls_run(v->machine, add_ranks_program, NULL) == LS_ERR_BUSY, "%s: run", guarded());
	v->acted = v->act(me, v->which);
	if (v->acted != NO_DETACH)
		v->detached = ls_detach(me);
	return NULL;
}

void visits_begin(ls_machine *machine, int processes, int process, int (*act)(ls_node *, int64_t),
	int64_t which, struct visit *v)
{
	const ls_topology *t = ls_machine_topology(machine);

	for (int64_t i = ls_first_rank(t, processes, process);
		 i < ls_first_rank(t, processes, process + 1); i++) {
		v[i] = (struct visit){ .machine = machine, .rank = i, .act = act, .which = which };
		v[i].thread = start_thread(visit, &v[i]);
	}
}

void visits_end(const ls_machine *machine, int processes, int process, struct visit *v)
{
	const ls_topology *t = ls_machine_topology(machine);

	for (int64_t i = ls_first_rank(t, processes, process);
		 i < ls_first_rank(t, processes, process + 1); i++)
		pthread_join(v[i].thread, NULL);
}

void visit_all(ls_machine *const *machine, int processes, int (*act)(ls_node *, int64_t),
	int64_t which, struct visit *v)
{
	for (int i = 0; i < processes; i++)
		visits_begin(machine[i], processes, i, act, which, v);
	for (int i = 0; i < processes; i++)
		visits_end(machine[i], processes, i, v);
}
