/*
 * Placement: the cores that nodes may run on, and on which of them each would.
 */
#ifndef LOCKSTEP_PLACEMENT_H
#define LOCKSTEP_PLACEMENT_H

#include <lockstep/machine.h>

LS_BEGIN_DECLS

struct ls_placement {
	size_t size;
	int cores, units; /* allowed by affinity and cpuset; units: hardware threads */
	double quota;     /* cores' worth of time that control groups grant; 0: no limit */
	bool hwloc;       /* orders the cores by package and cache; else their numbers do */
};

/*
 * What the calling thread, and so a run that it begins, may use now.  A waiting node yields at once
 * where there are more nodes than cores, or than the quota rounded up.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (also: size is not set), LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_placement_read(struct ls_placement *);

/*
 * The units that a node would be bound to, by the kernel's numbers, e.g. "3,11"; "" for none.  Cut
 * where it is longer than `bytes`.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_placement_node(
	enum ls_bind, int64_t node, int64_t nodes, char *text, size_t bytes);

LS_END_DECLS
#endif
