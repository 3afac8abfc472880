/*
 * The hosts of a shared run: their memory and cores are divided among the processes there.
 */
#ifndef LOCKSTEP_BASE_SHARED_HOSTS_H
#define LOCKSTEP_BASE_SHARED_HOSTS_H

#include "base/execution.h"
#include "base/host.h"
#include "base/processes.h"

/*
 * Finds the processes with the host and the cores of this one, sets the default number of workers,
 * and binds this process to its part of cores that other processes may use, too.  Without that all
 * of them would bind their workers to the same cores.  All processes call it.
 */
void divide_hosts(struct processes *, struct execution *);

/* The part of one process in what its host has left. */
struct budget part_of_host(struct budget);

/*
 * " in process 0 on HOST", and ", shared by 2 processes"; both empty if the run is not shared.  The
 * failure of another process is reported with its number and host.
 */
struct sharing_text {
	char where[300], sharers[40];
};
struct sharing_text sharing_text(void);

#endif
