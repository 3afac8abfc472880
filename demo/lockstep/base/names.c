#include "base/names.h"

#include "base/messages.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

int print_unknown(
	const char *kind, const char *word, const char *const *names, size_t count, const char *remedy)
{
	const char *meant = ls_name_suggest(word, names, count);

	if (meant)
		return print_error(EXIT_USAGE, "no %s '%s'; did you mean '%s'?", kind, word, meant);
	return print_error(EXIT_USAGE, "no %s '%s'; %s", kind, word, remedy);
}

int find_operation(const char *word, enum ls_operation *out)
{
	const char *names[LS_OPERATIONS];
	const int found = ls_operation_find(word);

	for (int i = 0; i < LS_OPERATIONS; i++)
		names[i] = ls_operation_name((enum ls_operation)i);
	if (found < 0)
		return print_unknown(
			"operation", word, names, LS_OPERATIONS, "'lockstep list operations' shows all");
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
	return print_unknown("type", word, names, COUNT(names),
		"expected int8..int64, uint8..uint64, float, double, cfloat or cdouble");
}

int find_op(const char *word, ls_op *out)
{
	static const char *const names[] = { LS_FOR_OPS(NAME) };

	*out = ls_op_find(word);
	return *out
		? EXIT_SUCCESS
		: print_unknown("operator", word, names, COUNT(names),
			"expected sum, prod, min, max, land, lor, lxor, band, bor, bxor, minloc or maxloc");
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
	return print_unknown(
		"engine", word, names, COUNT(names), "expected mailboxes, cooperative, sweep or auto");
}
