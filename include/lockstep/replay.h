/*
 * Replay: what the blocks of every node hold before and after each step of a plan.
 *
 * ls_check replays a plan with symbolic contents, and an observer in its options sees them.  A
 * block holds an expression over contributions; the contribution of rank r to a block is the block
 * of the operand (INPUT) of rank r.  Node 0 in an all-reduce by doubling on 4 nodes:
 *
 *     steps done   buffer of its result   contributions   value, if the operand of rank r is r + 1
 *     0            INPUT                  0               1
 *     1            S                      0, 1            1 + 2
 *     2            OUTPUT                 0 .. 3          (1 + 2) + (3 + 4)
 *
 * A message holds what its blocks held when the step began.  No move of a round writes a block that
 * its node sends (law 4), so the sender's blocks still hold that after the step.
 */
#ifndef LOCKSTEP_REPLAY_H
#define LOCKSTEP_REPLAY_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* A replay between two steps.  It is valid only in the call of the observer that got it. */
typedef struct ls_replay ls_replay;

/*
 * The observer of a replay.  Set size to the size of the struct, and observe.
 *
 * observe is called once before the first step, and after each step that breaks no law.  If it
 * returns a value other than 0, ls_check ends at once and returns that value; the certificate then
 * proves no law.
 *
 * operand and combine are for ls_replay_value.  Set both and bytes, or none.
 *
 * needs takes memory: 16 bytes for each node and step, 1 for each block of a node, and 8 for each
 * block that a step reads or writes.
 */
struct ls_observer {
	size_t size;
	int (*observe)(void *context, const ls_replay *);
	void *context;
	size_t bytes; /* of a value */
	/* Write the value of block `block` of the operand of a rank. */
	void (*operand)(void *context, int64_t rank, int64_t block, void *out);
	/* Write the value of a (+) b; out is neither a nor b. */
	void (*combine)(void *context, const void *a, const void *b, void *out);
	bool needs; /* compute what ls_replay_needs answers */
};

LS_API const ls_plan *ls_replay_plan(const ls_replay *);
LS_API int64_t ls_replay_steps(const ls_replay *); /* that are done: 0 before the first */
/*
 * Blocks of INPUT, OUTPUT or a scratch buffer; of scratch the slots, where block i lies in slot
 * i mod slots.  0: the plan has no such buffer.
 */
LS_API int64_t ls_replay_blocks(const ls_replay *, int buffer);

/*
 * How a block states the ranks whose contributions it holds:
 *
 *   LS_HOLDS_NOTHING   the block was never written, or the node does not have the buffer
 *   LS_HOLDS_RANGE     the `count` ranks from `first` on; after the last rank comes rank 0
 *   LS_HOLDS_RANKS     `count` ranks, the lowest is `first`; ls_replay_next lists them
 *   LS_HOLDS_UNKNOWN   only a fingerprint is known: the ranks exceed ls_check_options.memory
 */
enum ls_holding { LS_HOLDS_NOTHING, LS_HOLDS_RANGE, LS_HOLDS_RANKS, LS_HOLDS_UNKNOWN };

/* What a block holds.  Fields that do not apply are -1 or false. */
struct ls_contents {
	size_t size;
	int64_t first, count;
	int64_t block; /* of INPUT, to which the ranks contributed */
	enum ls_holding holding;
	bool ordered;  /* each rank once, in the order of ranks */
	bool repeated; /* some rank more than once; false for unknown ranks */
};

/*
 * Read a block of INPUT, OUTPUT or a scratch buffer.  In place, INPUT and OUTPUT share storage.
 * ARRIVAL has no storage: read the blocks that the sender sends.  The caller sets out->size.
 *
 * Returns    LS_OK, or LS_ERR_ARGUMENT if no node has this block
 */
LS_API LS_MUST_CHECK int ls_replay_contents(
	const ls_replay *, int64_t rank, int buffer, int64_t block, struct ls_contents *out);

/*
 * The lowest rank from `least` on whose contribution a block holds.  LS_NO_RANK: there is none, or
 * the ranks are unknown, or no node has this block.
 */
LS_API int64_t ls_replay_next(
	const ls_replay *, int64_t rank, int buffer, int64_t block, int64_t least);

/*
 * Evaluate a block by the functions of the observer.  A call evaluates the combination of the
 * block and those made before it that have no value yet, each once, without recursion.
 *
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT  the block holds nothing, no node has it, or the observer has no
 *                             functions for values
 *            LS_ERR_MEMORY
 * Cost       In a whole replay: one call of combine for each different combination, and memory for
 *            its value.
 */
LS_API LS_MUST_CHECK int ls_replay_value(
	const ls_replay *, int64_t rank, int buffer, int64_t block, void *out);

/*
 * The contents of several blocks as text, as the textbooks label the nodes in their figures:
 *
 *   "0..3"          all-gather, gather, shift: the blocks of the ranks 0 to 3
 *   "0,1,6"         the blocks of the ranks 0, 1 and 6
 *   "4..7"          scatter: the blocks for the ranks 4 to 7
 *   "(0..3,4..7)"   all-to-all: the blocks of ranks 0 to 3 for ranks 4 to 7; "({0,2},1)" of ranks 0
 *                   and 2 for rank 1
 *   "0..3"          other operations: one combination of the contributions of the ranks 0 to 3
 *   "0..3; 4..7"    two combinations
 *   "0..3[0,1]"     of blocks 0 and 1 of the operands; without brackets: of all blocks
 *   "?"             unknown ranks
 *   ""              nothing
 *
 * Blocks that hold nothing are left out, and equal contents appear once.
 *
 * Shape      The text is cut to `size` bytes with its final zero.
 * Returns    the length of the whole text, or LS_ERR_ARGUMENT if no node has one of the blocks, or
 *            LS_ERR_MEMORY
 */
LS_API int64_t ls_replay_text(
	const ls_replay *, int64_t rank, const struct ls_slice *, char *text, size_t size);

/*
 * Whether a block holds something that its node still needs: a later step sends it, or the result
 * of the node depends on it, before the block is written again.  A node of a scatter needs the
 * blocks that it will pass on; after it has sent them, they lie in its buffers and are not needed.
 *
 * Returns    false also if no node has this block, or the observer did not set `needs`
 */
LS_API bool ls_replay_needs(const ls_replay *, int64_t rank, int buffer, int64_t block);

/*
 * The contents of all needed blocks of some buffers as text, in the notation of ls_replay_text.
 * Bit b of `buffers` selects buffer b: 1u << LS_OUTPUT.
 *
 * Shape, Returns    as ls_replay_text; LS_ERR_ARGUMENT also if the observer did not set `needs`
 */
LS_API int64_t ls_replay_needed_text(
	const ls_replay *, int64_t rank, uint32_t buffers, char *text, size_t size);

LS_END_DECLS
#endif
