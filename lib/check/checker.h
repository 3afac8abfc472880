/*
 * The state of one proof, and its parts: each proves some of the laws for one node in one step, and
 * returns LS_OK, LS_ERR_LAW with the certificate filled in, or LS_ERR_MEMORY.
 *
 * All nodes of a step pass lsi_check_shape and lsi_check_link before any passes lsi_check_replay.
 * Law 4 then holds, so the replay may read a message from its sender's memory, in any order of the
 * nodes.
 */
#ifndef LSI_CHECK_CHECKER_H
#define LSI_CHECK_CHECKER_H

#include <lockstep/check.h>

#include "check/expression.h"
#include "check/observer.h"
#include "plan/plan_internal.h"
#include "topology/link_traffic.h"

/* The position of a cell in the current slice; valid if stamp is the checker's. */
struct lsi_mark {
	int64_t stamp, position;
};

struct lsi_checker {
	const struct ls_plan *plan;
	struct ls_check_options options;
	size_t n;
	struct ls_certificate *out;
	int64_t nodes, cells;

	struct lsi_mark *mark; /* of each cell of the current node */
	int64_t stamp;

	struct lsi_expressions values;
	lsi_value *memory;  /* the cells of each node, from `unstored` on */
	int64_t unstored;   /* cells of INPUT, which no move writes; in place 0 */
	uint64_t *received; /* law 7: for each node and block a set; NULL: not checked */

	int64_t messages, taken;        /* sent and received in this step */
	size_t longest;                 /* words of the longest message of this step */
	enum ls_mode mode;              /* of law 3 */
	struct lsi_link_traffics loads; /* routed: of the links of its network in this step */

	struct ls_replay replay; /* for the observer */
	struct lsi_evaluated evaluated;
};

/* Where a law is broken.  Fields that do not apply are -1. */
struct lsi_violation_at {
	int64_t node, peer, step, link;
};

int lsi_check_fail(struct lsi_checker *, enum ls_law, struct lsi_violation_at, const char *format,
	...) __attribute__((format(printf, 4, 5)));

/* Laws 0, 1 and 4. */
int lsi_check_shape(struct lsi_checker *, int64_t node, int64_t step, const struct ls_step *);
/* Law 3 for what a node sends; and at the end of a step, for the loads of its links. */
int lsi_check_link(struct lsi_checker *, int64_t node, int64_t step, const struct ls_step *);
int lsi_check_loads(struct lsi_checker *, int64_t step);
/*
 * Laws 2, 5, 7; of law 0 that no move mixes blocks.  At the end of a step: every message was
 * received.
 */
int lsi_check_replay(struct lsi_checker *, int64_t node, int64_t step, const struct ls_step *);
int lsi_check_received(struct lsi_checker *, int64_t step);
/* Law 5, at the end of the plan. */
int lsi_check_results(struct lsi_checker *);
/* Law 8, for the whole plan. */
int lsi_check_zero_copy(struct lsi_checker *);

/* The value in a block of a node's own buffers; LSI_UNDEFINED: never written, or no such buffer. */
lsi_value lsi_check_value(const struct lsi_checker *, int64_t node, int buffer, int64_t block);

static inline bool lsi_is_arrival(int buffer)
{
	return buffer >= LS_ARRIVAL && buffer < LS_SCRATCH;
}

/* Words for messages: "OUTPUT[3]"; "move 2 reads", or the verb alone for move 0. */
struct lsi_message_text {
	char text[48];
};
struct lsi_message_text lsi_block_name(int buffer, int64_t block);
struct lsi_message_text lsi_move_text(int move, const char *verb);

#endif
