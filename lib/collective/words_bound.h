/*
 * Lower bounds of the volume of a plan: the words of the longest message, summed over the rounds.
 * They hold for every algorithm, for messages of any number of blocks.
 *
 * Let T be the volume.  A node sends, and receives, at most T words in all over one port, since no
 * message is longer than the longest one of its round.
 *
 *   all-gather, reduce-scatter, broadcast, reduce, scan
 *       The nodes of a set V receive all their words from their neighbors N(V).  If each needs w
 *       words, then |V| w <= |N(V)| T.  The set that gives most is found by flows.  Reduce and
 *       reduce-scatter are the broadcast and all-gather in reverse time order.  A root needs
 *       nothing, nor does rank 0 in a scan.
 *       A cut node, without which the network falls into c parts, sends each block into all parts
 *       but the one that it comes from: in an all-gather (c - 1) p + 1 blocks, in a broadcast
 *       (c - 1) m words, as a root c m words.
 *   all-reduce
 *       An element takes 2 (p - 1) messages in all, so T >= 2 (p - 1) / p m; and each node
 *       receives m words.  A cut node sends m words into each part, with contributions from outside
 *       of it.
 *   scatter, gather
 *       All blocks but one leave the root, or reach it.
 */
#ifndef LSI_COLLECTIVE_WORDS_BOUND_H
#define LSI_COLLECTIVE_WORDS_BOUND_H

#include "plan/plan_internal.h"

/* A fraction. */
struct lsi_ratio {
	int64_t numerator, denominator;
};

/*
 * The largest |V| / |N(V)| of sets of nodes without `source`, at least 1: a single node receives at
 * most T words.  source < 0: of all sets.  1 on networks of many nodes or with switches;
 * 0 / 0: no memory.  Kept with the topology.
 */
struct lsi_ratio lsi_expansion(const struct ls_topology *, int64_t source);

/* The bound for n elements; -1: none is known, or no memory. */
int64_t lsi_words_bound(const struct lsi_problem *, size_t n);

#endif
