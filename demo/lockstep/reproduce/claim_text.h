/*
 * Prints the claims of an item with their verdicts.
 */
#ifndef LOCKSTEP_REPRODUCE_CLAIM_TEXT_H
#define LOCKSTEP_REPRODUCE_CLAIM_TEXT_H

#include "cli/verb.h"
#include "reproduce/reproduce.h"

/* The result of one claim. */
struct finding {
	char found[FOUND_SIZE];
	char how[FOUND_SIZE]; /* how it was found; "": it was not run */
	enum verdict verdict;
};

/* Of an item with columns. */
size_t count_columns(const struct source_item *);
/* `finding` has one element per claim of the item. */
void print_item(const struct output *, const struct source_item *, const struct finding *);

#endif
