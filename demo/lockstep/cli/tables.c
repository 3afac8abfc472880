#include "cli/tables.h"

#include <string.h>

bool verb_takes_option(const struct verb *verb, int option)
{
	const char *verbs_of_option = option_table[option].verbs;
	const size_t length = strlen(verb->name);

	if (!verbs_of_option)
		return true;
	for (const char *at = verbs_of_option; *at; at += strspn(at, " ")) {
		const size_t word = strcspn(at, " ");

		if (word == length && strncmp(at, verb->name, length) == 0)
			return true;
		at += word;
	}
	return false;
}

bool every_verb_takes_option(int option)
{
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (!verb_takes_option(verb, option))
			return false;
	return true;
}
