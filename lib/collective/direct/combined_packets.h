/*
 * The functions of all-to-alls whose messages carry several packets (packets.h, `together`).
 *
 * Blocks wait in slots; at first the block for node d is in slot d.  So a message comes from one
 * buffer.  In a message, packets that must hop again come first.
 */
#ifndef LSI_COLLECTIVE_DIRECT_COMBINED_PACKETS_H
#define LSI_COLLECTIVE_DIRECT_COMBINED_PACKETS_H

#include "collective/direct/packets.h"

struct lsi_frame lsi_combined_frame(const struct lsi_problem *);
/* Takes over the packets; NULL: no memory. */
int lsi_combined_prepare_with(struct ls_plan *, struct lsi_packets *);
void lsi_combined_release(struct ls_plan *);
/* Takes over the packets, and counts their messages and words; NULL: no memory. */
struct ls_counts lsi_combined_predict_with(struct lsi_packets *, size_t n);
void lsi_combined_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
void lsi_combined_body(const struct ls_plan *, int64_t round, int64_t rank, struct ls_step *);
extern const struct lsi_whole_machine lsi_combined_whole;

#endif
