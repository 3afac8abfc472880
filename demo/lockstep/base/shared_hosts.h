/*
 * The hosts of a shared run: their memory and cores are divided among the processes there.
 */
#ifndef LOCKSTEP_BASE_SHARED_HOSTS_H
#define LOCKSTEP_BASE_SHARED_HOSTS_H

#include "base/execution.h"
#include "base/processes.h"

/*
 * Finds the processes with the host and the cores of this one, sets the default number of workers,
 * and binds this process to its part of cores that other processes may use, too.  Without that all
 * of them would bind their workers to the same cores.  All processes call it.
 */
void divide_hosts(struct processes *, struct execution *);

#endif
