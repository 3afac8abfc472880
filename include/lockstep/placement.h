/*
 * Placement: the cores that the process may use, and the binding of nodes to them.
 */
#ifndef LOCKSTEP_PLACEMENT_H
#define LOCKSTEP_PLACEMENT_H

#include <lockstep/machine.h>

LS_BEGIN_DECLS

struct ls_placement {
	size_t size;
	int cores;    /* allowed by affinity and cpuset */
	int units;    /* hardware threads of these cores */
	double quota; /* CPU time per second that control groups grant, in cores; 0: no limit */
	bool hwloc;   /* true: cores are ordered by package and cache; false: by number */
};

/*
 * Read the placement of the calling thread.  Every run that this thread starts has the same one.
 * With more nodes than cores, or than the quota rounded up, a waiting node yields at once.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT (out is NULL, or its size is 0), LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_placement_read(struct ls_placement *);

/*
 * Write the hardware threads to which a run of `nodes` nodes binds a node, as the kernel numbers
 * them: "3,11"; "" means no binding.  A worker of light nodes is bound as its first node.  The text
 * is cut to `bytes`, including the final 0.
 *
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_placement_node(
	enum ls_bind, int64_t node, int64_t nodes, char *text, size_t bytes);

/*
 * Find the core of each node of a run by ls_run: core[r] of node r is its number, from 0 in the
 * order of the binding.  Nodes with the same number share a core.  -1: the node is not bound.
 *
 * Shape      core has `nodes` elements.
 * Returns    LS_OK, LS_ERR_ARGUMENT, LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_placement_cores(
	enum ls_bind, enum ls_node_kind, int64_t nodes, int *core);

LS_END_DECLS
#endif
