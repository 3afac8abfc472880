/*
 * The division of cores among processes.
 *
 * mpirun may bind each process to cores of its own.  Else all processes of a host may use the same
 * cores.  If each used them all, the nodes of one process would wait for those of another one to
 * yield.  So each uses a part:
 *
 *   cores       0 1 2 3      permitted to three processes
 *   process 0   0
 *   process 1     1
 *   process 2       2
 *
 * The parts have equal sizes, because processes should choose engines alike.  A process whose
 * permitted cores have changed since the world was opened has been given a part by the program.
 */
#include "base/math.h"
#include "world/agreement.h"

static uint64_t core_set_of(const ls_world *world)
{
	return lsi_mix_allowed_units(lsi_mix_text(0, ls_world_host(world)));
}

/* Each process adds its own set to zeros of the others. */
int lsi_world_divide_cores(ls_world *world)
{
	enum { SETS = 64 }; /* in one sum */
	const int processes = ls_world_processes(world), me = ls_world_process(world);
	int status = LS_OK;

	world->core_set = core_set_of(world);
	for (int first = 0; first < processes && status == LS_OK; first += SETS) {
		uint64_t set[SETS] = { 0 };

		if (me / SETS == first / SETS)
			set[me - first] = world->core_set;
		status = lsi_world_sum(world, set, SETS, NULL);
		for (int i = 0; i < SETS; i++) {
			world->cores.parts += set[i] == world->core_set;
			world->cores.number += set[i] == world->core_set && first + i < me;
		}
	}
	return status;
}

struct lsi_core_part lsi_world_core_part(const ls_world *world)
{
	const struct lsi_core_part whole = { 1, 0 };

	return world && world->cores.parts > 1 && core_set_of(world) == world->core_set ? world->cores
																					: whole;
}

int lsi_world_core_count(const ls_world *world)
{
	return lsi_core_part_size(lsi_world_core_part(world), lsi_core_count());
}
