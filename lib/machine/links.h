/*
 * The directory of links that are down, and the load of links.
 */
#ifndef LSI_MACHINE_LINKS_H
#define LSI_MACHINE_LINKS_H

#include "machine/machine_types.h"

/*
 * Check that this node may send to the peer of the channel now.  In routed mode, count link load
 * and reroutes.  LS_OK, or the error that stopped the machine.
 */
int lsi_link_admit(const struct lsi_envelope *, const struct lsi_channel *);

/* As ls_link_set with u < v, in this process. */
int lsi_link_change(struct ls_machine *, int64_t u, int64_t v, bool up);
/* A number that differs if other links are down. */
int64_t lsi_links_fingerprint(struct ls_machine *);

void lsi_links_destroy(struct ls_machine *);

#endif
