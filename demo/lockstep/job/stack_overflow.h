/*
 * A stack that overflows ends the tool with a message that names the node.
 */
#ifndef LOCKSTEP_JOB_STACK_OVERFLOW_H
#define LOCKSTEP_JOB_STACK_OVERFLOW_H

#include <lockstep.h>

/* From now on for the nodes of this machine; NULL: no longer. */
void report_stack_overflow(const ls_machine *);

#endif
