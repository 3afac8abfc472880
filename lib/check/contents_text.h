/*
 * Contents of blocks as text, in the notation of ls_replay_text (include/lockstep/replay.h).
 */
#ifndef LSI_CHECK_CONTENTS_TEXT_H
#define LSI_CHECK_CONTENTS_TEXT_H

#include <lockstep/plan.h>

#include "check/expression.h"

/*
 * What the text lists: combinations of contributions; ranks, if each block is the operand of one;
 * blocks, if all are of the root; or pairs of a rank and a block.
 */
enum lsi_notation { LSI_OF_SUMS, LSI_OF_RANKS, LSI_OF_BLOCKS, LSI_OF_PAIRS };
enum lsi_notation lsi_notation_of(enum ls_operation);

/* One block: the ranks that contributed, and the block of INPUT. */
struct lsi_block_contents {
	struct lsi_contents held;
	int64_t block;
	int64_t lowest; /* set by lsi_contents_text: of the blocks with the same ranks */
};

struct lsi_contents_list {
	enum lsi_notation notation;
	int64_t ranks, blocks; /* of the machine; of an operand */
	size_t count;
	struct lsi_block_contents *at;
};

/* Write the text, cut to `size` bytes with its final zero.  Sorts the list.  Returns the length. */
size_t lsi_contents_text(struct lsi_contents_list *, char *text, size_t size);

#endif
