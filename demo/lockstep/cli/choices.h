/*
 * The fixed words that an option or a verb accepts, with a text for each.
 */
#ifndef LOCKSTEP_CLI_CHOICES_H
#define LOCKSTEP_CLI_CHOICES_H

#include "cli/verb.h"

typedef void choice_visitor(void *context, const char *word, const char *text);

/*
 * Calls visit(context, word, text) for every word of a kind.  A kind is the long name of an option
 * ("engine"), or "verb", "operation", "benchmark", "figure", "item" or "list".  "benchmark-form",
 * "figure-form" and "source-document" are for help: rows that describe the operand.  Other kinds
 * have no fixed words.
 * A word that ends in ':' begins a value.
 */
void choices_visit(const char *kind, choice_visitor *visit, void *context);

/* True if the verb bench takes a list of these words, separated by commas. */
bool choices_are_listed(const char *kind);

/* One operand in the form of a verb's operands. */
struct operand {
	char word[40]; /* "OPERATION" */
	int position;  /* from 1; alternatives have the same */
	bool repeats;  /* any number of times */
};

/*
 * Reads the operand at the beginning of `form`.  The caller sets position to 0 before the first
 * call.  Returns the rest of the form, or NULL at its end.
 */
const char *operand_next(const char *form, struct operand *operand);

#endif
