/*
 * Arena: many small pieces of memory that are released together.
 *
 *   struct lsi_arena arena = { 0 };   ...   lsi_arena_release(&arena);
 *
 * Returns    NULL when there is no memory; pieces are zeroed and aligned for any type
 */
#ifndef LSI_BASE_ARENA_H
#define LSI_BASE_ARENA_H

#include <stddef.h>

struct lsi_arena {
	struct lsi_arena_chunk *chunk;
	size_t left;
};

void *lsi_arena_take(struct lsi_arena *, size_t count, size_t bytes);
void lsi_arena_release(struct lsi_arena *);

#endif
