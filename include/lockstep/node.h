/*
 * Node programs: rank, rounds, point-to-point messages, groups.
 *
 * All calls are made by the node's own thread.  A handle is of the whole machine (what the program
 * is given) or of a group (ls_split ...); ranks, size and rounds are those of the handle's group.
 *
 * The port rule holds on every call: in one round a node sends at most K messages and receives at
 * most K (K = the machine's ports, default one; ports belong to the thread: a message takes one
 * until the round of its handle ends), and in hop mode only to and from neighbours.  A message sent
 * in round r is received in round r.  Messages of one node to another arrive in order, whatever
 * handles they are sent along.  Breaking a rule stops the machine; the error names node, peer,
 * round and link.
 */
#ifndef LOCKSTEP_NODE_H
#define LOCKSTEP_NODE_H

#include <lockstep/embedding.h>
#include <lockstep/machine.h>

LS_BEGIN_DECLS

LS_API int64_t ls_rank(const ls_node *);
LS_API int64_t ls_size(const ls_node *);
LS_API int64_t ls_round(const ls_node *);                    /* the round this node is in, from 1 */
LS_API const ls_topology *ls_node_topology(const ls_node *); /* of the handle's group */

/*
 * Send bytes to a node; data may be reused when the call returns.
 * Waits    while the mailbox of the wire is full.  Messages too long for a slot are lent to the
 *          receiver: ls_next_round then waits until they have been read (in free rounds that of any
 *          handle does), so data must stay untouched until it returns (LS_ERR_* aside).  A message
 *          of up to 64 bytes is never lent.
 * Returns  LS_OK, LS_ERR_ARGUMENT (no data), LS_ERR_PORT, LS_ERR_LINK, LS_ERR_LEFT,
 *          LS_ERR_DEADLOCK, or why the machine stopped
 */
LS_API LS_MUST_CHECK int ls_send(ls_node *, int64_t to, const void *data, size_t bytes);

/*
 * Receive exactly `bytes` from a node, in this round.
 * Returns  as ls_send; LS_ERR_MATCH when the message has another size or round; LS_ERR_MISMATCH
 *          when it is that of a collective.  A peer that has called a collective and waits in it
 *          before it sends (in lockstep rounds all wait where it begins) makes a deadlock, and the
 *          roll call shows who is where.
 */
LS_API LS_MUST_CHECK int ls_receive(ls_node *, int64_t from, void *data, size_t bytes);

/* End this node's round.  In lockstep rounds: wait for all nodes of the group. */
LS_API LS_MUST_CHECK int ls_next_round(ls_node *);

/*
 * Groups.  Collective over the handle's group; every member gets a handle of its own part.
 *
 *   ls_split          nodes with equal `part`, ordered by key, then rank; wired completely, routed
 *                     over the machine. part < 0: no group, *sub = NULL.
 *   ls_split_axis     mesh and torus: the line or ring of nodes that differ in one coordinate only,
 *                     which is the rank in it.  Axis 1 of a 2-D mesh gives its rows, axis 0 its
 *                     columns.
 *   ls_split_subcube  hypercube: the subcube of nodes that agree in all bits outside mask.
 *   ls_split_substar  star: the sub-star S_k of nodes that agree in positions k+1 .. n.
 *
 * Owns     *sub belongs to the node; ls_leave, or the end of the run, destroys it.  ls_leave waits
 *          until what was lent has been read.  NULL: nothing happens.
 */
LS_API LS_MUST_CHECK int ls_split(ls_node *, int64_t part, int64_t key, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_axis(ls_node *, int axis, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_subcube(ls_node *, int64_t mask, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_substar(ls_node *, int k, ls_node **sub);
/*
 * The guest of an embedding whose host is the handle's topology: node r of the group is where the
 * embedding puts it, and other nodes have no group, *sub = NULL.  Calls in the group use the links
 * of the guest; messages travel in the mode of the handle, so in hop mode every link of the guest
 * must be one of the host.  All nodes give equal embeddings, whose guest must outlive the group.
 *
 * Returns  as ls_split; LS_ERR_ARGUMENT: another host; LS_ERR_UNSUPPORTED: hop mode, dilation above
 *          1
 */
LS_API LS_MUST_CHECK int ls_embed(ls_node *, const ls_embedding *, ls_node **sub);
LS_API void ls_leave(ls_node *sub);

LS_END_DECLS
#endif
