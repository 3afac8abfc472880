#include "cli/tool.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* "no KIND WORD; would be right: ..": the nearest name, or where all are listed. */
static int unknown(
	const char *kind, const char *word, const char *const *names, size_t count, const char *all)
{
	const char *meant = ls_name_suggest(word, names, count);

	return print_error(EXIT_USAGE, "no %s %s; would be right: %s", kind, word, meant ? meant : all);
}

int find_verb(const char *word, const struct verb **out)
{
	const char *names[16];
	size_t count = 0;

	for (const struct verb *verb = verbs; verb->name; verb++) {
		if (strcmp(word, verb->name) == 0) {
			*out = verb;
			return EXIT_SUCCESS;
		}
		names[count++] = verb->name;
	}
	return unknown(
		"verb", word, names, count, "run, steps, check, bench, fit, list, reproduce, info or help");
}

int find_operation(const char *word, enum ls_operation *out)
{
	const char *names[LS_OPERATIONS];
	const int found = ls_operation_find(word);

	for (int i = 0; i < LS_OPERATIONS; i++)
		names[i] = ls_operation_name((enum ls_operation)i);
	if (found < 0)
		return unknown(
			"operation", word, names, LS_OPERATIONS, "one that `lockstep list operations` shows");
	*out = (enum ls_operation)found;
	return EXIT_SUCCESS;
}

#define NAME(UPPER, lower) #lower,

int find_type(const char *word, ls_type *out)
{
	static const char *const names[] = { LS_FOR_TYPES(NAME) };

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(word, names[i]) == 0) {
			*out = ls_type_find(word);
			return EXIT_SUCCESS;
		}
	return unknown("type", word, names, COUNT(names), "double");
}

int find_op(const char *word, ls_op *out)
{
	static const char *const names[] = { LS_FOR_OPS(NAME) };

	*out = ls_op_find(word);
	return *out ? EXIT_SUCCESS : unknown("operator", word, names, COUNT(names), "sum");
}

/* The engine `threads` of version 0.1 is the engine `mailboxes`. */
const char *engine_name_now(const char *word)
{
	return strcmp(word, "threads") == 0 ? ls_engine_name(LS_MAILBOXES) : word;
}

int find_engine(const char *word, int *out)
{
	const char *names[LS_SWEEP + 1];

	for (int i = 0; i <= LS_SWEEP; i++) {
		names[i] = ls_engine_name((enum ls_engine)i);
		if (strcmp(engine_name_now(word), names[i]) == 0) {
			*out = i;
			return EXIT_SUCCESS;
		}
	}
	return unknown("engine", word, names, COUNT(names), "mailboxes, cooperative, sweep or auto");
}
