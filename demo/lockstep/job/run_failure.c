/*
 * Messages and exit codes of runs that failed.
 */
#include "job/job_machine.h"
#include "run/run_parts.h"

#include <inttypes.h>

static int print_wrong_count(const char *what, int64_t got, const char *source, int64_t want)
{
	return print_error(EXIT_WRONG, "%" PRId64 " %s were measured; expected %" PRId64 ", as %s", got,
		what, want, source);
}

int print_wrong_counts(const struct outcome *outcome)
{
	const struct ls_stats *got = &outcome->measured;
	const struct ls_counts *want = &outcome->predicted;

	if (outcome->violation.kind)
		return print_error(EXIT_WRONG, "%s", outcome->violation.text);
	if (got->rounds != want->rounds)
		return print_wrong_count("rounds", got->rounds, outcome->source, want->rounds);
	if (got->messages != want->messages)
		return print_wrong_count("messages", got->messages, outcome->source, want->messages);
	if (got->words != want->words)
		return print_wrong_count("words", got->words, outcome->source, want->words);
	return EXIT_WRONG;
}

int report_failure(struct outcome *outcome, const ls_machine *machine, int signal)
{
	int result;

	if (machine)
		return report_machine_failure(
			machine, outcome->status, signal, &outcome->error, &outcome->blocked);
	outcome->signal = signal;
	if (signal)
		return print_interrupted(signal);
	result = print_ls_error(&outcome->error);
	if (outcome->blocked.topology)
		print_blocked_nodes(outcome->blocked, stderr);
	return result;
}

int report_outcome(struct outcome *outcome, const ls_machine *machine, int signal)
{
	int result = EXIT_SUCCESS;

	if (outcome->status != LS_OK)
		result = report_failure(outcome, machine, signal);
	outcome_print(outcome);
	if (result == EXIT_SUCCESS && !outcome_is_ok(outcome))
		result = print_wrong_counts(outcome);
	return result;
}
