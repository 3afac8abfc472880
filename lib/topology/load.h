/*
 * What crosses the directed links of a network at once, when messages follow their routes.
 */
#ifndef LS_TOPOLOGY_LOAD_H
#define LS_TOPOLOGY_LOAD_H

#include "topology/topology.h"

struct ls_load { int64_t messages, words; };

/* Begins zeroed but for the topology. */
struct ls_loads {
	const struct ls_topology *topology;
	struct ls_load *of;               /* by number of the link, see ls_loads_number            */
	int64_t *loaded;                  /* the numbers of links that something crosses, in order
	                                     of their first message                                */
	size_t n, room;
	struct ls_load most;              /* on one link                                           */
	int64_t hops;                     /* of the longest route                                  */
};

static inline int64_t ls_loads_number(const struct ls_topology *t, int64_t at, int64_t link)
{
	return at * t->degree + link;
}

/* One more message; LS_OK or LS_ERR_MEMORY. */
int ls_loads_add(struct ls_loads *, int64_t from, int64_t to, int64_t words);
/* As it was before the first message. */
void ls_loads_clear(struct ls_loads *);
void ls_loads_fini(struct ls_loads *);

#endif
