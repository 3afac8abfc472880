/*
 * Gossip: in every round every node sends what it has, and adds what arrives to it.  What is heard
 * twice is added twice, so the operation must be idempotent.  The algorithm says who talks to whom.
 */
#ifndef LS_COLLECTIVE_GOSSIP_H
#define LS_COLLECTIVE_GOSSIP_H

#include "collective/algorithm.h"

struct ls_frame ls_gossip_frame(const struct ls_problem *, int64_t rounds);
int64_t ls_gossip_shape(const struct ls_plan *, int64_t rank, int64_t round);
void ls_gossip_body(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);
struct ls_counts ls_gossip_counts(const struct ls_problem *, int64_t rounds, size_t n);

#endif
