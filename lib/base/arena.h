/*
 * Arena: many small pieces of memory that are released together.
 *
 *   struct ls_arena arena = { 0 };   ...   ls_arena_release(&arena);
 *
 * Returns    NULL when there is no memory; pieces are zeroed and aligned for any type
 */
#ifndef LS_BASE_ARENA_H
#define LS_BASE_ARENA_H

#include <stddef.h>

struct ls_arena {
	struct ls_arena_chunk *chunk;
	size_t left;
};

void *ls_arena_take(struct ls_arena *, size_t count, size_t bytes);
void ls_arena_release(struct ls_arena *);

#endif
