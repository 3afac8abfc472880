#include "base/thread.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/atomic.h"

/* Since Linux 6.13 and 5.14; Debian 12 does not name the first. */
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

enum {
	GUARDS_MAX = 16384, /* each may split a mapping, and a process may have 65,530 mappings */
	GUARD = 64 << 10    /* bytes: a function with large variables may skip a single page */
};

static int add_tls_segment(struct dl_phdr_info *object, size_t size, void *sum)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		if (object->dlpi_phdr[i].p_type == PT_TLS)
			*(size_t *)sum += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
	}
	return 0;
}

/*
 * Bytes of thread-local storage, which is part of the stack of a thread.  They are counted when
 * the program starts: dl_iterate_phdr takes a lock, and a child of fork would find it locked for
 * ever if another thread was counting.  A library that is loaded later may need more: then a thread
 * cannot be created, and the caller makes larger stacks.
 */
static size_t tls_bytes;

static __attribute__((constructor)) void count_tls_bytes(void)
{
	dl_iterate_phdr(add_tls_segment, &tls_bytes);
}

static LSI_ATOMIC(int64_t) guards; /* of all stacks of the process; only a count */

/* Reserve guards for all of these stacks, or for none. */
static bool guards_take(int64_t count)
{
	int64_t taken = lsi_load(&guards, relaxed);

	do {
		if (count > GUARDS_MAX - taken)
			return false;
	} while (!lsi_compare_swap(&guards, &taken, taken + count, relaxed));
	return true;
}

static void guards_give_back(const struct lsi_stacks *stacks)
{
	if (stacks->guard)
		lsi_fetch_sub(&guards, stacks->count, relaxed);
}

/* NULL: no address space. */
static void *map_stacks(int64_t count, size_t each)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	size_t all;

	if (__builtin_mul_overflow(each, (size_t)count, &all))
		return NULL;

	void *base = mmap(NULL, all, PROT_READ | PROT_WRITE, flags, -1, 0);

	return base == MAP_FAILED ? NULL : base;
}

/*
 * Make a guard that splits no mapping.  False: this kernel has none.  An emulator may ignore the
 * call and report success: so the kernel must refuse to read the guard.
 */
static bool install_guard(char *at, size_t bytes)
{
	return madvise(at, bytes, MADV_GUARD_INSTALL) == 0
		&& madvise(at, bytes, MADV_POPULATE_READ) != 0 && errno == EFAULT;
}

static char *guard_of(const struct lsi_stacks *stacks, int64_t i)
{
	return stacks->base + (size_t)i * stacks->each;
}

/*
 * Valgrind takes the whole mapping around the stack of a thread for this stack.  So threads have
 * guards that split mappings; those of fibers have one such guard, which separates them from other
 * stacks.  A failure only leaves stacks without a guard: the program itself may have many mappings.
 */
static void make_guards(const struct lsi_stacks *stacks, bool of_threads)
{
	const bool installs =
		!of_threads && stacks->count > 1 && install_guard(guard_of(stacks, 1), stacks->guard);
	bool made = true;

	for (int64_t i = 0; i < stacks->count && made; i++) {
		made = installs && i > 0
			? madvise(guard_of(stacks, i), stacks->guard, MADV_GUARD_INSTALL) == 0
			: mprotect(guard_of(stacks, i), stacks->guard, PROT_NONE) == 0;
	}
}

/*
 * One mapping, `each` bytes per stack; stacks grow down toward their guard pages:
 *
 *   | guard | <-- stack 0, with its TLS | guard | <-- stack 1, with its TLS | ..
 *   base                                base + each
 */
struct lsi_stacks lsi_stacks_make(int64_t count, size_t bytes, bool of_threads)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t least = of_threads ? (size_t)PTHREAD_STACK_MIN + page : page;
	const size_t tls = of_threads ? tls_bytes : 0;
	const size_t guard = (GUARD + page - 1) / page * page;
	struct lsi_stacks stacks = { .count = count, .guard = guards_take(count) ? guard : 0 };

	if (bytes > SIZE_MAX / 2) /* no address space; the sum below does not overflow */
		bytes = SIZE_MAX / 2;
	stacks.each = ((bytes > least ? bytes : least) + tls + page - 1) / page * page + stacks.guard;

	stacks.base = map_stacks(count, stacks.each);
	if (!stacks.base)
		guards_give_back(&stacks);
	else if (stacks.guard)
		make_guards(&stacks, of_threads);
	return stacks;
}

int64_t lsi_stacks_find_guard(const struct lsi_stacks *stacks, const void *address)
{
	const uintptr_t at = (uintptr_t)address - (uintptr_t)stacks->base;

	if (!stacks->base || at >= stacks->each * (size_t)stacks->count
		|| at % stacks->each >= stacks->guard)
		return -1;
	return (int64_t)(at / stacks->each);
}

void lsi_stacks_destroy(struct lsi_stacks *stacks)
{
	if (!stacks->base)
		return;
	munmap(stacks->base, stacks->each * (size_t)stacks->count);
	guards_give_back(stacks);
	stacks->base = NULL;
}

sigset_t lsi_asynchronous_signals(void)
{
	static const int synchronous[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof synchronous / sizeof *synchronous; i++)
		sigdelset(&set, synchronous[i]);
	return set;
}

int lsi_thread_make(pthread_t *out, const struct lsi_stacks *stacks_or_null, int64_t i,
	const struct lsi_cpu_set *bound_or_null, void *(*body)(void *), void *arg)
{
	const sigset_t blocked = lsi_asynchronous_signals();
	pthread_attr_t attributes;
	sigset_t old;
	int failed = pthread_attr_init(&attributes);

	if (failed)
		return failed;
	if (stacks_or_null)
		failed = pthread_attr_setstack(
			&attributes, lsi_stack_of(stacks_or_null, i), lsi_stack_bytes(stacks_or_null));
	if (!failed && bound_or_null)
		failed = pthread_attr_setaffinity_np(
			&attributes, sizeof *bound_or_null, (const cpu_set_t *)(const void *)bound_or_null);
	if (!failed) {
		pthread_sigmask(SIG_BLOCK, &blocked, &old);
		failed = pthread_create(out, &attributes, body, arg);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	pthread_attr_destroy(&attributes);
	return failed;
}
