#include "cli/option_drawing.h"

#include "base/number.h"
#include "cli/option_values.h"

#include <string.h>

/* K or A-B */
int set_drawing_step(struct options *options, const char *value)
{
	char copy[80], *rest = copy;
	int64_t first, last;

	snprintf(copy, sizeof copy, "%s", value);

	const char *begin = strsep(&rest, "-");

	if (!read_int(begin, &first) || !read_int(rest ? rest : begin, &last) || first < 1
		|| last < first)
		return print_unexpected(value, "a step", "K or A-B from 1 on, for example 2 or 2-4");
	options->drawing.first_round = first;
	options->drawing.last_round = last;
	return EXIT_SUCCESS;
}

int set_drawing_values(struct options *options, const char *value)
{
	static const char *const words[] = { [LS_VALUES_NONE] = "none",
		[LS_VALUES_BLOCKS] = "blocks",
		[LS_VALUES_DATA] = "data",
		[LS_VALUES_BOTH] = "both",
		NULL };
	int found;
	const int failed = set_word(value, words, "values", &found);

	if (!failed)
		options->drawing.values = (enum ls_drawn_values)found;
	return failed;
}

int set_drawing_labels(struct options *options, const char *value)
{
	static const char *const words[] = { [LS_LABELS_BOTH] = "both",
		[LS_LABELS_RANK] = "rank",
		[LS_LABELS_NAME] = "name",
		[LS_LABELS_NONE] = "none",
		NULL };
	int found;
	const int failed = set_word(value, words, "labels", &found);

	if (!failed)
		options->drawing.labels = (enum ls_drawn_labels)found;
	return failed;
}

int set_drawing_theme(struct options *options, const char *value)
{
	static const char *const words[] = {
		[LS_THEME_COLOR] = "color", [LS_THEME_MONO] = "mono", [LS_THEME_DARK] = "dark", NULL
	};
	int found;
	const int failed = set_word(value, words, "theme", &found);

	if (!failed)
		options->drawing.theme = (enum ls_theme)found;
	return failed;
}

int set_drawing_x_axis(struct options *options, const char *value)
{
	static const char *const words[] = { "time", "rounds", NULL };
	static const enum ls_x_axis axes[] = { LS_X_AXIS_TIME, LS_X_AXIS_ROUNDS };
	int found;
	const int failed = set_word(value, words, "x-axis", &found);

	if (!failed)
		options->drawing.x_axis = axes[found];
	return failed;
}

int set_drawing_columns(struct options *options, const char *value)
{
	return set_small(value, 1, 64, "a number of columns", &options->drawing.columns);
}

/* "none" is no caption. */
int set_drawing_caption(struct options *options, const char *value)
{
	options->drawing.caption = strcmp(value, "none") ? value : "";
	return EXIT_SUCCESS;
}

int set_drawing_width(struct options *options, const char *value)
{
	if (!read_real(value, &options->drawing.width) || !(options->drawing.width >= 1)
		|| !(options->drawing.width <= 10000))
		return print_unexpected(value, "a width", "mm from 1 to 10000, for example 120");
	return EXIT_SUCCESS;
}
