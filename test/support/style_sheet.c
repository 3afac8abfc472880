#include "support/style_sheet.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\n");
}

/* Is the selector in the list from `at` to `end`? */
static bool is_listed(const char *at, const char *end, const char *selector)
{
	const size_t length = strlen(selector);

	while (at < end) {
		const char *begin = skip_space(at);
		const size_t one = strcspn(begin, ",{");

		if (one == length && strncmp(begin, selector, length) == 0)
			return true;
		at = begin + one + 1;
	}
	return false;
}

/* The property in the declarations from `at` to `end`. */
static void find_property(
	const char *at, const char *end, const char *property, struct style_value *out)
{
	const size_t length = strlen(property);

	while (at < end) {
		const char *begin = skip_space(at);
		const size_t one = strcspn(begin, ";}");

		if (strncmp(begin, property, length) == 0 && begin[length] == ':')
			snprintf(
				out->text, sizeof out->text, "%.*s", (int)(one - length - 1), begin + length + 1);
		at = begin + one + 1;
	}
}

struct style_value style_value(const char *sheet, const char *selector, const char *property)
{
	struct style_value value = { "" };

	for (const char *at = sheet; strchr(at, '{') && strchr(at, '}');) {
		const char *open = strchr(at, '{'), *close = strchr(open, '}');

		if (is_listed(at, open, selector))
			find_property(open + 1, close, property, &value);
		at = close + 1;
	}
	return value;
}

/* Relative luminance; -1: not a color. */
static double luminance(const char *color)
{
	const double weight[] = { 0.2126, 0.7152, 0.0722 };
	unsigned part[3];
	double sum = 0;

	if (sscanf(color, "#%2x%2x%2x", &part[0], &part[1], &part[2]) != 3)
		return -1;
	for (int i = 0; i < 3; i++) {
		const double c = part[i] / 255.0;

		sum += weight[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double contrast(const char *one, const char *other)
{
	const double a = luminance(one), b = luminance(other);

	return a < 0 || b < 0 ? 0 : (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* The rule of .n0 follows that of .number in the sheet, and wins. */
struct style_value style_of_classes(const char *sheet, const char *classes, const char *property)
{
	struct style_value found = { "" };
	char selector[40];

	for (const char *at = classes; at && *at;) {
		const size_t word = strcspn(at, " ");

		snprintf(selector, sizeof selector, ".%.*s", (int)word, at);
		at += word + strspn(at + word, " ");

		const struct style_value value = style_value(sheet, selector, property);

		if (value.text[0])
			found = value;
	}
	return found;
}
