/*
 * Plans of partial sums: messages that carry sums in place of single contributions.
 */
#ifndef LSI_SCHEDULE_PARTIAL_SUMS_H
#define LSI_SCHEDULE_PARTIAL_SUMS_H

#include "schedule/infer.h"
#include "schedule/deliver.h"

/*
 * Reduce-scatter, the mirror image of an all-gather of T rounds: each message of round t, which
 * brought blocks D, becomes the message back in round T + 1 - t.  It carries the sums of the blocks
 * D, and its receiver adds them.
 */
int lsi_mirror_plan(
	const struct ls_request *, const struct lsi_deliveries *, ls_plan **out, struct ls_error *why);

/*
 * All-reduce, by the messages of an all-gather.  Contributions are added as early as no node needs
 * them apart (partition.h).
 */
int lsi_merge_plan(
	const struct ls_request *, const struct lsi_deliveries *, ls_plan **out, struct ls_error *why);

/* ---- Rounds of sums */

/* Blocks send[0 .. n-1] of the sender's scratch become, or are added to, keep[0 .. n-1]. */
struct lsi_sum_message {
	int from, to;
	int64_t n;
	const int64_t *send, *keep;
};

/* Write a round: at each node its sends, its receives, then the moves. */
void lsi_sums_round(
	struct lsi_inference *, const struct lsi_sum_message *, size_t count, bool adds);

/* A local step in which every node copies `blocks` blocks. */
void lsi_sums_copy(struct lsi_inference *, int64_t blocks, int to, int from);

#endif
