/*
 * Gossip: in every round every node sends its value, and adds the value that it receives.  A
 * contribution that arrives twice is added twice, so the operation must be idempotent.  The
 * algorithm chooses the peers.
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_GOSSIP_H
#define LSI_COLLECTIVE_EXCHANGE_GOSSIP_H

#include "collective/algorithm.h"

struct lsi_frame lsi_gossip_frame(const struct lsi_problem *, int64_t rounds);
void lsi_gossip_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);
struct ls_counts lsi_gossip_counts(const struct lsi_problem *, int64_t rounds, size_t n);

#endif
