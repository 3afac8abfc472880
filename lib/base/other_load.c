#include "base/other_load.h"

#include <time.h>

#include "base/futex.h"

static const uint64_t late_ns = 1000000;   /* yields that take longer are a hint */
static const uint64_t yield_ns = 4000;     /* more for each other thread of the core that may run */
static const uint64_t least_ns = 4000000;  /* from one look to the next, at least */
static const uint64_t most_ns = 200000000; /* an older look says nothing */
static const uint64_t period_ns = 50000000;   /* how long an answer holds; it doubles, up to */
static const uint64_t longest_ns = 800000000; /* longest_ns, while the load stays high */
static const uint64_t share_percent = 75;     /* of the cores: less is a high load of others */

static uint64_t cpu_time_of_process(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool lsi_other_load_is_high(struct lsi_other_load *load)
{
	const uint64_t until = lsi_load(&load->until, relaxed); /* a hint */

	return until && lsi_now_ns() < until;
}

/* Compare the CPU time since the last look with what `cores` cores had to give. */
static void compare(struct lsi_other_load *load, uint32_t cores, uint64_t now)
{
	const uint64_t passed = now - load->looked_at;
	const uint64_t cpu_time = passed < least_ns ? 0 : cpu_time_of_process();
	const uint64_t until = lsi_load(&load->until, relaxed); /* a hint */
	const bool was_high = until && now < until + most_ns;

	if (passed < least_ns)
		return;
	if (passed < most_ns && (cpu_time - load->cpu_time) * 100 < passed * cores * share_percent) {
		load->period = was_high ? 2 * load->period : period_ns;
		load->period = load->period < longest_ns ? load->period : longest_ns;
		lsi_store(&load->until, now + load->period, relaxed); /* a hint */
	}
	load->looked_at = now;
	load->cpu_time = cpu_time;
}

void lsi_other_load_look(
	struct lsi_other_load *load, uint32_t cores, uint64_t threads, uint64_t before)
{
	const uint64_t now = lsi_now_ns();
	uint32_t free = 0;

	if (now - before < late_ns + yield_ns * threads / cores
		|| !lsi_compare_swap(&load->looks, &free, 1u, acquire)) /* LOOK */
		return;
	compare(load, cores, now);
	lsi_store(&load->looks, 0u, release); /* LOOK */
}
