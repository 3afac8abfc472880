/*
 * A run as the use of its world: see world/use.h.
 */
#include "machine/processes/far_internal.h"

int lsi_use_begin(struct lsi_processes *p, const struct lsi_stop *withdraws, struct ls_error *error)
{
	const int status =
		lsi_world_begin_unless(p->world, p->machine->number, withdraws, &p->stop, error);

	if (status == LS_ERR_STOPPED) {
		lsi_joint_fail(p, false);
		*error = p->failure;
	}
	return status;
}

void lsi_use_end(struct lsi_processes *p, struct ls_error *error)
{
	if (p->broken)
		lsi_world_ended(p->world, 0);
	else if (!lsi_joint_is_passed(p, lsi_world_end(p->world, &p->stop)))
		*error = p->failure;
}

void lsi_processes_end(struct ls_machine *machine)
{
	if (machine->processes && !machine->processes->thread_abandoned)
		lsi_use_end(machine->processes, &machine->error);
}

/*
 * machine->error belongs to the run, or is that of the last one: other threads may read it now.
 * While some local nodes are attached, but not all, the run does not use the world yet: a call that
 * is refused then does not count.
 */
bool lsi_processes_refuse(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;
	struct ls_error error = { .size = sizeof error };
	bool abandoned, thread_abandoned, gathers, is_refused = true;

	pthread_mutex_lock(&machine->control);
	abandoned = machine->abandoned;
	thread_abandoned = p && abandoned && p->thread_abandoned;
	gathers = machine->attached > 0 && !machine->supervised;
	pthread_mutex_unlock(&machine->control);
	if (p && abandoned && !thread_abandoned)
		lsi_joint_begin(p, LS_ERR_BUSY, NULL, &error);
	else if (p && !abandoned && !gathers && !lsi_world_is_inside(p->world))
		is_refused = lsi_world_refuse(p->world);
	return is_refused;
}
