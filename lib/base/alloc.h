/*
 * Allocation: all uses of the heap, except the file names of machine/trace_output.c, so that a test
 * can make the k-th allocation fail.
 *
 * Returns    memory that the caller releases with lsi_free; NULL: no memory.
 *            lsi_alloc_cache_aligned aligns to a cache line and clears.
 */
#ifndef LSI_BASE_ALLOC_H
#define LSI_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

enum { LSI_CACHE_LINE = 64 };

void *lsi_alloc(size_t bytes);
void *lsi_alloc_zero(size_t count, size_t bytes);
void *lsi_alloc_cache_aligned(size_t bytes);
void *lsi_alloc_lines(size_t bytes); /* aligned to a cache line, not cleared */
/*
 * Allocate a larger block, copy the first `used` bytes of the old one, and free the old one.  NULL:
 * the old one is unchanged.
 */
void *lsi_alloc_grow(void *old_or_null, size_t used, size_t bytes);
/*
 * Enlarge *memory to at least `bytes`, losing its contents; false: it is unchanged.  New memory is
 * cleared: an operator of a user may leave bytes of its result unset, and read them later.
 */
bool lsi_alloc_reserve(char **memory, size_t *have, size_t bytes);
bool lsi_alloc_reserve_lines(char **memory, size_t *have, size_t bytes); /* not cleared */
void lsi_free(void *);

/*
 * Allocate whole cleared pages, for buffers that may need most of the memory.  The first access
 * allocates a page, near the accessing core.  lsi_free_pages needs the same size.
 */
void *lsi_alloc_pages(size_t bytes);
void lsi_free_pages(void *, size_t bytes);
/* Bytes that this process may still allocate without swapping; SIZE_MAX: unknown. */
size_t lsi_memory_available(void);
/* Bytes that control groups still allow; arguments as in cgroups.h; INFINITY: no limit. */
double lsi_memory_available_under(const char *groups, const char *root);

#endif
