#include "cli/option_values.h"

#include "base/messages.h"
#include "base/names.h"
#include "base/number.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

int set_list(
	const char *value, const char *option, int (*find)(const char *, int *), struct list *out)
{
	char copy[120], *rest = copy;

	out->count = 0;
	snprintf(copy, sizeof copy, "%s", value);
	for (char *word; (word = strsep(&rest, ","));) {
		int found;
		const int failed = find(word, &found);

		if (failed)
			return failed;
		if (out->count == LIST_MOST)
			return print_error(EXIT_USAGE, "--%s has more than %d values; expected each value once",
				option, LIST_MOST);
		out->at[out->count++] = found;
	}
	return EXIT_SUCCESS;
}

int set_word(const char *value, const char *const *words, const char *option, int *out)
{
	char all[80];
	size_t count = 0;

	for (; words[count]; count++)
		if (strcmp(value, words[count]) == 0) {
			*out = (int)count;
			return EXIT_SUCCESS;
		}

	const char *meant = ls_name_suggest(value, words, count);

	if (meant)
		return print_error(
			EXIT_USAGE, "invalid value '%s' for --%s; did you mean '%s'?", value, option, meant);
	join_words(words, count, "or", all, sizeof all);
	return print_error(EXIT_USAGE, "invalid value '%s' for --%s; expected %s", value, option, all);
}

int print_unexpected(const char *value, const char *what, const char *expected)
{
	return print_error(EXIT_USAGE, "'%s' is not %s; expected %s", value, what, expected);
}

int set_small(const char *value, int least, int most, const char *what, int *out)
{
	int64_t number;

	if (!read_int(value, &number) || number < least || number > most)
		return print_error(EXIT_USAGE, "'%s' is not %s; expected %d..%d", value, what, least, most);
	*out = (int)number;
	return EXIT_SUCCESS;
}
