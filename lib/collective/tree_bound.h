/*
 * Lower bounds of the rounds on networks that are trees, in hop mode with one port; the bounds are
 * exact.
 *
 * Broadcast: b(root), by the best order of sends at each node (Slater, Cockayne, Hedetniemi 1981).
 *
 * Gossip, where every node must hear of every other one: 2 b - 1, b the least b(v) of all nodes.
 * Proof.  For neighbors u, v let f(u, v) be the round of the first message from u to v when u knows
 * all of its side of the link, without v's.  These are different rounds for different u, and for
 * different v; and f(w, u) < f(u, v) for every other neighbor w of u.  A node v is complete after
 * the last f(u, v).  Let t be the first round after which nodes are complete, and S these nodes.
 *
 * t >= b, since a gather to a node of S takes as many rounds as a broadcast from it.
 *
 * S is one node or two neighbors.  Suppose x and y of S are not neighbors, and a is the neighbor
 * of x toward y.  On the way to y, x's side passed x -> a before round t.  Up to round t, a sent
 * all of its side to x, so a knew it before round t.  Then a was complete before round t: a
 * contradiction.
 *
 * Every node z outside S has f(u, z) > t, u its neighbor toward the nearest x of S.  Else u knew
 * all but z's side before round f(u, z) <= t, and z's side reached x, and so passed z -> u, by
 * round t.  If u is not x, it passed before round t, and u was complete before round t.  If u is
 * x, either it passed before round t, and x was complete before round t, or in round t; then z
 * knew its side before, and is complete after round t.  All are contradictions.
 *
 * So the rounds after t contain a broadcast from S.  From one node this takes b rounds or more,
 * from two neighbors b - 1 or more, because one more round informs the second.
 */
#ifndef LSI_COLLECTIVE_TREE_BOUND_H
#define LSI_COLLECTIVE_TREE_BOUND_H

#include "topology/topology_internal.h"

bool lsi_is_tree(const struct ls_topology *);
/* A node of a tree whose broadcast takes the fewest rounds; LS_NO_RANK: no memory. */
int64_t lsi_tree_center(const struct ls_topology *);

/* 0: not a tree, too many nodes, or no memory. */
int64_t lsi_tree_broadcast_bound(const struct ls_topology *, int64_t root);
int64_t lsi_tree_gossip_bound(const struct ls_topology *);

#endif
