/*
 * The computer: processor, cores, and the threads and bytes that are free.
 */
#ifndef LOCKSTEP_BASE_HOST_H
#define LOCKSTEP_BASE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
	char cpu[96], system[96];
	int cores;          /* processing units online */
	int allowed, units; /* cores and units to run on */
	double quota;       /* cores' worth of time; 0: all */
	bool hwloc;         /* gives the order of the cores */
	int64_t memory;     /* bytes */
};

/* The amount left, and the name of the limit ("kernel.pid_max"). */
struct budget {
	int64_t left;
	const char *limit;
};

void host_read(struct host *);
struct budget host_threads(void);
struct budget host_memory(void);
/* Of the bytes left; the rest stays free. */
size_t usable_memory(const struct budget *);

#endif
