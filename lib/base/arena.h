/*
 * Arena: many small pieces of memory that are released together.
 *
 *   struct lsi_arena arena = { 0 };   ...   lsi_arena_release(&arena);
 *
 * lsi_arena_take aligns to any type, lsi_arena_take_lines to a cache line.
 *
 * Returns    zeroed memory; NULL: there is none
 *
 * A hundred thousand arenas of some KiB each should have a common source, which cuts their chunks
 * from large ones: these are fewer allocations, and huge pages.
 *
 * lsi_arena_print returns a text as printf writes it, of any length.
 */
#ifndef LSI_BASE_ARENA_H
#define LSI_BASE_ARENA_H

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

struct lsi_arena {
	struct lsi_arena_chunk *chunk;   /* the newest */
	size_t used;                     /* bytes of it */
	struct lsi_arena_source *source; /* of small chunks; NULL: the heap */
};

/* Any thread may use an arena of the source.  Its memory lasts until the end of the source. */
struct lsi_arena_source {
	pthread_mutex_t lock;
	struct lsi_arena arena;
};

void lsi_arena_source_init(struct lsi_arena_source *);
void lsi_arena_source_fini(struct lsi_arena_source *);

void *lsi_arena_take(struct lsi_arena *, size_t count, size_t bytes);
void *lsi_arena_take_lines(struct lsi_arena *, size_t bytes);
char *lsi_arena_print(struct lsi_arena *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *lsi_arena_print_list(struct lsi_arena *, const char *format, va_list);
void lsi_arena_release(struct lsi_arena *);

#endif
