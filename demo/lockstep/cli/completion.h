/*
 * Shared by the completion scripts of all shells.
 */
#ifndef LOCKSTEP_CLI_COMPLETION_H
#define LOCKSTEP_CLI_COMPLETION_H

#include "cli/tables.h"

/* The kinds of choices.h, NULL at the end. */
extern const char *const completion_kinds[];

/* The kind of a value or an operand; "FILE" for files, NULL for free text. */
const char *completion_value_kind(const struct option_row *row);
const char *completion_operand_kind(const char *word);

/* True if the option may stand without its value; the value follows '=' in the same word. */
bool completion_value_is_optional(const struct option_row *row);

/* Print the text with a backslash before each of the characters in `special`. */
void completion_print_escaped(const char *text, const char *special);

#endif
