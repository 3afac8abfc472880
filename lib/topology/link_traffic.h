/*
 * The messages and words on the directed links of a network, when messages follow their routes.
 */
#ifndef LSI_TOPOLOGY_LINK_TRAFFIC_H
#define LSI_TOPOLOGY_LINK_TRAFFIC_H

#include "topology/topology_internal.h"

struct lsi_link_traffic {
	int64_t messages, words;
};

/* Initialize all fields but the topology to zero. */
struct lsi_link_traffics {
	const struct ls_topology *topology;
	struct lsi_link_traffic *of; /* by number of the link, see lsi_link_traffics_number */
	int64_t *loaded;             /* the numbers of the links with a message, by first message */
	size_t n, room;
	struct lsi_link_traffic most; /* on one link */
	int64_t hops;                 /* of the longest route */
};

static inline int64_t lsi_link_traffics_number(
	const struct ls_topology *t, int64_t at, int64_t link)
{
	return at * t->degree + link;
}

/* Add a message along its route; LS_OK or LS_ERR_MEMORY. */
int lsi_link_traffics_add(struct lsi_link_traffics *, int64_t from, int64_t to, int64_t words);
/* Remove all messages. */
void lsi_link_traffics_clear(struct lsi_link_traffics *);
void lsi_link_traffics_fini(struct lsi_link_traffics *);

#endif
