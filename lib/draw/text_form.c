#include "draw/text_form.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 15 }; /* of numbers that a script holds exactly */
static const char digits[] = "0123456789";

int lsi_text_form(const char *text, char *form, struct lsi_number_list *numbers)
{
	int n = 0;

	if (strchr(text, '#'))
		return 0;
	while (*text) {
		const size_t length = strspn(text, digits), other = strcspn(text, digits);
		const bool is_number = length == 1 || (length > 1 && length <= DIGITS_MAX && *text != '0');

		if (is_number && numbers)
			lsi_number_list_add(numbers, strtoll(text, NULL, 10));
		memcpy(form, is_number ? "#" : text, is_number ? 1 : length + other);
		form += is_number ? 1 : length + other;
		text += length + (is_number ? 0 : other);
		n += is_number;
	}
	*form = '\0';
	return n;
}
