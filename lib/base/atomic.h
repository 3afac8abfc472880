/*
 * Atomics: C11, every access with its order written out.
 *
 * The protocol headers (machine/mailbox.h, barrier.h, park.h) use these names only, so that a model
 * checker can compile the same text with its own atomics (it defines LS_ATOMIC before including
 * them).  No fences: orders stand on the accesses.  With LS_CHAOS every access may first yield,
 * driven by a seed.
 */
#ifndef LS_BASE_ATOMIC_H
#define LS_BASE_ATOMIC_H

#ifndef LS_ATOMIC

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef LS_CHAOS
void ls_chaos(void);
#else
#define ls_chaos() ((void)0)
#endif

#define LS_ATOMIC(T) _Atomic(T)
#define LS_PLAIN(T) T                     /* data that an edge protects */
#define ls_load(p, order) (ls_chaos(), atomic_load_explicit((p), memory_order_##order))
#define ls_store(p, v, order) (ls_chaos(), atomic_store_explicit((p), (v), memory_order_##order))
#define ls_exchange(p, v, order) \
	(ls_chaos(), atomic_exchange_explicit((p), (v), memory_order_##order))
#define ls_fetch_add(p, v, order) \
	(ls_chaos(), atomic_fetch_add_explicit((p), (v), memory_order_##order))
#define ls_fetch_sub(p, v, order) \
	(ls_chaos(), atomic_fetch_sub_explicit((p), (v), memory_order_##order))
#define ls_compare_swap(p, old, v, order) \
	(ls_chaos(), \
		atomic_compare_exchange_strong_explicit( \
			(p), (old), (v), memory_order_##order, memory_order_relaxed))
/*
 * Keeps the compiler from moving a load before the store above it (see base/wait.h,
 * ls_barrier_heavy), and from making one wide access of two.
 */
#define ls_light() atomic_signal_fence(memory_order_seq_cst)

/*
 * Begin to fetch a cache line that will be written.  By name: compilers ask only to read where they are
 * not told that the processor can do this; one that cannot takes it as a nop.
 */
static inline void ls_fetch_to_write(const void *line)
{
#if defined(__x86_64__)
	__asm__ __volatile__("prefetchw %0" : : "m"(*(const char *)line));
#else
	__builtin_prefetch(line, 1);
#endif
}

#endif
#endif
