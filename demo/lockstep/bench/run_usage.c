#include "bench/run_usage.h"

#include "base/messages.h"
#include "base/processes.h"
#include "base/shared_run.h"

#include <stdlib.h>

struct usage usage_of_run(void)
{
	const struct processes *processes = processes_here();
	struct usage usage = usage_now();
	int64_t *own;

	if (!shared_world())
		return usage;
	own = require_memory(calloc((size_t)processes->count, sizeof *own));
	collect_bytes(&usage.own, sizeof usage.own, own);
	for (int i = 1; i < processes->count && processes_is_first(); i++)
		usage.own += processes->near[i] ? own[i] : 0;
	free(own);
	return usage;
}
