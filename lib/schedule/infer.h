/*
 * Inferring a plan from a schedule: the state that both methods share.
 *
 * A schedule lists messages without contents: (round, src, dst).  A contribution is one block of
 * INPUT of one node.  `lsi_infer_blocks` follows every contribution and moves each to the nodes
 * that need it.  `lsi_infer_sums` lets nodes send partial sums, and fails if a contribution would
 * be added twice.
 */
#ifndef LSI_SCHEDULE_INFER_H
#define LSI_SCHEDULE_INFER_H

#include <lockstep/schedule.h>

#include "base/error.h"
#include "plan/plan_table.h"

/* A message with the ports that it uses at both ends. */
struct lsi_scheduled {
	struct ls_message message;
	size_t number; /* in the order of the caller */
	uint8_t out, in;
};

struct lsi_inference {
	struct ls_plan *plan;
	struct lsi_table *table;
	struct lsi_scheduled *message; /* by round, then number */
	size_t count;
	int64_t rounds;
	bool no_memory;
	struct ls_error *why;
};

/* The lowest member of a set, which is an array of bits; -1: it is empty. */
static inline int64_t lsi_infer_lowest(const uint64_t *set, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w])
			return (int64_t)(64 * w) + __builtin_ctzll(set[w]);
	return -1;
}

/* ---- The plan of an inference, whose `why` is set; LS_OK or the error that *why describes */

int lsi_infer_begin(struct lsi_inference *, const struct ls_request *);
/* Close the table, and give the plan to *out; destroy it if status is an error. */
int lsi_infer_end(struct lsi_inference *, int status, ls_plan **out);

/* ---- The table, written front to back; failures are kept in no_memory */

void lsi_infer_step(struct lsi_inference *, bool local);
void lsi_infer_node(struct lsi_inference *, int64_t node);
void lsi_infer_action(struct lsi_inference *, struct lsi_table_action);
/* The n blocks of a buffer that index lists, as a run where they are consecutive. */
struct lsi_table_blocks lsi_infer_slice(
	struct lsi_inference *, int buffer, const int64_t *index, int64_t n);

/* ---- Rounds */

/* One end of a message of a round. */
struct lsi_part_of_round {
	int64_t node;
	bool sends;
	size_t message;
};

/* The part of a round that begins at message `first`: both ends of all messages, sorted by node. */
struct lsi_round_parts {
	struct lsi_part_of_round *part;
	size_t parts, last; /* last: the first message after the round */
};
struct lsi_round_parts lsi_infer_round(struct lsi_inference *, size_t first, int64_t round);

/*
 * Fail for a message whose sender has nothing: LS_ERR_LAW.  A message before it may lack a link;
 * then this is the cause, and is reported.
 */
int lsi_infer_fail_empty(const struct lsi_inference *, size_t number);

/* ---- All of it */

/*
 * As ls_plan_infer.  `apart`: messages carry single contributions also where they could carry sums;
 * the operands are then combined in rank order.
 */
int lsi_infer_plan(const struct ls_request *, const struct ls_message *, size_t count, bool apart,
	ls_plan **out, struct ls_error *why_or_null);

/* ---- The two methods; LS_OK, LS_ERR_MEMORY, LS_ERR_LAW, LS_ERR_UNSUPPORTED */

int lsi_infer_blocks(struct lsi_inference *);
/* LS_ERR_UNSUPPORTED: some contribution would be added twice; the table is then empty. */
int lsi_infer_sums(struct lsi_inference *);

#endif
