/* The shortest complete program: eight nodes on a ring add their numbers, and each has the sum. */
#include <lockstep.h>
#include <stdio.h>

static int program(ls_node *me, void *unused)
{
	double p = (double)ls_size(me), mine = (double)ls_rank(me) + 1, sum = 0;
	int failed = ls_allreduce(me, &mine, &sum, 1, LS_DOUBLE, LS_SUM);

	printf("node %d of %d: the sum is %g\n", (int)ls_rank(me), (int)ls_size(me), sum);
	(void)unused;
	return failed || sum != p * (p + 1) / 2;
}

int main(void)
{
	ls_topology *ring = NULL;
	ls_machine *machine = NULL;
	int failed = ls_topology_make("ring:8", &ring, NULL) || ls_machine_make(ring, NULL, &machine)
		|| ls_run(machine, program, NULL);

	ls_machine_destroy(machine);
	ls_topology_destroy(ring);
	return failed;
}
