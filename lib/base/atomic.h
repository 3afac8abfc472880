/*
 * Atomics: C11, every access with its order written out.
 *
 * The protocol headers (machine/mailbox.h, barrier.h, park.h, run_queue.h, work_sharing.h) use
 * these names only, so that a model checker can compile the same text with its atomics (it defines
 * LSI_ATOMIC before including them).  There are no thread fences; each access has its order.  In
 * two test builds another thread may run before each access: with LSI_CHAOS the thread may yield,
 * and with LSI_SCHEDULE a scheduler (test/scheduler/) decides which thread runs.
 */
#ifndef LSI_BASE_ATOMIC_H
#define LSI_BASE_ATOMIC_H

#ifndef LSI_ATOMIC

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(LSI_CHAOS)
void lsi_chaos(void);
#define lsi_interleave(access) lsi_chaos()
#elif defined(LSI_SCHEDULE)
#define lsi_interleave(access) lsi_schedule_point(access, __FILE__, __LINE__, __func__)
#else
#define lsi_interleave(access) ((void)0)
#endif

#define LSI_ATOMIC(T)      _Atomic(T)
#define LSI_PLAIN(T)       T /* data that an edge protects */
#define lsi_load(p, order) (lsi_interleave("load"), atomic_load_explicit((p), memory_order_##order))
#define lsi_store(p, v, order) \
	(lsi_interleave("store"), atomic_store_explicit((p), (v), memory_order_##order))
#define lsi_exchange(p, v, order) \
	(lsi_interleave("exchange"), atomic_exchange_explicit((p), (v), memory_order_##order))
#define lsi_fetch_add(p, v, order) \
	(lsi_interleave("fetch add"), atomic_fetch_add_explicit((p), (v), memory_order_##order))
#define lsi_fetch_sub(p, v, order) \
	(lsi_interleave("fetch sub"), atomic_fetch_sub_explicit((p), (v), memory_order_##order))
#define lsi_compare_swap(p, old, v, order) \
	(lsi_interleave("compare swap"), \
		atomic_compare_exchange_strong_explicit( \
			(p), (old), (v), memory_order_##order, memory_order_relaxed))
/*
 * Keeps the compiler from moving a load before the store above it (see lsi_membarrier in
 * base/futex.h), and from merging two accesses into a wider one.
 */
#define lsi_compiler_barrier() atomic_signal_fence(memory_order_seq_cst)

/*
 * Begin to fetch a cache line.  The address may be any.  The instruction is inline assembly: gcc 12
 * removes the call of a function that does nothing but __builtin_prefetch.
 */
static inline void lsi_prefetch(const void *line)
{
#if defined(__x86_64__)
	__asm__ __volatile__("prefetcht0 %0" : : "m"(*(const char *)line));
#elif defined(__aarch64__)
	__asm__ __volatile__("prfm pldl1keep, %a0" : : "p"(line));
#else
	__builtin_prefetch(line);
#endif
}

/*
 * The same for a line that will be written.  Without a target option, compilers prefetch for
 * reading only.  Older processors execute the instruction as a nop.
 */
static inline void lsi_prefetch_write(const void *line)
{
#if defined(__x86_64__)
	__asm__ __volatile__("prefetchw %0" : : "m"(*(const char *)line));
#else
	__builtin_prefetch(line, 1);
#endif
}

#endif
#endif
