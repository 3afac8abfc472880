/*
 * Worlds of programs that have called MPI_Init themselves.
 *
 * Compile such a program by mpicc and link it with the plug-in of this MPI, too:
 * `-L LIBDIR/lockstep -l:lockstep-openmpi.so`.  Without <mpi.h> this header declares nothing.
 */
#ifndef LOCKSTEP_MPI_H
#define LOCKSTEP_MPI_H

#include <lockstep/world.h>

#if __has_include(<mpi.h>)
#include <mpi.h>

LS_BEGIN_DECLS

/*
 * The world of the processes of a communicator.  MPI must allow calls by any thread, one at a time
 * (MPI_THREAD_SERIALIZED).  Close the world before MPI_Finalize.  Collective.
 *
 * Returns    as ls_world_open; LS_ERR_ARGUMENT: MPI failed
 */
static inline int ls_world_of(MPI_Comm communicator, ls_world **out, struct ls_error *why_or_null)
{
	void *lsi_transport_of(MPI_Comm); /* of the plug-in; duplicates the communicator */

	return ls_world_over(lsi_transport_of(communicator), out, why_or_null);
}

LS_END_DECLS

#endif
#endif
