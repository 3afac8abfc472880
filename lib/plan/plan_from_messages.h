/*
 * A plan of messages without contents.
 *
 * The messages may break the rule of ports, and ls_step holds at most LS_PORTS messages each way.
 * A reader that checks the rules therefore takes a node's messages from the sorted lists.
 */
#ifndef LSI_PLAN_PLAN_FROM_MESSAGES_H
#define LSI_PLAN_PLAN_FROM_MESSAGES_H

#include <lockstep/schedule.h>

#include "plan/plan_internal.h"

/* Consecutive messages of a list. */
struct lsi_message_range {
	const struct ls_message *const *begin, *const *end;
};

struct lsi_message_list {
	const struct ls_message **row;
	size_t n;
};

/* All messages, sorted by round, then node, then as the caller listed them. */
struct lsi_message_index {
	struct lsi_message_list sent;     /* the node is src */
	struct lsi_message_list received; /* the node is dst; also messages that are never sent */
	struct ls_counts counts;
};

/* NULL: the plan has contents. */
const struct lsi_message_index *lsi_message_index_of(const struct ls_plan *);

/*
 * Set *out to NULL, and check that the arguments of ls_plan_infer or ls_plan_from_messages are
 * there.  LS_OK or LS_ERR_ARGUMENT.
 */
int lsi_schedule_begin(const struct ls_request *, const struct ls_message *, size_t count,
	ls_plan **out, struct ls_error *why_or_null);

/* The messages that the nodes first .. last-1 send, or receive, in a step. */
struct lsi_message_range lsi_messages_sent(
	const struct lsi_message_index *, int64_t step, int64_t first, int64_t last);
struct lsi_message_range lsi_messages_received(
	const struct lsi_message_index *, int64_t step, int64_t first, int64_t last);

#endif
