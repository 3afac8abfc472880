/*
 * The state of one proof, and its parts: each proves some of the laws for one node in one step, and
 * returns LS_OK, LS_ERR_LAW with the certificate filled in, or LS_ERR_MEMORY.
 *
 * All nodes of a step pass ls_check_shape and ls_check_link before any passes ls_check_replay.
 * Law 4 then holds, so the replay may read what was sent from its sender's memory, in any order
 * of the nodes.
 */
#ifndef LS_CHECK_CHECKER_H
#define LS_CHECK_CHECKER_H

#include <lockstep/check.h>

#include "check/expression.h"
#include "plan/plan.h"
#include "topology/load.h"

/* Where a cell was last seen in the slice at hand; holds while stamp is the checker's. */
struct ls_mark { int64_t stamp, position; };

struct ls_checker {
	const struct ls_plan *plan;
	struct ls_check_options options;
	size_t n;
	struct ls_certificate *out;
	int64_t nodes, cells;

	struct ls_mark *mark;           /* of each cell of the node at hand                   */
	int64_t stamp;

	struct ls_expressions values;
	ls_value *memory;               /* the cells of each node, from `unstored` on          */
	int64_t unstored;               /* cells of INPUT, which no move writes; in place 0    */
	uint64_t *received;             /* law 7: for each node and block a set; NULL: open    */

	int64_t messages, taken;        /* sent and received in this step                     */
	size_t longest;                 /* words of the longest message of this step          */
	enum ls_mode mode;              /* of law 3                                           */
	struct ls_loads loads;          /* routed: of the links of its network in this step   */
};

/* Where a law is broken: what does not apply is -1.  step -1: no step. */
struct ls_place { int64_t node, peer, step, link; };

int ls_check_violated(struct ls_checker *, enum ls_law, struct ls_place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Laws 0, 1 and 4. */
int ls_check_shape(struct ls_checker *, int64_t node, int64_t step, const struct ls_step *);
/* Law 3 for what a node sends; and at the end of a step, for the loads of its links. */
int ls_check_link(struct ls_checker *, int64_t node, int64_t step, const struct ls_step *);
int ls_check_loads(struct ls_checker *, int64_t step);
/* Laws 2, 5, 7; of law 0 that no move mixes blocks.  At the end of a step: all sent was taken. */
int ls_check_replay(struct ls_checker *, int64_t node, int64_t step, const struct ls_step *);
int ls_check_taken(struct ls_checker *, int64_t step);
/* Law 5: what the nodes hold in the end. */
int ls_check_results(struct ls_checker *);
/* Law 8, of the whole plan. */
int ls_check_lending(struct ls_checker *);

/*
 * What a block of OUTPUT holds in the end: the contributions of the ranks first .. first+count-1
 * to a block of INPUT.  count 0: what it held before.
 */
struct ls_wanted { int64_t first, count, block; };
struct ls_wanted ls_check_wanted(const struct ls_plan *, int64_t rank, int64_t block);

/* The value in a block of a node's own buffers; LS_UNDEFINED: never written, or no such buffer. */
ls_value ls_check_value(const struct ls_checker *, int64_t node, int buffer, int64_t block);

static inline bool ls_is_arrival(int buffer)
{
	return buffer >= LS_ARRIVAL && buffer < LS_SCRATCH;
}

/* Words for messages: "OUTPUT block 3"; "move 2 reads", or the verb alone when it is of no move. */
struct ls_words { char text[48]; };
struct ls_words ls_block_name(int buffer, int64_t block);
struct ls_words ls_doing(int move, const char *verb);

#endif
