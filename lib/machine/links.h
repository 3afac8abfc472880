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

void lsi_links_destroy(struct ls_machine *);

#endif
