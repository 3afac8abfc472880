/*
 * The messages of a picture as TikZ or DOT, which has one in a line.
 */
#ifndef LOCKSTEP_TEST_PICTURE_LINES_H
#define LOCKSTEP_TEST_PICTURE_LINES_H

#include "support/svg_picture.h"

/* Read the messages of a line, at most two; returns their number. */
typedef size_t message_reader(const char *line, struct ls_record out[2]);

/* "% round 1: 0 -> 4, words 1" or "% round 1: 0 <-> 4, words 1 and 1", at the end of a line */
message_reader read_tikz_message;
/* "0 -> 4 [label=\"1\", ..": without words */
message_reader read_dot_message;

/* Read all messages, sorted; returns their number.  The text is cut into lines. */
size_t read_messages(char *text, message_reader *, struct ls_record *out, size_t room);

#endif
