/*
 * A mark of bytes: equal bytes have equal marks, and others hardly ever (FNV-1a).
 */
#ifndef LOCKSTEP_BASE_MARK_H
#define LOCKSTEP_BASE_MARK_H

#include <stddef.h>
#include <stdint.h>

#define MARK_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The mark of the bytes before, and these behind them. */
static inline uint64_t mark_bytes(uint64_t before, const void *data, size_t bytes)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < bytes; i++)
		before = (before ^ byte[i]) * UINT64_C(0x100000001b3);
	return before;
}

#endif
