/*
 * Words that may follow an option or a verb, for the manual page and for completion.
 */
#ifndef LOCKSTEP_CLI_CHOICES_H
#define LOCKSTEP_CLI_CHOICES_H

#include "cli/tool.h"

typedef void choice_visitor(void *context, const char *word, const char *text);

/*
 * Call visit(context, word, text) for every word of a kind.  A kind is the long name of an option
 * ("engine"), or "verb", "operation" or "list".  Other kinds have no fixed words.
 * A word that ends in ':' is the beginning of a value.
 */
void choices_visit(const char *kind, choice_visitor *visit, void *context);

/* True if the verb bench takes a list of these words, with commas between. */
bool choices_are_listed(const char *kind);

/* The form of the next operand, as "OPERATION", and the form behind it; NULL: no more. */
struct operand {
	char word[40];
	int position; /* from 1; words with '|' between have the same */
	bool repeats; /* any number of them */
};
const char *operand_next(const char *form, struct operand *operand);

#endif
