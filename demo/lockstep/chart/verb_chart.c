/*
 * lockstep chart: curves from columns of a CSV file.
 */
#include "chart/chart_file.h"
#include "cli/verb.h"

int verb_chart(const struct options *options)
{
	const char *const *path = options->word + 1;
	struct chart_rows rows = { 0 };
	int failed = chart_check_files(&options->output, path);

	if (!failed)
		failed = chart_rows_read(options->word[0], &options->drawing, &rows);
	if (!failed)
		failed = chart_write_rows(&options->output, &options->drawing, &rows, NULL, path);
	if (!failed && rows.left_out > 0 && !options->output.quiet)
		print_error(EXIT_SUCCESS,
			"left out: %zu row%s whose status is not ok; try to measure them again", rows.left_out,
			rows.left_out == 1 ? "" : "s");
	chart_rows_end(&rows);
	return failed;
}
