/* The cores that the process may use, and rank r of p on core r * cores / p of them. */
#include <sched.h>

static cpu_set_t cores_allowed(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof set, &set);
	return set;
}

static void bind_to(const cpu_set_t *allowed, int index)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	for (size_t core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, allowed) && index-- == 0)
			CPU_SET(core, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static inline void bind_block(int rank, int nodes)
{
	const cpu_set_t allowed = cores_allowed();

	bind_to(&allowed, (int)((long)rank * CPU_COUNT(&allowed) / nodes));
}
