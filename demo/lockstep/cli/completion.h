/*
 * What the completion scripts of all shells take from the tables.
 */
#ifndef LOCKSTEP_CLI_COMPLETION_H
#define LOCKSTEP_CLI_COMPLETION_H

#include "cli/option_table.h"

/* Kinds of words (choices.h) that are not files; NULL at the end. */
extern const char *const completion_kinds[];

/* The kind of words that complete a value or an operand, "FILE" for files, NULL for none. */
const char *completion_value_kind(const struct option_row *row);
const char *completion_operand_kind(const char *word);

/* True if the value of the option may be missing, and follows '=' in the same word. */
bool completion_value_is_optional(const struct option_row *row);

/* Print the text with a backslash before each of the characters in `special`. */
void completion_print_escaped(const char *text, const char *special);

#endif
