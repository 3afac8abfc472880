/*
 * Lockstep on complete:P in free rounds; compiled with LIGHT_RANKS, nodes are fibers.
 *
 * LOCKSTEP_ENGINE selects the engine; the default is auto.  LOCKSTEP_MAILBOX sets the messages that
 * a link buffers.  Where one root broadcasts repeatedly, its default lets the root run as far ahead
 * as Open MPI does; elsewhere it is the default of the library.
 */
#include <lockstep.h>

#include "contest.h"

static void done(int status)
{
	if (status)
		fail("a call of Lockstep");
}

static void maxima(struct participant *s, double value[2])
{
	done(ls_allreduce(s->peer, value, value, 2, LS_DOUBLE, LS_MAX));
}

static void allreduce(struct participant *s)
{
	done(ls_allreduce(s->peer, s->operand, s->result, s->contest->n, LS_DOUBLE, LS_SUM));
}

static void broadcast(struct participant *s)
{
	done(ls_broadcast(s->peer, s->operand, s->contest->n, LS_DOUBLE, s->root));
}

static void barrier(struct participant *s)
{
	done(ls_barrier(s->peer));
}

static void allgather(struct participant *s)
{
	done(ls_allgather(s->peer, s->operand, s->result, s->contest->n, LS_DOUBLE));
}

static void alltoall(struct participant *s)
{
	done(ls_alltoall(s->peer, s->operand, s->result, s->contest->n, LS_DOUBLE));
}

static const struct variant variants[OPERATIONS][VARIANTS] = {
	[ALLREDUCE] = { { "library", allreduce } },
	[BROADCAST] = { { "library", broadcast } },
	[BARRIER] = { { "library", barrier } },
	[ALLGATHER] = { { "library", allgather } },
	[ALLTOALL] = { { "library", alltoall } },
};

enum { RUN_AHEAD = 128 };

static int mailbox_of(const struct contest *c)
{
	const char *given = getenv("LOCKSTEP_MAILBOX");

	return given ? atoi(given) : c->operation == BROADCAST && !c->rotates ? RUN_AHEAD : 0;
}

static int program(ls_node *me, void *arg)
{
	struct participant participant;

	participant_begin(&participant, arg, (int)ls_rank(me), me);
	play(&participant);
	return 0;
}

static enum ls_node_kind kind_of_nodes(void)
{
	return RANKS_CAN_SLEEP ? LS_NODE_THREAD : LS_NODE_FIBER;
}

static enum ls_engine engine_wanted(void)
{
	const char *name = getenv("LOCKSTEP_ENGINE");

	for (int e = LS_AUTO; name && e <= LS_COOPERATIVE; e++)
		if (!strcmp(name, ls_engine_name((enum ls_engine)e)))
			return (enum ls_engine)e;
	if (name)
		fail("LOCKSTEP_ENGINE is not an engine; expected auto, mailboxes or cooperative");
	return LS_AUTO;
}

int main(int argc, char **argv)
{
	static const enum ls_operation operations[OPERATIONS] = { LS_ALLREDUCE, LS_BROADCAST,
		LS_BARRIER, LS_ALLGATHER, LS_ALLTOALL };
	struct contest c = contest_of(argc, argv);
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.engine = engine_wanted(),
		.mailbox = mailbox_of(&c),
		.node_kind = kind_of_nodes() };
	ls_topology *topology;
	ls_machine *machine;
	char spec[32];

	snprintf(spec, sizeof spec, "complete:%d", c.nodes);
	done(ls_topology_make(spec, &topology, NULL));
	done(ls_machine_make(topology, &options, &machine));
	printf("# setting %s\n",
		ls_engine_name(
			ls_engine_for(machine, operations[c.operation], c.n * sizeof(double), NULL)));
	done(ls_run(machine, program, &c));
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	return 0;
}
