/*
 * Node programs: rank, rounds, point-to-point messages, groups.
 *
 * Only the node itself may use its handles.  The program gets the handle of the whole
 * machine; ls_split and its relatives make handles of groups.  Rank, size and round of a handle are
 * those of its group.
 *
 * Calls with a handle of another node, of a run that has ended or of a group that was left, or
 * NULL, return LS_ERR_ARGUMENT and change nothing.  (A node that leaves more than 64 groups may get
 * the same handle for a new group.)  Rank and size of such a handle are LS_NO_RANK and 0, but those
 * of the whole machine stay.
 *
 *   ports   In one round a node sends at most K messages and receives at most K, where the machine
 *           has K ports (default 1).  All handles of a node share its ports: a message occupies a
 *           port until the round of its handle ends.
 *   links   In hop mode a node can send only to its neighbors.
 *   rounds  A message sent in round r is received in round r.
 *   order   Messages from one node to another arrive in order, even through different handles.
 *
 * A node that breaks a rule reports an error, which names node, peer, round and link, and stops the
 * machine.
 */
#ifndef LOCKSTEP_NODE_H
#define LOCKSTEP_NODE_H

#include <lockstep/embedding.h>
#include <lockstep/machine.h>

LS_BEGIN_DECLS

LS_API int64_t ls_rank(const ls_node *);
LS_API int64_t ls_size(const ls_node *);
LS_API int64_t ls_round(const ls_node *); /* the current round, from 1 */
LS_API const ls_topology *ls_node_topology(const ls_node *);

/*
 * Send bytes to a node.
 *
 * Owns       A message of up to 64 bytes is copied.  A longer one may be a zero-copy message: the
 *            receiver reads data itself.  Do not change data until ls_next_round returns; it waits
 *            until the receiver has read the message.  In free rounds ls_next_round of any handle
 *            of the node waits for it.
 * Waits      while the mailbox of the link is full
 * Returns    LS_OK, LS_ERR_PORT, LS_ERR_LEFT, LS_ERR_DEADLOCK, the status that stopped the machine,
 *            or
 *            LS_ERR_ARGUMENT    data is NULL
 *            LS_ERR_LINK        no such rank, the node itself, no link, or what it needs is down:
 *                               see ls_link_set
 *            LS_ERR_CONGESTION  strict mode: a second message on a link in this round
 */
LS_API LS_MUST_CHECK int ls_send(ls_node *, int64_t to, const void *data, size_t bytes);

/*
 * Receive exactly `bytes` from a node in this round.
 *
 * Returns    as ls_send, and
 *            LS_ERR_MATCH     the message has another size or round
 *            LS_ERR_MISMATCH  the message belongs to a collective operation
 *            LS_ERR_UNTAKEN   a message that the peer sent before was not received in its round
 *            LS_ERR_DEADLOCK  also if the peer waits in a collective operation that this node has
 *                             not called; ls_blocked_on shows where each node waits
 */
LS_API LS_MUST_CHECK int ls_receive(ls_node *, int64_t from, void *data, size_t bytes);

/*
 * End the current round.  In lockstep rounds it waits for all nodes of the group.
 *
 * Returns    as ls_send, and
 *            LS_ERR_UNTAKEN  a message that this node sent in the round was not received
 */
LS_API LS_MUST_CHECK int ls_next_round(ls_node *);

/*
 * Split the handle's group into smaller groups.  All members call the same function; each gets a
 * handle of the group that it belongs to.
 *
 *   ls_split          nodes with equal `part`, ordered by key, then rank.  Any two members are
 *                     linked; messages are routed over the machine.  part < 0: the node gets no
 *                     group, and *sub is NULL.
 *   ls_split_axis     mesh and torus: the line or ring of nodes that differ only in the coordinate
 *                     `axis`; the rank is this coordinate.  On a 2-D mesh axis 1 gives the rows,
 *                     and axis 0 the columns.
 *   ls_split_subcube  hypercube: the subcube of nodes that agree in all bits outside mask
 *   ls_split_substar  star: the sub-star S_k of nodes that agree in positions k+1 .. n
 *
 * Owns       *sub belongs to the node.  ls_leave destroys it; the end of the run destroys all that
 *            are left.  ls_leave waits until receivers have read all zero-copy messages, and
 *            ignores NULL.
 */
LS_API LS_MUST_CHECK int ls_split(ls_node *, int64_t part, int64_t key, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_axis(ls_node *, int axis, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_subcube(ls_node *, int64_t mask, ls_node **sub);
LS_API LS_MUST_CHECK int ls_split_substar(ls_node *, int k, ls_node **sub);
/*
 * Make a group whose network is the guest of an embedding.  The host of the embedding is the
 * topology of the handle.  A node of the host without a node of the guest gets no group: *sub is
 * NULL.  Calls in the group use the links of the guest; messages travel in the mode of the handle.
 *
 * Shape      All nodes pass equal embeddings.
 * Owns       The guest must outlive the group.
 * Returns    as ls_split, and
 *            LS_ERR_ARGUMENT     the embedding has another host
 *            LS_ERR_UNSUPPORTED  hop mode with a dilation above 1
 */
LS_API LS_MUST_CHECK int ls_embed(ls_node *, const ls_embedding *, ls_node **sub);
LS_API void ls_leave(ls_node *sub);

/*
 * Go on after an error, in a machine with the option recover: get a group of the nodes that live.
 *
 * When a node has ended that others need, or any node has reported an error, the machine stops, and
 * calls return the status of this error until ls_shrink.  Every node whose program has not
 * returned calls it, or returns.  ls_shrink waits for all of them.  Then the machine runs again,
 * without any message of before, and ls_run returns only the errors of later.  The new group has
 * the callers, ordered by rank; any two are linked, and messages are routed, as in ls_split.
 *
 * A call that succeeds at some nodes may fail at others.  So nodes that must agree make one more
 * call, as ls_barrier: without a node it fails at all others.
 *
 *     static int sum_of_all(ls_node *group, ...)
 *     {
 *         const int failed = ls_allreduce(group, mine, sum, n, LS_DOUBLE, LS_SUM);
 *
 *         return failed ? failed : ls_barrier(group);
 *     }
 *
 *     struct ls_error why = { sizeof why };
 *     int failed = sum_of_all(group, ...);
 *
 *     while (failed && !ls_shrink(group, &group, &why)
 *         && (why.kind == LS_ERR_LEFT || why.kind == LS_ERR_PROGRAM))
 *         failed = sum_of_all(group, ...);
 *
 * Go on only after these two: other errors, as that of a link that is down, would come again.
 *
 * why        The error.  If a node ended: kind LS_ERR_LEFT and its rank in `peer`, or
 *            LS_ERR_PROGRAM and its rank in `node` if its program returned non-zero.
 * Owns       As ls_split.  The calls end all groups: their handles are as after ls_leave.  That of
 *            the whole machine stays valid, with the nodes that have ended as members.
 * Returns    LS_ERR_FORK, LS_ERR_ARGUMENT (sub is NULL, or the machine has not the option, or has
 *            not stopped), LS_ERR_UNSUPPORTED (the machine has a world or a trace); or the same at
 *            all callers:
 *            LS_OK
 *            LS_ERR_MEMORY   the machine stays stopped; call it again for the whole machine
 *            LS_ERR_TIMEOUT, or the status of ls_machine_stop: no error of this run can be ended
 *                            any more.  ls_run returns the error that was not ended
 */
LS_API LS_MUST_CHECK int ls_shrink(ls_node *, ls_node **sub, struct ls_error *why_or_null);

LS_END_DECLS
#endif
