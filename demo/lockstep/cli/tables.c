#include "cli/tables.h"

bool verb_takes_option(const struct verb *verb, int option)
{
	return verb_takes(verb, (enum option_id)option);
}

bool every_verb_takes_option(int option)
{
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (!verb_takes_option(verb, option))
			return false;
	return true;
}
