/*
 * The file of --input.  In a shared run process 0 reads it and hands out all operands: every
 * process computes expected results, also from operands of other nodes.
 */
#ifndef LOCKSTEP_JOB_OPERAND_FILE_H
#define LOCKSTEP_JOB_OPERAND_FILE_H

#include "data/operands.h"

/* As operands_read; all processes have the same exit code. */
int operand_file_read(struct query *, enum ls_operation, int64_t nodes, struct matrix *out);

#endif
