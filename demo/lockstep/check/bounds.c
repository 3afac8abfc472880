#include "check/bounds.h"

#include <inttypes.h>

#include "report/report.h"

static int64_t words_bound(const struct job *job)
{
	return ls_plan_words_bound(job->plan, job->request.count);
}

/* An embedding does not change the bounds. */
static const char *links_of(const struct job *job)
{
	return job->embedding ? " on the guest's own links" : "";
}

static void print_rounds(const struct job *job, int64_t rounds)
{
	const int64_t bound = job_lower_bound(job);
	char text[120];

	if (bound < 0) {
		report_line("bound", "-", "no lower bound on the rounds is known", "");
		return;
	}
	snprintf(text, sizeof text, "at least %" PRId64 " round%s%s; gap %" PRId64, bound,
		bound == 1 ? "" : "s", links_of(job), rounds - bound);
	report_line("bound", text, "", "");
}

/* Where one block per message costs rounds. */
static void print_block_bound(const struct job *job)
{
	const int64_t bound = ls_block_bound(&job->request);
	char text[120];

	if (bound <= job_lower_bound(job))
		return;
	snprintf(text, sizeof text, "with one block per message at least %" PRId64 " rounds%s", bound,
		links_of(job));
	report_line("", text, "", "");
}

/* Volume: the words of the longest message, summed over the rounds. */
static void print_volume(const struct job *job, int64_t volume)
{
	const int64_t bound = words_bound(job);
	char text[120];

	if (bound < 0)
		return;
	snprintf(text, sizeof text, "words bound: volume at least %" PRId64 "%s; gap %" PRId64, bound,
		links_of(job), volume - bound);
	report_line("", text, "", "");
}

void bounds_print(const struct job *job, const struct ls_certificate *found)
{
	print_rounds(job, found->counts.rounds);
	print_block_bound(job);
	print_volume(job, found->counts.volume);
}

void bounds_to_json(struct json *json, const struct job *job, const struct ls_certificate *found)
{
	const int64_t block_bound = ls_block_bound(&job->request);
	const int64_t bound = job_lower_bound(job), words = words_bound(job);

	json_int_or_null(json, "lower_bound", bound >= 0, bound);
	json_int_or_null(json, "block_bound", block_bound >= 0, block_bound);
	json_int_or_null(
		json, "gap", bound >= 0 && found->broken_law < 0, found->counts.rounds - bound);
	json_int(json, "volume", found->counts.volume);
	json_int_or_null(json, "words_bound", words >= 0, words);
}

static void number_or_empty(struct table *table, bool known, int64_t number)
{
	if (known)
		table_numbers(table, 1, number);
	else
		table_cell(table, "%s", "");
}

void bounds_to_table(struct table *table, const struct job *job, const struct ls_certificate *found)
{
	const int64_t bound = job_lower_bound(job), words = words_bound(job);

	number_or_empty(table, bound >= 0, bound);
	number_or_empty(table, bound >= 0 && found->broken_law < 0, found->counts.rounds - bound);
	table_numbers(table, 1, found->counts.volume);
	number_or_empty(table, words >= 0, words);
}
