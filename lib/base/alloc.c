#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cgroups.h"
#include "base/math.h"

enum { HUGE_PAGE = 2 << 20 };

/* Ask for huge pages, only for speed, where they lie in the memory. */
static void want_huge_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t begin = lsi_round_up((uintptr_t)memory, HUGE_PAGE);
	const uintptr_t end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)memory, (void)bytes;
#endif
}

/* Never NULL for 0 bytes: NULL always means that memory ran out. */
void *lsi_alloc(size_t bytes)
{
	return malloc(bytes ? bytes : 1);
}

void *lsi_alloc_zero(size_t count, size_t bytes)
{
	return calloc(count ? count : 1, bytes ? bytes : 1);
}

void *lsi_alloc_lines(size_t bytes)
{
	const size_t lines = (bytes + LSI_CACHE_LINE - 1) / LSI_CACHE_LINE;

	return aligned_alloc(LSI_CACHE_LINE, (lines ? lines : 1) * LSI_CACHE_LINE);
}

void *lsi_alloc_cache_aligned(size_t bytes)
{
	void *memory = lsi_alloc_lines(bytes);

	return memory ? memset(memory, 0, bytes) : NULL;
}

void *lsi_alloc_grow(void *old_or_null, size_t used, size_t bytes)
{
	void *memory = lsi_alloc(bytes);

	if (memory && used > 0)
		memcpy(memory, old_or_null, used);
	if (memory)
		lsi_free(old_or_null);
	return memory;
}

/* Allocates before it frees, so a failure keeps the old memory. */
bool lsi_alloc_reserve_lines(char **memory, size_t *have, size_t bytes)
{
	char *wider;

	if (bytes <= *have)
		return true;
	wider = lsi_alloc_lines(bytes);
	if (!wider)
		return false;
	want_huge_pages(wider, bytes);
	lsi_free(*memory);
	*memory = wider;
	*have = bytes;
	return true;
}

bool lsi_alloc_reserve(char **memory, size_t *have, size_t bytes)
{
	const bool is_new = bytes > *have;

	if (!lsi_alloc_reserve_lines(memory, have, bytes))
		return false;
	if (is_new)
		memset(*memory, 0, bytes);
	return true;
}

void lsi_free(void *memory)
{
	free(memory);
}

void *lsi_alloc_pages(size_t bytes)
{
	void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	want_huge_pages(memory, bytes);
	return memory;
}

void lsi_free_pages(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes ? bytes : 1);
}

/* The number after `key` at the beginning of a line of a file; INFINITY: none. */
static double read_number(const char *folder, const char *file, const char *key)
{
	const size_t length = strlen(key);
	char text[4096], *line = text;
	unsigned long long number;

	if (!lsi_read_kernel_file(text, sizeof text, "%s%s", folder, file))
		return INFINITY;
	while (line && strncmp(line, key, length) != 0)
		line = (line = strchr(line, '\n')) ? line + 1 : NULL;
	return line && sscanf(line + length, "%llu", &number) == 1 ? (double)number : INFINITY;
}

/* Bytes below the limit of a group; the kernel reclaims inactive pages of files on demand. */
static double read_memory_left(const char *folder, bool unified)
{
	const double limit = read_number(folder, unified ? "memory.max" : "memory.limit_in_bytes", "");
	const double taken =
		read_number(folder, unified ? "memory.current" : "memory.usage_in_bytes", "");
	const double files =
		read_number(folder, "memory.stat", unified ? "inactive_file " : "total_inactive_file ");

	if (isinf(limit) || isinf(taken))
		return limit;
	return fmax(0, limit - fmax(0, taken - (isinf(files) ? 0 : files)));
}

double lsi_memory_available_under(const char *groups, const char *root)
{
	return lsi_cgroup_least(groups, root, "memory", read_memory_left);
}

size_t lsi_memory_available(void)
{
	const double left = fmin(1024 * read_number("/proc/", "meminfo", "MemAvailable:"),
		lsi_memory_available_under("/proc/self/cgroup", "/sys/fs/cgroup"));

	return left < (double)SIZE_MAX ? (size_t)left : SIZE_MAX;
}
