/*
 * The shape of the operands and results of an operation on p nodes.
 */
#ifndef LOCKSTEP_DATA_OPERAND_SHAPE_H
#define LOCKSTEP_DATA_OPERAND_SHAPE_H

#include <lockstep.h>

/* Blocks of an operand, and of a result: 1 or p. */
size_t blocks_given(enum ls_operation, int64_t nodes);
size_t blocks_got(enum ls_operation, int64_t nodes);

/* Blocks of a buffer with the result; in place it also has the operand. */
size_t blocks_held(const struct ls_request *, int64_t nodes);

/* Elements before a block of a vector of n; the first n mod `blocks` blocks are longer by one. */
size_t elements_before(size_t n, int64_t blocks, int64_t block);

/* Whether the node of this rank has an operand; a result. */
bool has_operand(enum ls_operation, int64_t root, int64_t rank);
bool has_result(enum ls_operation, int64_t root, int64_t rank);

/* Whether it has elements to move or combine; a root; a distance. */
bool has_elements(enum ls_operation);
bool has_root(enum ls_operation);
bool has_distance(enum ls_operation);

/* Whether it combines elements. */
bool combines(enum ls_operation);

/*
 * Whether a call in place leaves the operands unchanged, because they are blocks of the results, or
 * the reverse: then another call has the same results.
 */
bool keeps_operands(enum ls_operation);

/* Whether all results are the same. */
bool is_shared(enum ls_operation);

/* Whether its elements are pairs {value, index}: a reduction by minloc or maxloc. */
bool takes_pairs(enum ls_operation, ls_op);

#endif
