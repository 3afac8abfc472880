/*
 * VARIANT=coverage includes this file before every source: a process that ends by _exit leaves its
 * counts, too.
 */
#ifndef LOCKSTEP_TEST_COUNTED_EXIT_H
#define LOCKSTEP_TEST_COUNTED_EXIT_H

#include <unistd.h>

void __gcov_dump(void); /* of gcc */

_Noreturn static inline void counted_exit(int status)
{
	__gcov_dump();
	_exit(status);
}

#define _exit(status) counted_exit(status)

#endif
