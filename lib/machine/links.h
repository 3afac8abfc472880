/*
 * The directory of links and nodes that are down, and the load of links.
 */
#ifndef LSI_MACHINE_LINKS_H
#define LSI_MACHINE_LINKS_H

#include "base/math.h"
#include "machine/machine_types.h"

/*
 * Check that this node may send to the peer of the channel now.  In routed mode, count link load
 * and reroutes.  LS_OK, or the error that stopped the machine.
 */
int lsi_link_admit(const struct lsi_envelope *, const struct lsi_channel *);

/*
 * A counter of load: the upper 40 bits name a round of a group, the lower 24 bits count the
 * messages of that round on the link.  This is the name: a hash, because the number of a group has
 * 32 bits, and over processes the upper ones differ.
 */
static inline uint64_t lsi_link_load_tag(uint32_t context, int64_t round)
{
	return lsi_mix(((uint64_t)context << 32) + (uint64_t)round) >> 24 << 24;
}
/* Count one more message on a directed link; the load it has now. */
int64_t lsi_link_load_add(LSI_ATOMIC(uint64_t) * load, uint64_t tag);
/* The messages of the round; 0: another group has used the link since. */
static inline int64_t lsi_link_messages(LSI_ATOMIC(uint64_t) * load, uint64_t tag)
{
	const uint64_t value = lsi_load(load, relaxed); /* counter only */

	return value >> 24 == tag >> 24 ? (int64_t)(value & 0xffffff) : 0;
}

/* As ls_link_set with u < v, or ls_node_set with u == v, in this process. */
int lsi_link_change(struct ls_machine *, int64_t u, int64_t v, bool up);
/* A number that differs if other links or nodes are down. */
int64_t lsi_links_fingerprint(struct ls_machine *);

void lsi_links_destroy(struct ls_machine *);

#endif
