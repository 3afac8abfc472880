#include "cli/verb.h"

#include "base/names.h"
#include "base/words.h"

#include <string.h>

enum { VERBS_MOST = 16 };

int find_verb(const char *word, const struct verb **out)
{
	const char *names[VERBS_MOST];
	char all[120], remedy[140];
	size_t count = 0;

	for (const struct verb *verb = verbs; verb->name; verb++) {
		if (strcmp(word, verb->name) == 0) {
			*out = verb;
			return EXIT_SUCCESS;
		}
		names[count++] = verb->name;
	}
	if (ls_operation_find(word) >= 0)
		return print_error(
			EXIT_USAGE, "'%s' is an operation, not a verb; try 'lockstep run %s'", word, word);
	join_words(names, count, "or", all, sizeof all);
	snprintf(remedy, sizeof remedy, "expected %s", all);
	return print_unknown("verb", word, names, count, remedy);
}

bool verb_takes(const struct verb *verb, enum option_id id)
{
	if (id == OPTION_JSON || id == OPTION_CSV)
		return format_named(verb->formats, option_table[id].name) != NULL;
	return ((verb->options | EVERY_VERB) & TAKES(id)) != 0;
}

void verbs_that_take(enum option_id id, char *text, size_t size)
{
	const char *names[VERBS_MOST];
	size_t count = 0;

	for (const struct verb *verb = verbs; verb->name; verb++)
		if (verb_takes(verb, id))
			names[count++] = verb->name;
	join_words(names, count, "and", text, size);
}
