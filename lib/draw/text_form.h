/*
 * A text as a form with its numbers left out: "OUTPUT[#..#]" with 0 and 3.
 */
#ifndef LSI_DRAW_TEXT_FORM_H
#define LSI_DRAW_TEXT_FORM_H

#include "draw/number_list.h"

/*
 * Write the form, which needs no more room than the text, and add the numbers unless the list is
 * NULL.  Returns how many there are; 0: the text has no form, since it has no numbers, or a #.
 */
int lsi_text_form(const char *text, char *form, struct lsi_number_list *numbers_or_null);

#endif
