/*
 * Records of messages.
 */
#ifndef LSI_PLAN_RECORD_H
#define LSI_PLAN_RECORD_H

#include <lockstep/trace.h>

enum { LSI_NO_TIME = -1 };

/* A record without times. */
static inline struct ls_record lsi_record_make(
	int64_t round, int64_t src, int64_t dst, size_t words, size_t bytes)
{
	return (
		struct ls_record){ round, src, dst, words, bytes, LSI_NO_TIME, LSI_NO_TIME, LSI_NO_TIME };
}

#endif
