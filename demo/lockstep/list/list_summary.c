/*
 * The names of everything that can be listed, in paragraphs.
 */
#include "list/list.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 12, COUNT = 3, INDENT = NAME + COUNT + 1 };

/* Names with blanks between them, each once. */
struct names {
	char *text;
	size_t length, count;
};

static bool holds(const struct names *names, const char *name)
{
	const size_t length = strlen(name);
	const char *at = names->text;

	while (at && (at = strstr(at, name))) {
		if ((at == names->text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}
	return false;
}

static void add_name(struct names *names, const char *name)
{
	const size_t length = strlen(name);

	if (holds(names, name))
		return;
	names->text = require_memory(realloc(names->text, names->length + length + 2));
	names->length +=
		(size_t)sprintf(names->text + names->length, "%s%s", names->length > 0 ? " " : "", name);
	names->count++;
}

/* A count, the command that shows more, and the names below them. */
static void print_names(const char *list, struct names *names, const char *command)
{
	printf("%-*s%*zu ", NAME, list, COUNT, names->count);
	print_words(stdout, INDENT, list_width(), command);
	printf("%*s", INDENT, "");
	print_words(stdout, INDENT, list_width(), names->text);
	putchar('\n');
	free(names->text);
}

static struct names topology_names(void)
{
	struct ls_topology_info info = { .size = sizeof info };
	struct names names = { 0 };

	for (size_t i = 0; ls_topology_list(i, &info); i++)
		add_name(&names, info.name);
	return names;
}

static struct names operation_names(void)
{
	struct names names = { 0 };

	for (int i = 0; i < LS_OPERATIONS; i++)
		add_name(&names, ls_operation_name((enum ls_operation)i));
	return names;
}

static struct names algorithm_names(void)
{
	struct ls_algorithm_info info = { .size = sizeof info };
	struct names names = { 0 };

	for (size_t i = 0; ls_algorithm_list(i, &info); i++)
		add_name(&names, info.name);
	return names;
}

void print_summary(void)
{
	struct names topologies = topology_names(), operations = operation_names();
	struct names algorithms = algorithm_names();

	print_names("topologies", &topologies, "lockstep list topologies [-t TOPOLOGY]");
	print_names("operations", &operations, "lockstep list operations");
	print_names("algorithms", &algorithms,
		"lockstep list algorithms [OPERATION] [-t TOPOLOGY]; with -t the algorithms on that "
		"network "
		"and their costs");
	printf("%-*s", INDENT, "links");
	print_words(stdout, INDENT, list_width(),
		"lockstep list links -t TOPOLOGY [FILE.csv|FILE.dot|FILE.json]; the links of that network");
}
