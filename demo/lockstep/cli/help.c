/*
 * lockstep help: the verbs, or the options, formats and examples of one.
 */
#include "cli/choices.h"

static void print_usage(const struct verb *verb)
{
	printf("lockstep %s%s%s", verb->name, *verb->operands ? " " : "", verb->operands);
}

static void print_verbs(void)
{
	puts("Usage: lockstep VERB ...\n");
	for (const struct verb *verb = verbs; verb->name; verb++) {
		fputs("  ", stdout);
		print_usage(verb);
		printf("\n      %s\n", verb->text);
	}
	puts("\nlockstep help VERB lists the options of a verb.  For example:\n");
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (verb->examples[0])
			printf("  %s\n", verb->examples[0]);
	puts("\nExit: 0 success; 1 wrong result or broken law; 2 usage; 3 threads or memory;\n"
		 "4 not supported; 5 deadlock or time limit; 130 interrupted.");
}

static void print_option(const struct option_row *row)
{
	char form[40];
	const bool optional = row->argument && row->argument[0] == '[';

	snprintf(form, sizeof form, "--%s%s%s", row->name, row->argument && !optional ? " " : "",
		row->argument ? row->argument : "");
	printf("  %c%c%c %-20s %s\n", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
		row->letter ? ',' : ' ', form, row->text);
}

static void print_word(void *context, const char *word, const char *text)
{
	(void)context;
	printf("  %-25s %s\n", word, text);
}

static void print_verb(const struct verb *verb)
{
	char files[80];

	fputs("Usage: ", stdout);
	print_usage(verb);
	printf(" [options]\n\n%s.\n\n", verb->text);
	if (verb->listed) {
		print_word(NULL, "OPERATION", "an operation of lockstep list operations");
		choices_visit(verb->listed, print_word, NULL);
		putchar('\n');
	}
	for (int id = 0; id < OPTIONS; id++)
		if (verb_takes(verb, (enum option_id)id))
			print_option(&option_table[id]);
	format_files(verb->formats, files, sizeof files);
	if (*files)
		printf("\nThe ending of a file gives its format: %s.\n", files);
	if (verb->examples[0])
		puts("\nExamples:\n");
	for (int i = 0; verb->examples[i]; i++)
		printf("  %s\n", verb->examples[i]);
}

void print_help(const struct verb *verb)
{
	if (!verb || verb->act == verb_help)
		print_verbs();
	else
		print_verb(verb);
}

int verb_help(const struct options *options)
{
	const struct verb *verb = NULL;
	const int unknown = options->word[0] ? find_verb(options->word[0], &verb) : EXIT_SUCCESS;

	if (!unknown)
		print_help(verb);
	return unknown;
}
