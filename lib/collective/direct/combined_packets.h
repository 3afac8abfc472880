/*
 * The functions of all-to-alls and shifts whose messages carry several packets (packets.h,
 * `together`).
 *
 * Blocks wait in slots; at first the block for node d is in slot d, and that of a shift in slot 0.
 * So a message comes from one buffer.  In a message, packets that must hop again come first.
 */
#ifndef LSI_COLLECTIVE_DIRECT_COMBINED_PACKETS_H
#define LSI_COLLECTIVE_DIRECT_COMBINED_PACKETS_H

#include "collective/direct/packets.h"

struct lsi_frame lsi_combined_frame(const struct lsi_problem *);
/* NULL: no memory.  The topology keeps the packets, or the plan takes them over. */
int lsi_combined_prepare_kept(struct ls_plan *, const struct lsi_packets *);
int lsi_combined_prepare_with(struct ls_plan *, struct lsi_packets *);
void lsi_combined_release(struct ls_plan *);
void lsi_combined_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
void lsi_combined_body(const struct ls_plan *, int64_t round, int64_t rank, struct ls_step *);
extern const struct lsi_whole_machine lsi_combined_whole;

#endif
