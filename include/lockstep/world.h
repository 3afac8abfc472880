/*
 * World: the processes that mpirun has started, on one host or many.
 *
 * The ranks of a machine are divided among the processes in contiguous blocks.  A process executes
 * the nodes whose ranks it has; they are *local* there.  Messages between nodes of different
 * processes *cross*.  Results, counts, traces and errors equal those of one process.
 *
 * MPI serves a world through a plug-in, a shared object that the library opens only under mpirun or
 * srun.  LOCKSTEP_MPI=PATH names the plug-in; LOCKSTEP_MPI=off: each process is a world of its own.
 *
 * When the world is opened, processes of a host that may use the same cores divide these among
 * them.  A process that may use other cores later uses all that it then has.
 *
 * Sweeps (ls_sweep.world) and machines (ls_machine_options.world) execute in a world, one at a
 * time.
 *
 * Collective calls are made by all processes of a world, in the same order, and not during a run.
 * One thread of a process at a time makes them.
 */
#ifndef LOCKSTEP_WORLD_H
#define LOCKSTEP_WORLD_H

#include <lockstep/topology.h>

LS_BEGIN_DECLS

typedef struct ls_world ls_world;

/*
 * The number of processes that mpirun or srun has started, as the environment states it, also
 * before a world is open.  1: there is no launcher, or LOCKSTEP_MPI=off.
 *
 * Shape      *process_or_null becomes the number of this process, from 0.
 */
LS_API int ls_world_launched(int *process_or_null);

/*
 * Open the world of this process; without mpirun it has one process.  Collective.
 *
 * Owns       The caller closes *out by ls_world_close.  On failure *out is NULL.
 * Returns    LS_OK
 *            LS_ERR_UNSUPPORTED  mpirun has started several processes, but there is no plug-in;
 *                                why->text gives the remedy
 *            LS_ERR_ARGUMENT     the plug-in belongs to another MPI than mpirun; LOCKSTEP_MPI
 *                                names no plug-in; out is NULL
 *            LS_ERR_STOPPED      MPI failed
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_world_open(ls_world **out, struct ls_error *why_or_null);
/*
 * Collective.  Machines and sweeps of the world must have ended.  In a process that begins one
 * while another closes the world, it fails with LS_ERR_LEFT.
 *
 * A machine that is still busy after LS_ERR_TIMEOUT has not ended.  Then ls_world_abort is the only
 * call of this header that may be made; ls_world_close makes it, too, with a text of its own.
 */
LS_API void ls_world_close(ls_world *);

LS_API int ls_world_processes(const ls_world *);       /* NULL: 1 */
LS_API int ls_world_process(const ls_world *);         /* number of this process, from 0 */
LS_API int ls_world_hosts(const ls_world *);           /* on which the processes run; NULL: 1 */
LS_API const char *ls_world_library(const ls_world *); /* "Open MPI 4.1.4"; "": no MPI */
LS_API const char *ls_world_plugin(const ls_world *);  /* the path of the plug-in; "": none */
LS_API const char *ls_world_host(const ls_world *);    /* the host of this process */

/*
 * The first local rank of a process.  The local ranks end before the first one of the next
 * process; ls_first_rank(t, n, n) is the number of nodes.  A process may have no nodes.
 *
 * Returns    -1 for a number of processes below 1, and for a process that does not exist
 */
LS_API int64_t ls_first_rank(const ls_topology *, int processes, int process);

/*
 * Agreement of the processes.  Collective, except fetch.
 *
 *   least       replace each of n numbers by the least of all processes
 *   broadcast   replace the bytes by those of process 0
 *   gather      copy the bytes of each process, equally many, into a row at process 0; rows may be
 *               NULL in the others
 *   fetch       replace the bytes at process 0 by those of `process`; both call it, others may
 *
 * A process that waits for long sleeps.
 *
 * Shape      world NULL: a world of one process.
 * Returns    LS_OK
 *            LS_ERR_STOPPED   MPI failed; why->text names it and the process
 *            LS_ERR_ARGUMENT  another argument is NULL, or there is no such process
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_world_least(
	ls_world *world_or_null, int64_t *number, size_t n, struct ls_error *why_or_null);
LS_API LS_MUST_CHECK int ls_world_broadcast(
	ls_world *world_or_null, void *data, size_t bytes, struct ls_error *why_or_null);
LS_API LS_MUST_CHECK int ls_world_gather(ls_world *world_or_null, const void *data, void *rows,
	size_t bytes, struct ls_error *why_or_null);
LS_API LS_MUST_CHECK int ls_world_fetch(
	ls_world *world_or_null, int process, void *data, size_t bytes, struct ls_error *why_or_null);

/*
 * End all processes at once, where they can no longer agree: print the text as one line on stderr.
 * Does not return if there are several processes; does nothing if there is one.
 */
LS_API void ls_world_abort(ls_world *, int exit_code, const char *text);

/*
 * A world on the transport of a plug-in, see ls_world_of in lockstep/mpi.h.  Collective.
 *
 * Returns    as ls_world_open
 */
LS_API LS_MUST_CHECK int ls_world_over(
	void *transport, ls_world **out, struct ls_error *why_or_null);

LS_END_DECLS
#endif
