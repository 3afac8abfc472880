/*
 * Cores: the processing units that this process may use, which of them are one core, in what order,
 * and how much of their time a control group grants.
 *
 * A processing unit (a hardware thread; what Linux calls a cpu) has the kernel's number.  The
 * library reads the permitted units at every call; it reads the structure of the machine, and the
 * time that control groups grant, once.
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
 * The number of cores that this process may use: those of its affinity and cpuset, but at most the
 * time that its control groups grant, rounded up to whole cores, and at least 1.
 */
int lsi_core_count(void);

/* Processes divide cores that all of them may use into equal parts; a core may be in several. */
struct lsi_core_part {
	int parts, number;
};

/* The number of cores in a part of `cores`. */
int lsi_core_part_size(struct lsi_core_part, int cores);

/* A number for all that was mixed before, and the units that the caller may use. */
uint64_t lsi_mix_allowed_units(uint64_t before);

/* The time that the control groups grant, in cores; INFINITY: no limit. */
double lsi_cpu_quota(void);

/*
 * Bytes of the last-level caches of all units that the caller may use; 0: unknown.  In a virtual
 * machine that has a part of a package, sysconf() may report the whole package.
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
	bool ranked;    /* the order is that of hwloc, else by number */
	uint64_t *unit; /* the rank of its core in the high half, the number in the low half */
	int *begin;     /* the first entry of each core in unit[]; begin[cores] == units */
	struct lsi_cpu_set one;
};

/* The units that the caller may use, none for LS_BIND_NONE; false: no memory. */
bool lsi_binding_make(struct lsi_binding *, enum ls_bind);
bool lsi_binding_make_from(
	struct lsi_binding *, struct lsi_cpu_topology *, const struct lsi_cpu_set *);
void lsi_binding_destroy(struct lsi_binding *);

/*
 * The units for a node: core node * cores / nodes with all its units, or unit node * units / nodes.
 * NULL: no binding.  The set is valid until the next call.
 */
const struct lsi_cpu_set *lsi_binding_for(
	struct lsi_binding *, enum ls_bind, int64_t node, int64_t nodes);

/* All units, as above. */
const struct lsi_cpu_set *lsi_binding_all(struct lsi_binding *);
/* From now on, only the cores of a part. */
void lsi_binding_restrict(struct lsi_binding *, struct lsi_core_part);

/*
 * The core of each node, by its number in unit[]; -1: no binding.  Each of the workers runs
 * neighboring nodes, and is bound as the first of them.  False: no memory.
 */
bool lsi_binding_cores(enum ls_bind, int64_t workers, int64_t nodes, int *core);

static inline void lsi_cpu_set_add(struct lsi_cpu_set *cpus, int unit)
{
	cpus->word[unit / LSI_CPUS_PER_WORD] |= 1ul << unit % LSI_CPUS_PER_WORD;
}

/* Read a list of the kernel, "0-3,8".  False: it is malformed, or a number is too large. */
bool lsi_cpu_set_parse(struct lsi_cpu_set *, const char *list);
/* The first unit of a set that is >= `unit`; LSI_CPUS_MAX: none. */
int lsi_cpu_set_next(const struct lsi_cpu_set *, int unit);
/* Quota / period of a control group, "150000 100000"; INFINITY: "max", -1, or malformed. */
double lsi_cpu_quota_parse(const char *);
double lsi_cpu_quota_under(const char *groups, const char *root);

#endif
