/*
 * World: the processes that mpirun has started, on one host or many.
 *
 * The ranks of a machine are divided among the processes in contiguous blocks.  A process executes
 * the nodes whose ranks it has; they are *local* there.  Messages between nodes of different
 * processes *cross*.  Results, counts, traces and errors equal those of one process.
 *
 * MPI serves a world through a plug-in, a shared object that the library opens only under mpirun.
 * LOCKSTEP_MPI=PATH names the plug-in; LOCKSTEP_MPI=off: each process is a world of its own.
 */
#ifndef LOCKSTEP_WORLD_H
#define LOCKSTEP_WORLD_H

#include <lockstep/topology.h>

LS_BEGIN_DECLS

typedef struct ls_world ls_world;

/*
 * Open the world of this process; without mpirun it has one process.  All processes call it.
 *
 * Owns       The caller closes *out by ls_world_close.  On failure *out is NULL.
 * Returns    LS_OK
 *            LS_ERR_UNSUPPORTED  mpirun has started several processes, but there is no plug-in, or
 *                                one of another MPI; why->text gives the remedy
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_world_open(ls_world **out, struct ls_error *why_or_null);
/* All processes call it.  Machines and sweeps of the world must have ended. */
LS_API void ls_world_close(ls_world *);

LS_API int ls_world_processes(const ls_world *);       /* NULL: 1 */
LS_API int ls_world_process(const ls_world *);         /* number of this process, from 0 */
LS_API const char *ls_world_library(const ls_world *); /* "Open MPI 4.1.4"; "": no MPI */
LS_API const char *ls_world_host(const ls_world *);    /* the host of this process */

/*
 * The first local rank of a process.  The local ranks end before the first one of the next
 * process; ls_first_rank(t, n, n) is the number of nodes.  A process may have no nodes.
 */
LS_API int64_t ls_first_rank(const ls_topology *, int processes, int process);

LS_END_DECLS
#endif
