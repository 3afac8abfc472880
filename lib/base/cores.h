/*
 * Cores: the processing units that this process may use, which of them are one core, in what order,
 * and how much of their time a control group grants.
 *
 * A processing unit (a hardware thread; what Linux calls a cpu) has the kernel's number.  The
 * library reads the permitted units anew each time, and the structure of the machine once.
 */
#ifndef LSI_BASE_CORES_H
#define LSI_BASE_CORES_H

#include <lockstep/machine.h>

#include "base/atomic.h"

enum { LSI_CPUS_MAX = 1 << 14, LSI_CPUS_PER_WORD = 8 * sizeof(long) }; /* Linux has 8192 at most */

/* A set of units, laid out as the kernel's and cpu_set_t are. */
struct lsi_cpu_set {
	unsigned long word[LSI_CPUS_MAX / LSI_CPUS_PER_WORD];
};

/*
 * Cores that this process may run on (affinity and cpuset), at most as many as its control groups
 * grant the time of, at least 1.
 */
int lsi_core_count(void);

/* The cores' worth of time that the control groups grant; INFINITY: all. */
double lsi_cpu_quota(void);

/*
 * Bytes of the last level of caches of all units that the caller may use; 0:
 * unknown.  sysconf() may report a whole package to a virtual machine that has a part of it.
 */
size_t lsi_cache_bytes(void);

/* The structure of the machine, read on demand. */
struct lsi_cpu_topology {
	const char *folder;                        /* of the kernel's tables */
	LSI_ATOMIC(uint16_t) leader[LSI_CPUS_MAX]; /* 1 + the first unit of its core; 0: not read */
	uint16_t rank[LSI_CPUS_MAX];               /* 1 + position in the topology; 0: unknown */
};

int lsi_cpu_topology_cores(struct lsi_cpu_topology *, const struct lsi_cpu_set *);
size_t lsi_cpu_topology_cache(const struct lsi_cpu_topology *, const struct lsi_cpu_set *);
/* Order the units by package, cache and core with hwloc, if built with it.  Takes milliseconds. */
void lsi_cpu_topology_order(struct lsi_cpu_topology *);

/* Units to bind to, core by core in the order of the topology. */
struct lsi_binding {
	int cores, units;
	bool ranked;    /* the order is hwloc's, else by number */
	uint64_t *unit; /* rank of its core, then in the low half number */
	int *begin;     /* of each core in unit[]; begin[cores] == units */
	struct lsi_cpu_set one;
};

/* The units that the caller may use, none for LS_BIND_NONE; false: no memory. */
bool lsi_binding_make(struct lsi_binding *, enum ls_bind);
bool lsi_binding_make_from(
	struct lsi_binding *, struct lsi_cpu_topology *, const struct lsi_cpu_set *);
void lsi_binding_destroy(struct lsi_binding *);

/*
 * Core node * cores / nodes with all its units, or unit node * units / nodes; NULL if there is no
 * unit to bind to.  It holds until the next call.
 */
const struct lsi_cpu_set *lsi_binding_for(
	struct lsi_binding *, enum ls_bind, int64_t node, int64_t nodes);

/* The texts of the kernel.  A list is "0-3,8"; false: broken, or a number too large. */
bool lsi_cpu_set_parse(struct lsi_cpu_set *, const char *list);
/* The next unit of a set, from `unit` on; LSI_CPUS_MAX: none. */
int lsi_cpu_set_next(const struct lsi_cpu_set *, int unit);
/* Quota and period of a control group, "150000 100000"; INFINITY: "max", -1, or broken. */
double lsi_cpu_quota_parse(const char *);
double lsi_cpu_quota_under(const char *groups, const char *root);

#endif
