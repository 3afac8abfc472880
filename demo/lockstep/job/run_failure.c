#include "run/run.h"

#include "job/job_machine.h"

#include <inttypes.h>

static int wrong_count(const char *what, int64_t got, const char *foreseen, int64_t want)
{
	return print_error(EXIT_WRONG,
		"%" PRId64 " %s were measured; would be right: %" PRId64 ", as %s", got, what, want,
		foreseen);
}

int complain_counts(const struct outcome *outcome)
{
	const struct ls_stats *got = &outcome->measured;
	const struct ls_counts *want = &outcome->predicted;

	if (got->rounds != want->rounds)
		return wrong_count("rounds", got->rounds, outcome->foreseen, want->rounds);
	if (got->messages != want->messages)
		return wrong_count("messages", got->messages, outcome->foreseen, want->messages);
	if (got->words != want->words)
		return wrong_count("words", got->words, outcome->foreseen, want->words);
	return EXIT_WRONG;
}

int outcome_failure(struct outcome *outcome, const ls_machine *machine, int by)
{
	int result;

	if (machine) {
		outcome->roll = roll_call_of(machine);
		return machine_failure(machine, outcome->status, by, &outcome->error);
	}
	outcome->by = by;
	if (by)
		return complain_signal(by);
	result = print_ls_error(&outcome->error);
	if (outcome->roll.topology)
		roll_call_text(outcome->roll, stderr);
	return result;
}

int report_outcome(struct outcome *outcome, const ls_machine *machine, int by)
{
	int result = EXIT_SUCCESS;

	if (outcome->status != LS_OK)
		result = outcome_failure(outcome, machine, by);
	outcome_print(outcome);
	if (result == EXIT_SUCCESS && !outcome_right(outcome))
		result = complain_counts(outcome);
	return result;
}
