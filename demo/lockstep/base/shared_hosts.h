/*
 * The hosts of a shared run, whose memory is divided among the processes there.
 */
#ifndef LOCKSTEP_BASE_SHARED_HOSTS_H
#define LOCKSTEP_BASE_SHARED_HOSTS_H

#include "base/host.h"
#include "base/processes.h"

/* Finds the processes on the host and the cores of this one, and counts all cores.  Collective. */
void find_hosts(struct processes *);

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
