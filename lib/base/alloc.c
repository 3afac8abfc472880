#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

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
