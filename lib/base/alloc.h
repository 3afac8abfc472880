/*
 * Allocation: the one door to the heap, so that a test can make the k-th allocation fail.
 *
 * Owns       the caller releases with lsi_free.
 * Returns    NULL when there is no memory; lsi_alloc_cache_aligned aligns to a cache line and
 * zeroes.
 */
#ifndef LSI_BASE_ALLOC_H
#define LSI_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

enum { LSI_CACHE_LINE = 64 };

void *lsi_alloc(size_t bytes);
void *lsi_alloc_zero(size_t count, size_t bytes);
void *lsi_alloc_cache_aligned(size_t bytes);
/*
 * A larger block that begins with the `used` bytes of the old one, which is gone; NULL: it is as it
 * was.
 */
void *lsi_alloc_grow(void *old_or_null, size_t used, size_t bytes);
/* *memory has at least so many bytes, their contents lost when it had fewer; false: it is as it
 * was. */
bool lsi_alloc_reserve(char **memory, size_t *have, size_t bytes);
void lsi_free(void *);

/*
 * Whole pages, zero and untouched: a page is there from the first access on, near who makes it. For
 * memory that may be most of what there is.  Released with its size.
 */
void *lsi_alloc_pages(size_t bytes);
void lsi_free_pages(void *, size_t bytes);
/* Bytes that this process may still take without another's being written out; SIZE_MAX: unknown. */
size_t lsi_memory_available(void);
/* What control groups leave of it; arguments as in groups.h; INFINITY: unknown. */
double lsi_memory_available_under(const char *groups, const char *root);

#endif
