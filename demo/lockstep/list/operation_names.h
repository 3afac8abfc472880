/*
 * Names of operations in textbooks.
 */
#ifndef LOCKSTEP_LIST_OPERATION_NAMES_H
#define LOCKSTEP_LIST_OPERATION_NAMES_H

#include <lockstep.h>

/* list_objects.c: "all-to-all broadcast". */
const char *operation_textbook_name(enum ls_operation);

#endif
