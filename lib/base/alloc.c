#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *ls_alloc(size_t bytes)
{
	return malloc(bytes ? bytes : 1);
}

void *ls_alloc_zero(size_t count, size_t bytes)
{
	return calloc(count ? count : 1, bytes ? bytes : 1);
}

void *ls_alloc_lines(size_t bytes)
{
	const size_t lines = (bytes + LS_CACHE_LINE - 1) / LS_CACHE_LINE;
	void *memory = aligned_alloc(LS_CACHE_LINE, (lines ? lines : 1) * LS_CACHE_LINE);

	if (memory)
		memset(memory, 0, (lines ? lines : 1) * LS_CACHE_LINE);
	return memory;
}

void *ls_alloc_more(void *old_or_null, size_t used, size_t bytes)
{
	void *memory = ls_alloc(bytes);

	if (memory && used > 0)
		memcpy(memory, old_or_null, used);
	if (memory)
		ls_free(old_or_null);
	return memory;
}

bool ls_alloc_fits(char **memory, size_t *have, size_t bytes)
{
	char *wider;

	if (bytes <= *have)
		return true;
	wider = ls_alloc_lines(bytes);
	if (!wider)
		return false;
	ls_free(*memory);
	*memory = wider;
	*have = bytes;
	return true;
}

void ls_free(void *memory)
{
	free(memory);
}

void *ls_alloc_pages(size_t bytes)
{
	void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(memory, bytes, MADV_HUGEPAGE);                /* if not, it is slower */
#endif
	return memory;
}

void ls_free_pages(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, bytes ? bytes : 1);
}

/* The number after `key` in a file of the kernel; SIZE_MAX: none. */
static size_t number_in(const char *path, const char *key)
{
	FILE *file = fopen(path, "r");
	size_t number = SIZE_MAX, found;
	char line[256];

	while (file && number == SIZE_MAX && fgets(line, sizeof line, file)) {
		if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%zu", &found) == 1)
			number = found;
	}
	if (file)
		fclose(file);
	return number;
}

/* What a control group allows; its pages of files are given back when memory is needed. */
static size_t granted(const char *most, const char *used, const char *statistics)
{
	const size_t limit = number_in(most, ""), taken = number_in(used, "");
	const size_t files = number_in(statistics, "inactive_file ");
	const size_t held = taken == SIZE_MAX ? 0 : files < taken ? taken - files : taken;

	return limit == SIZE_MAX ? SIZE_MAX : held < limit ? limit - held : 0;
}

size_t ls_alloc_left(void)
{
#define GROUPS "/sys/fs/cgroup/"
	const size_t kilobytes = number_in("/proc/meminfo", "MemAvailable:");
	const size_t left[] = { kilobytes < SIZE_MAX / 1024 ? 1024 * kilobytes : SIZE_MAX,
		granted(GROUPS "memory.max", GROUPS "memory.current", GROUPS "memory.stat"),
		granted(GROUPS "memory/memory.limit_in_bytes", GROUPS "memory/memory.usage_in_bytes",
			GROUPS "memory/memory.stat") };
	size_t least = left[0];

	for (size_t i = 1; i < sizeof left / sizeof *left; i++)
		least = left[i] < least ? left[i] : least;
	return least;
}
