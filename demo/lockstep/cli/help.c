/*
 * lockstep help: the verbs, or the options, formats and examples of one.
 */
#include "cli/choices.h"
#include "report/text_table.h"

#include <ctype.h>

static int help_width(void)
{
	enum { MOST = 80 };
	const int width = terminal_width(stdout);

	return width < MOST ? width : MOST;
}

static void print_usage(const struct verb *verb, const char *before, const char *after)
{
	char text[160];

	snprintf(
		text, sizeof text, "%s%s%s", verb->operands, *verb->operands && *after ? " " : "", after);
	print_words(stdout, printf("%slockstep %s%s", before, verb->name, *text ? " " : ""),
		help_width(), text);
}

static void print_verbs(void)
{
	puts("Usage: lockstep VERB ...\n");
	for (const struct verb *verb = verbs; verb->name; verb++) {
		print_usage(verb, "  ", "");
		print_words(stdout, printf("      "), help_width(), verb->text);
	}
	puts("\n'lockstep help VERB' lists the options of a verb.  For example:\n");
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (verb->examples[0])
			printf("  %s\n", verb->examples[0]);
	puts("\nExit: 0 success; 1 wrong result or broken law; 2 usage; 3 threads or memory;\n"
		 "4 not supported; 5 deadlock or time limit; 130 interrupted by Ctrl-C (128 + signal).");
}

static void print_option(const struct verb *verb, enum option_id id)
{
	const struct option_row *row = &option_table[id];
	const char *text = option_text(id, verb->name);
	char form[40], formats[200], names[120];
	const bool optional = row->argument && row->argument[0] == '[';

	snprintf(form, sizeof form, "--%s%s%s", row->name, row->argument && !optional ? " " : "",
		row->argument ? row->argument : "");
	if (id == OPTION_FORMAT && verb->formats) {
		format_names(verb->formats, "or", names, sizeof names);
		snprintf(formats, sizeof formats, "output format: %s (%s)", names,
			verb->default_format ? verb->default_format : verb->formats->name);
		text = formats;
	}
	print_words(stdout,
		printf("  %c%c%c %-20s ", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			row->letter ? ',' : ' ', form),
		help_width(), text);
}

static void print_word(void *context, const char *word, const char *text)
{
	(void)context;
	print_words(stdout, printf("  %-24s ", word), help_width(), text);
}

static void print_verb(const struct verb *verb)
{
	char endings[80], text[200];

	print_usage(verb, "Usage: ", "[options]");
	snprintf(text, sizeof text, "%c%s.", toupper((unsigned char)verb->text[0]), verb->text + 1);
	putchar('\n');
	print_words(stdout, 0, help_width(), text);
	putchar('\n');
	if (verb->listed) {
		choices_visit(verb->listed, print_word, NULL);
		putchar('\n');
	}
	for (int id = 0; id < OPTIONS; id++)
		if (verb_takes(verb, (enum option_id)id))
			print_option(verb, (enum option_id)id);
	format_endings(verb->formats, endings, sizeof endings);
	if (*endings)
		printf("\nThe file extension selects the format: %s.\n", endings);
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
