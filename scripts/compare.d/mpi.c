/*
 * The MPI that this file is compiled with.  With COMPARE_BIND_BLOCK=1 rank r runs on core
 * r * cores / p.  In SimGrid's SMPI (LIGHT_RANKS) all ranks are contexts of one thread.
 */
#include <mpi.h>

#include "bind.h"
#include "contest.h"

static void maxima(struct participant *s, double value[2])
{
	(void)s;
	MPI_Allreduce(MPI_IN_PLACE, value, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void allreduce(struct participant *s)
{
	MPI_Allreduce(s->operand, s->result, (int)s->contest->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void broadcast(struct participant *s)
{
	MPI_Bcast(s->operand, (int)s->contest->n, MPI_DOUBLE, s->root, MPI_COMM_WORLD);
}

static void barrier(struct participant *s)
{
	(void)s;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void allgather(struct participant *s)
{
	const int n = (int)s->contest->n;

	MPI_Allgather(s->operand, n, MPI_DOUBLE, s->result, n, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoall(struct participant *s)
{
	const int n = (int)s->contest->n;

	MPI_Alltoall(s->operand, n, MPI_DOUBLE, s->result, n, MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct variant variants[OPERATIONS][VARIANTS] = {
	[ALLREDUCE] = { { "library", allreduce } },
	[BROADCAST] = { { "library", broadcast } },
	[BARRIER] = { { "library", barrier } },
	[ALLGATHER] = { { "library", allgather } },
	[ALLTOALL] = { { "library", alltoall } },
};

int main(int argc, char **argv)
{
	const struct contest c = contest_of(argc, argv);
	struct participant participant;
	int rank, nodes;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nodes);
	if (nodes != c.nodes)
		fail("another number of ranks");
	if (getenv("COMPARE_BIND_BLOCK"))
		bind_block(rank, nodes);
	participant_begin(&participant, &c, rank, NULL);
	play(&participant);
	MPI_Finalize();
	return 0;
}
