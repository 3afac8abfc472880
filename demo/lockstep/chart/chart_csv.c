/*
 * Reads the rows of a chart from a CSV file.
 */
#include "base/csv_line.h"
#include "base/text_file.h"
#include "chart/chart_rows.h"

#include <string.h>

/* Joined files repeat the head, which `head` keeps. */
static int read_line(
	struct chart_rows *rows, const struct drawing_choice *choice, char *line, char **head)
{
	char *cell[CHART_CELLS];

	line[strcspn(line, "\r\n")] = '\0';
	if (*head && strcmp(*head, line) == 0)
		return EXIT_SUCCESS;
	if (!*head)
		*head = require_memory(strdup(line));

	const size_t cells = csv_split(line, cell, CHART_CELLS);

	if (rows->cells == 0)
		return chart_rows_begin(rows, choice, cell, cells);
	if (cells == rows->cells)
		return chart_rows_add(rows, cell);
	return print_error(EXIT_USAGE, "%s:%zu: %zu cell%s; expected %zu, as in the head", rows->path,
		rows->line, cells, cells == 1 ? "" : "s", rows->cells);
}

int chart_rows_read(const char *path, const struct drawing_choice *choice, struct chart_rows *rows)
{
	struct text_file text;
	char *head = NULL;
	int failed = text_open(path, TEXT_LINE_MOST, &text);

	rows->path = text.path;
	while (!failed && text_next_line(&text)) {
		rows->line = text.line;
		if (text.text[0] != '#' && text.text[strspn(text.text, " \t\r\n")] != '\0')
			failed = read_line(rows, choice, text.text, &head);
	}
	free(head);
	failed = text_close(&text) ? text.failed : failed;
	if (failed || rows->count > 0)
		return failed;
	return print_error(EXIT_USAGE, "%s has no rows to draw; expected a head and a row whose %s",
		rows->path, rows->cells ? "status is ok" : "cells are separated by commas");
}
