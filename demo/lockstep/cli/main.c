/*
 * lockstep: run, show and prove the collective operations of parallel computing.
 */
#include "cli/manual.h"
#include "cli/tool.h"
#include "cli/verbs.h"

#include <stdlib.h>

const struct verb verbs[] = {
	{ "run", verb_run, 1, 1, "OPERATION -t TOPOLOGY",
		"run on real data, verify, print counts, time and throughput" },
	{ "steps", verb_steps, 1, 2, "OPERATION -t TOPOLOGY [FILE]",
		"show the plan round by round; FILE.csv: as a trace; FILE.plan: as text" },
	{ "check", verb_check, 1, 1, "OPERATION -t TOPOLOGY",
		"prove the plan's laws: a certificate, or the first violation" },
	{ "bench", verb_bench, 1, 1, "OPERATION -t TOPOLOGY -m MIN:MAX",
		"sweep sizes: times, throughput, model; algorithms, engines and rounds side by side" },
	{ "fit", verb_fit, 1, WORDS, "FILE.csv ...",
		"fit t_s and t_w to what bench --csv wrote; compare prediction with measurement" },
	{ "list", verb_list, 0, 2, "[topologies | operations | algorithms [OPERATION]]",
		"what exists; with -t what exists there, and what it takes" },
	{ "reproduce", verb_reproduce, 0, WORDS, "[DOCUMENT|ITEM ...]",
		"re-create the tables, figures and examples of the sources" },
	{ "info", verb_info, 0, 0, "", "version, machine, cores allowed, settings in force" },
	{ "help", verb_help, 0, 1, "[VERB]", "this text, or that of a verb" },
	{ 0 },
};

static void print_verbs(void)
{
	puts("Usage: lockstep VERB ...\n");
	for (const struct verb *verb = verbs; verb->name; verb++)
		printf("  lockstep %s%s%s\n      %s\n", verb->name, *verb->operands ? " " : "",
			verb->operands, verb->text);
	puts("\nlockstep help VERB lists the options of a verb.  For example:\n\n"
		 "  lockstep run allreduce -t star:4\n"
		 "  lockstep run allreduce -t star:10 -d int64 -e sweep\n"
		 "  lockstep steps broadcast -t mesh:4x4\n"
		 "  lockstep list algorithms -t hypercube:4\n"
		 "  lockstep bench allreduce -t complete:2 -m 1:1M -e mailboxes,cooperative\n\n"
		 "Exit: 0 success; 1 wrong result or broken law; 2 usage; 3 threads or memory;\n"
		 "4 not supported; 5 deadlock or time limit; 130 interrupted.");
}

static int print_help(const struct verb *verb)
{
	if (!verb || verb->act == verb_help) {
		print_verbs();
		return EXIT_SUCCESS;
	}
	printf("Usage: lockstep %s%s%s [options]\n\n%s.\n\n", verb->name, *verb->operands ? " " : "",
		verb->operands, verb->text);
	options_print(verb->name);
	return EXIT_SUCCESS;
}

int verb_help(const struct options *options)
{
	const struct verb *verb = NULL;
	const int unknown = options->word[0] ? find_verb(options->word[0], &verb) : EXIT_SUCCESS;

	return unknown ? unknown : print_help(verb);
}

static int act(const struct options *options)
{
	if (options->version) {
		printf("lockstep %s\n", ls_version());
		return EXIT_SUCCESS;
	}
	if (options->help)
		return print_help(options->verb);
	if (!options->verb)
		return print_error(EXIT_USAGE,
			"no verb; would be right: lockstep run allreduce -t star:4, or lockstep help");
	return options->verb->act(options);
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	int result;

	if (!manual_requested(argc, argv, &result)) {
		const int unread = options_read(&options, argc, argv);

		result = unread ? unread : act(&options);
	}
	free(options.command);
	if ((fflush(stdout) || ferror(stdout)) && result == EXIT_SUCCESS)
		return print_error(EXIT_USAGE,
			"standard output cannot be written; would be right: a file or pipe with room");
	return result;
}
