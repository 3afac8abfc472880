/* The OpenMP that this file is compiled with: the loops of team.h between its barriers. */
#include <omp.h>

#include "contest.h"
#include "team.h"

static void wait_for_all(struct participant *s)
{
	(void)s;
#pragma omp barrier
}

static const struct variant variants[OPERATIONS][VARIANTS] = {
	[ALLREDUCE] = { TEAM_ALLREDUCE },
	[BROADCAST] = { TEAM_BROADCAST },
	[BARRIER] = { { "barrier", wait_for_all } },
	[ALLGATHER] = { TEAM_ALLGATHER },
	[ALLTOALL] = { TEAM_ALLTOALL },
};

int main(int argc, char **argv)
{
	const struct contest c = contest_of(argc, argv);
	struct team *team = team_make(&c);

	omp_set_dynamic(0);
#pragma omp parallel num_threads(c.nodes)
	{
		struct member me = { 0 };

		if (omp_get_num_threads() != c.nodes)
			fail("another number of threads");
		team_play(team, &c, omp_get_thread_num(), &me);
	}
	return 0;
}
