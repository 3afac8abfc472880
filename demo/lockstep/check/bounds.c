#include "check/bounds.h"

#include <inttypes.h>

#include "report/report.h"

static void print_bound(const struct job *job, int64_t bound, int64_t rounds)
{
	char text[120];

	if (bound < 0) {
		report_line("bound", "-", "no lower bound on the rounds is known", "");
		return;
	}
	snprintf(text, sizeof text, "at least %" PRId64 " round%s%s; gap %" PRId64, bound,
		bound == 1 ? "" : "s", job->embedding ? " on the guest's own links" : "", rounds - bound);
	report_line("bound", text, "", "");
}

/* Where one block per message costs rounds. */
static void print_block_bound(int64_t bound)
{
	char text[120];

	snprintf(text, sizeof text, "with one block per message at least %" PRId64 " rounds", bound);
	report_line("", text, "", "");
}

void print_bounds(const struct job *job, int64_t rounds)
{
	const int64_t bound = job_lower_bound(job), with_blocks = ls_block_bound(&job->request);

	print_bound(job, bound, rounds);
	if (with_blocks > bound)
		print_block_bound(with_blocks);
}
