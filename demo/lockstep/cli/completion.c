#include "cli/completion.h"

#include "cli/choices.h"
#include "cli/manual.h"

#include <string.h>

const char *const completion_kinds[] = { "topology", "algorithm", "map", "op", "type", "mode",
	"x-axis", "engine", "rounds", "bind", "color", "operation", "benchmark", "verb", "list", "item",
	NULL };

static const char *find_kind(const char *name)
{
	for (const char *const *kind = completion_kinds; *kind; kind++)
		if (strcmp(*kind, name) == 0)
			return *kind;
	return NULL;
}

const char *completion_value_kind(const struct option_row *row)
{
	if (row->argument && strcmp(row->argument, "FILE") == 0)
		return "FILE";
	return row->argument ? find_kind(row->name) : NULL;
}

const char *completion_operand_kind(const char *word)
{
	static const struct {
		const char *operand, *kind;
	} kinds[] = {
		{ "OPERATION", "operation" },
		{ "BENCHMARK", "benchmark" },
		{ "VERB", "verb" },
		{ "ITEM", "item" },
		{ "topologies", "list" },
	};

	if (strncmp(word, "FILE", 4) == 0)
		return "FILE";
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(word, kinds[i].operand) == 0)
			return kinds[i].kind;
	return NULL;
}

bool completion_value_is_optional(const struct option_row *row)
{
	return row->argument && *row->argument == '[';
}

void completion_print_escaped(const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

int completion_print(const char *shell)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = {
		{ "bash", completion_print_bash },
		{ "zsh", completion_print_zsh },
		{ "fish", completion_print_fish },
	};

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(shell, shells[i].name) == 0) {
			shells[i].print();
			return EXIT_SUCCESS;
		}
	if (!*shell)
		return print_error(EXIT_USAGE, "--completion needs a shell; expected bash, zsh or fish");
	return print_error(EXIT_USAGE, "no completion for '%s'; expected bash, zsh or fish", shell);
}
