/*
 * The rules of messages, and the texts of their errors.
 *
 * All engines enforce the same rules.  A message goes from one node to another.  It occupies a port
 * at both.  In hop mode, a link connects them.  The message is received in the round in which it is
 * sent.  The functions here are pure: an engine passes the facts, and gets the broken rule, its
 * kind (enum ls_status) and its text.
 */
#ifndef LSI_MACHINE_MESSAGE_RULES_H
#define LSI_MACHINE_MESSAGE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lsi_message_rule {
	LSI_RULES_KEPT,
	LSI_RULE_RANK,        /* the rank exists; limit: the highest rank */
	LSI_RULE_SELF,        /* the peer is another node */
	LSI_RULE_PORT,        /* a port is free; other: the first peer; limit: ports of a node */
	LSI_RULE_PEER,        /* one message per pair and round; count, limit: the two ports used */
	LSI_RULE_LINK,        /* hop mode: the peer is a neighbor; name: the network */
	LSI_RULE_LINK_UP,     /* hop mode: the link is up */
	LSI_RULE_NODE_UP,     /* the sender is up */
	LSI_RULE_PEER_UP,     /* the receiver is up */
	LSI_RULE_PATH_UP,     /* routed mode: some path is up; name: what cuts all of them */
	LSI_RULE_PATH_MEMORY, /* routed mode: there is memory to find it */
	LSI_RULE_STRICT,      /* count: messages on a link; other, limit: its two ends */
	LSI_RULE_RECEIVE,     /* a message is received in its round */
	LSI_RULE_LATE,        /* the same, seen later; other: the round of that message */
	LSI_RULE_SEND,        /* a message that is expected is sent */
	LSI_RULE_ROUND,       /* the next message is of this round; other: its round */
	LSI_RULE_SIZE,        /* sizes agree; limit: expected; count: arrived; name: unit, plural */
	LSI_RULE_LENGTHS,     /* the same, inside one collective call */
	LSI_RULE_CALL,        /* all nodes make the same call; name, peer_name: the two calls */
	LSI_RULE_PEER_STAYS,  /* the peer has not ended when this node sends or receives */
	LSI_RULE_READER_STAYS /* the receiver of a zero-copy message has not ended before reading it */
};

/*
 * The facts that decide whether a node may send, or receive, one more message in its round.  All
 * ranks are ranks in one group.
 */
struct lsi_message_facts {
	int64_t node, peer, nodes;
	int used, ports; /* ports in use before this message; ports allowed (in this direction) */
	bool is_linked;  /* a link connects the nodes, or the mode is routed */
};

static inline enum lsi_message_rule lsi_message_check(const struct lsi_message_facts *m)
{
	if (m->peer < 0 || m->peer >= m->nodes)
		return LSI_RULE_RANK;
	if (m->peer == m->node)
		return LSI_RULE_SELF;
	if (m->used >= m->ports)
		return LSI_RULE_PORT;
	return m->is_linked ? LSI_RULES_KEPT : LSI_RULE_LINK;
}

/* A directed link, and the messages that cross it in one round. */
struct lsi_link_load {
	int64_t from, to, messages;
};

/* A broken rule, as the node that reports it sees it. */
struct lsi_message_error {
	enum lsi_message_rule rule;
	bool sends;         /* the node is the sender; else the receiver */
	int64_t node, peer; /* machine ranks */
	int64_t round;      /* of the node */
	int64_t link;       /* the label of the link (ls_link_label), or -1 */
	const char *operation;
	int64_t other, count, limit; /* their meaning depends on the rule */
	const char *name, *peer_name;
};

/* Write the text, truncated to `bytes`.  Returns the kind of the error. */
int lsi_message_describe(const struct lsi_message_error *, char *text, size_t bytes);

#endif
