/*
 * Replays the steps of a plan on terms, which take the place of elements.
 */
#ifndef LOCKSTEP_DATA_TERM_REPLAY_H
#define LOCKSTEP_DATA_TERM_REPLAY_H

#include <lockstep.h>

/* The term of a block that was never written, and of a combination with one. */
enum { NO_TERM = -1 };

/* left (+) right, of elements of one block of the operands */
struct combination {
	int32_t left, right, block;
};

/*
 * Term r * blocks + b is block b of the operand of node r.  Later ones are combinations of terms
 * with lower numbers.  Equal terms have equal numbers.
 *
 *     node 0   INPUT[0] = 0 --.                       number   term
 *                              \                         0     operand of node 0
 *     node 1   INPUT[0] = 1     +->  OUTPUT[0] = 2       1     operand of node 1
 *                                                        2     0 (+) 1
 */
struct term_set {
	int64_t blocks, operands; /* blocks of an operand; of all operands */
	struct combination *combination;
	int32_t combinations, room;
	int32_t *table; /* of combinations by hash; 0: empty; 2 * room entries */
};

/* The combination of a term; NULL: it is an operand. */
const struct combination *combination_of(const struct term_set *, int32_t term);
/* The block of the operands that a term combines. */
int32_t block_of(const struct term_set *, int32_t term);

/* A growing list of terms. */
struct terms {
	int32_t *term;
	size_t count, room;
};

struct term_message {
	int64_t src, dst, next; /* next: to the same node; -1: none */
	size_t first, count;    /* of its terms in `sent` */
};

struct term_replay {
	const ls_plan *plan;
	struct ls_request request; /* of the plan */
	int64_t nodes;
	struct term_set set;
	size_t left;   /* blocks that may be stored or moved; 0: the replay ended at a limit */
	size_t memory; /* bytes that may be allocated */

	struct terms *buffer;         /* [node * LS_BUFFERS + buffer] */
	struct term_message *message; /* of the last round */
	int64_t messages, *inbox;     /* the first message to each node; -1: none */
	struct terms sent;            /* contents of the messages */
};

/* Stores the operands.  At a limit, of blocks or of bytes, the replay stays incomplete. */
struct term_replay term_replay_begin(const ls_plan *, size_t blocks, size_t memory);
void term_replay_step(struct term_replay *, int64_t index);
/* Frees all but the combinations. */
void term_replay_end(struct term_replay *);

/* The term in a block of a buffer of a node. */
int32_t term_at(const struct term_replay *, int64_t rank, int buffer, int64_t block);

#endif
