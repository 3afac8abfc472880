/*
 * Needs: the blocks that a node still reads.  A node needs a block in some state of the replay if a
 * later step sends it, or a result depends on it, before the block is written again.
 *
 * Reading the steps of a node backward gives what it needs before each.  Stored are the cells that
 * change; going forward again, each step inverts them:
 *
 *   node 0 of a broadcast to 4      before     after step 1    after step 2
 *   INPUT[0]  (sent, then copied)   needed     needed          -
 *   OUTPUT[0]                       -          -               needed
 *   changes                                    none            INPUT[0] OUTPUT[0]
 */
#ifndef LSI_CHECK_NEEDS_H
#define LSI_CHECK_NEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lsi_checker;
struct ls_plan;

/* changed[first .. first + count - 1] */
struct lsi_need_changes {
	size_t first, count;
};

struct lsi_needs {
	const struct ls_plan *plan;
	int64_t nodes, cells, steps;
	unsigned char *state;        /* of cell c of node u: state[u * cells + c] */
	struct lsi_need_changes *by; /* node u in step t: by[u * steps + t] */
	int64_t *changed;            /* cells */
	size_t changes, room;
};

/*
 * The state before the first step; LS_OK or LS_ERR_MEMORY.  Release it in both cases.  A part of a
 * plan that breaks law 0, 1 or 4 is left out: the replay ends before it.
 */
int lsi_needs_init(struct lsi_needs *, struct lsi_checker *);
void lsi_needs_fini(struct lsi_needs *);
/* From the state before a step to that after it. */
void lsi_needs_step(struct lsi_needs *, int64_t step);

/* False: the node has no such buffer. */
bool lsi_needs_block(const struct lsi_needs *, int64_t node, int buffer, int64_t block);

#endif
