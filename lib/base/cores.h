/*
 * Cores: the processing units that this process may use, which of them are one core, in what order,
 * and how much of their time a control group grants.
 *
 * A processing unit (a hardware thread; what Linux calls a cpu) has the kernel's number.  What may
 * be used is asked anew each time; what the machine is made of is read once.
 */
#ifndef LS_BASE_CORES_H
#define LS_BASE_CORES_H

#include <lockstep/machine.h>

#include "base/atomic.h"

enum { LS_UNITS = 1 << 14, LS_UNITS_WORD = 8 * sizeof(long) };   /* Linux has 8192 at most */

/* A set of units, laid out as the kernel's and cpu_set_t are. */
struct ls_cpus { unsigned long word[LS_UNITS / LS_UNITS_WORD]; };

/*
 * Cores that this process may run on (affinity and cpuset), at most as many as its control groups
 * grant the time of, at least 1.
 */
int ls_cores(void);

/* The cores' worth of time that the control groups grant; INFINITY: all. */
double ls_quota(void);

/*
 * Bytes of the last level of caches of all units that the caller may use; 0: the kernel does not say.
 * sysconf() may answer for a whole package to a machine that has a part of it.
 */
size_t ls_cache_bytes(void);

/* What the machine is made of. */
struct ls_units {
	const char *folder;                       /* of the kernel's tables                        */
	LS_ATOMIC(uint16_t) leader[LS_UNITS];     /* 1 + the first unit of its core; 0: not read   */
	uint16_t rank[LS_UNITS];                  /* 1 + where in the topology; 0: not known       */
};

int ls_units_cores(struct ls_units *, const struct ls_cpus *);
size_t ls_units_cache(const struct ls_units *, const struct ls_cpus *);
/* Ask hwloc, where there is one, where each unit is: by package, cache, core.  It takes ms. */
void ls_units_rank(struct ls_units *);

/* Units to bind to, core by core in the order of the topology. */
struct ls_places {
	int cores, units;
	bool ranked;                              /* the order is hwloc's, else by number          */
	uint64_t *unit;                           /* rank of its core, then in the low half number */
	int *begin;                               /* of each core in unit[]; begin[cores] == units */
	struct ls_cpus one;
};

/* What the caller may use, nothing for LS_BIND_NONE; false: no memory. */
bool ls_places_make(struct ls_places *, enum ls_bind);
bool ls_places_of(struct ls_places *, struct ls_units *, const struct ls_cpus *);
void ls_places_destroy(struct ls_places *);

/*
 * Core node * cores / nodes with all its units, or unit node * units / nodes; NULL where there is
 * nothing to bind to.  It holds until the next call.
 */
const struct ls_cpus *ls_places_at(struct ls_places *, enum ls_bind, int64_t node, int64_t nodes);

/* The texts of the kernel.  A list is "0-3,8"; false: broken, or a number too large. */
bool ls_cpus_read(struct ls_cpus *, const char *list);
/* The next unit of a set, from `unit` on; LS_UNITS: there is none. */
int ls_cpus_next(const struct ls_cpus *, int unit);
/* Quota and period of a control group, "150000 100000"; INFINITY: "max", -1, or broken. */
double ls_quota_read(const char *);
double ls_quota_under(const char *groups, const char *root);

#endif
