/*
 * The memory of a sweep, in one piece.
 *
 * One piece of at most LSI_SWEEP_KEPT bytes stays in the process for the next sweep: its pages need
 * not be allocated again, which takes longer than a sweep of 1,024 nodes.
 */
#ifndef LSI_ENGINE_SWEEP_KEPT_MEMORY_H
#define LSI_ENGINE_SWEEP_KEPT_MEMORY_H

#include <stddef.h>

enum { LSI_SWEEP_KEPT = 4 << 20 };

struct lsi_sweep_memory {
	char *at;     /* aligned to a page; NULL: none */
	size_t bytes; /* at least as many as wanted */
};

/* Memory whose first `cleared` bytes are zero; the others may have any value. */
struct lsi_sweep_memory lsi_sweep_memory_take(size_t bytes, size_t cleared);
void lsi_sweep_memory_release(struct lsi_sweep_memory);

#endif
