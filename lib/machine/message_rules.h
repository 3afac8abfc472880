/*
 * The rules of messages, and the texts of their errors.
 *
 * Every engine keeps the same rules: a message has two ends, a port at each, a link in hop mode,
 * and is received in the round in which it is sent.  The functions here are pure: an engine gives
 * the facts and gets the broken rule, its kind (enum ls_status) and its text.
 */
#ifndef LSI_MACHINE_MESSAGE_RULES_H
#define LSI_MACHINE_MESSAGE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lsi_message_rule {
	LSI_RULES_KEPT,
	LSI_RULE_RANK,        /* limit: the highest rank */
	LSI_RULE_SELF,        /* a node has no link to itself */
	LSI_RULE_PORT,        /* other: the peer of the message before it; limit: ports of a node */
	LSI_RULE_PEER,        /* one message from a node to another; ports count and limit carry it */
	LSI_RULE_LINK,        /* hop mode; name: the network */
	LSI_RULE_LINK_UP,     /* hop mode */
	LSI_RULE_PATH_UP,     /* routed mode */
	LSI_RULE_STRICT,      /* count: messages on a link */
	LSI_RULE_RECEIVE,     /* a message is received in its round */
	LSI_RULE_LATE,        /* other: the round of the message that was not received */
	LSI_RULE_SEND,        /* a message that is expected is sent */
	LSI_RULE_ROUND,       /* other: the round of the message that arrived */
	LSI_RULE_SIZE,        /* limit: expected, count: arrived; name: the unit, plural */
	LSI_RULE_LENGTHS,     /* the same, where all nodes call one collective */
	LSI_RULE_CALL,        /* name, peer_name: the calls of both nodes, in words */
	LSI_RULE_PEER_STAYS,  /* to send to it, or receive from it */
	LSI_RULE_READER_STAYS /* of a lent message */
};

/*
 * The facts that decide whether a node may send, or receive, one more message in its round.  Ranks
 * are those of one group.
 */
struct lsi_message_facts {
	int64_t node, peer, nodes;
	int used, ports; /* messages before it, and allowed, in this direction */
	bool is_linked;  /* in routed mode every pair of nodes is */
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

/* A broken rule, as the node sees it that reports it. */
struct lsi_message_error {
	enum lsi_message_rule rule;
	bool sends;         /* the node is the sender; else the receiver */
	int64_t node, peer; /* machine ranks */
	int64_t round;      /* of the node */
	int64_t link;       /* the network's number of it (ls_link_label), or -1 */
	const char *operation;
	/* As the rule says. */
	int64_t other, count, limit;
	const char *name, *peer_name;
};

/* Write the text, cut to `bytes`; returns the kind of the error. */
int lsi_message_describe(const struct lsi_message_error *, char *text, size_t bytes);

#endif
