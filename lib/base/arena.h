/*
 * Arena: many small pieces of memory that are released together.
 *
 *   struct lsi_arena arena = { 0 };   ...   lsi_arena_release(&arena);
 *
 * lsi_arena_take aligns to any type, lsi_arena_take_lines to a cache line.
 *
 * Returns    zeroed memory; NULL: there is none
 *
 * lsi_arena_print returns a text as printf writes it, of any length.
 */
#ifndef LSI_BASE_ARENA_H
#define LSI_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct lsi_arena {
	struct lsi_arena_chunk *chunk; /* the newest */
	size_t used;                   /* bytes of it */
};

void *lsi_arena_take(struct lsi_arena *, size_t count, size_t bytes);
void *lsi_arena_take_lines(struct lsi_arena *, size_t bytes);
char *lsi_arena_print(struct lsi_arena *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *lsi_arena_print_list(struct lsi_arena *, const char *format, va_list);
void lsi_arena_release(struct lsi_arena *);

#endif
