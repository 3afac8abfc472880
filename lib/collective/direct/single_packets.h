/*
 * The functions of all-to-alls and shifts whose messages carry one packet (packets.h).
 *
 * Packets leave from INPUT, or in place from a copy of it, and wait in slots on their way.
 */
#ifndef LSI_COLLECTIVE_DIRECT_SINGLE_PACKETS_H
#define LSI_COLLECTIVE_DIRECT_SINGLE_PACKETS_H

#include "collective/direct/packets.h"

struct lsi_frame lsi_single_frame(const struct lsi_problem *);
/* The packets become plan->table; NULL: no memory. */
int lsi_single_prepare_with(struct ls_plan *, const struct lsi_packets *);
void lsi_single_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
void lsi_single_body(const struct ls_plan *, int64_t round, int64_t rank, struct ls_step *);
extern const struct lsi_whole_machine lsi_single_whole;

#endif
