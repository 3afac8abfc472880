#include "report/text_table.h"

#include "base/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table table_begin(const char *const *head)
{
	struct table table = { .head = head };

	while (head[table.columns])
		table.columns++;
	return table;
}

static void add_cell(struct table *table, char *text)
{
	table->cell = require_memory(realloc(table->cell, (table->cells + 1) * sizeof *table->cell));
	table->cell[table->cells++] = require_memory(text);
}

void table_cell(struct table *table, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	add_cell(table, text);
}

void table_cells(struct table *table, int count, ...)
{
	va_list arguments;

	va_start(arguments, count);
	while (count-- > 0)
		add_cell(table, strdup(va_arg(arguments, const char *)));
	va_end(arguments);
}

void table_numbers(struct table *table, int count, ...)
{
	va_list arguments;

	va_start(arguments, count);
	while (count-- > 0)
		table_cell(table, "%" PRId64, va_arg(arguments, int64_t));
	va_end(arguments);
}

/* Three decimals: times in ns are not more exact. */
void table_reals(struct table *table, int count, ...)
{
	va_list arguments;

	va_start(arguments, count);
	while (count-- > 0) {
		const double value = va_arg(arguments, double);

		if (isfinite(value))
			table_cell(table, "%.15g", round(value * 1000) / 1000);
		else
			table_cell(table, "%s", "");
	}
	va_end(arguments);
}

static bool is_number(const struct table *table, size_t column)
{
	return table->head[column][0] == '#';
}

const char *table_head(const struct table *table, size_t column)
{
	return table->head[column] + strspn(table->head[column], "#?*~");
}

/* A cell as text shows it. */
static const char *shown(const struct table *table, size_t i)
{
	const char *cell = table->cell[i];

	if (table->head[i % table->columns][0] == '?')
		return strcmp(cell, "true") == 0 ? "yes" : "-";
	return *cell ? cell : "-";
}

/* Visible columns, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

void print_words(FILE *file, int indent, int width, const char *text)
{
	int column = indent;

	for (const char *word = text; *word; word += strspn(word, " ")) {
		const int bytes = (int)strcspn(word, " ");
		char copy[512];

		snprintf(copy, sizeof copy, "%.*s", bytes, word);
		if (word > text && column + 1 + width_of(copy) > width) {
			fprintf(file, "\n%*s", indent, "");
			column = indent;
		} else if (word > text) {
			fputc(' ', file);
			column++;
		}
		fputs(copy, file);
		column += width_of(copy);
		word += bytes;
	}
	fputc('\n', file);
}

/*
 * Whether a row begins a group: the first row, or one whose first columns differ from those above.
 */
static bool begins_group(const struct table *table, size_t first_cell, size_t grouped)
{
	if (grouped == 0)
		return false;
	if (first_cell == 0)
		return true;
	for (size_t i = first_cell; i < first_cell + grouped; i++)
		if (strcmp(table->cell[i], table->cell[i - table->columns]) != 0)
			return true;
	return false;
}

static void print_group(const struct table *table, size_t first_cell, size_t grouped)
{
	for (size_t i = 0; i < grouped; i++)
		printf("%s%s", i > 0 ? ", " : "\n", table->cell[first_cell + i]);
	putchar('\n');
}

/* How text is laid out. */
struct layout {
	int *width;
	bool *omitted; /* columns that text does not show: groups, marks, those that do not fit */
	int gap;       /* blanks between columns */
	int most;      /* characters of a line */
	bool marks;    /* rows begin with a mark */
	bool wraps;    /* the last column */
};

static bool is_mark(const struct table *table, size_t column)
{
	return table->head[column][0] == '*' || table->head[column][0] == '~';
}

/* The mark of the row that begins at a cell. */
static char mark_of(const struct table *table, size_t first_cell)
{
	char mark = ' ';

	for (size_t c = 0; c < table->columns; c++) {
		const char *cell = table->cell[first_cell + c];

		if (table->head[c][0] == '*' && strcmp(cell, "true") == 0)
			mark = '*';
		else if (table->head[c][0] == '~' && *cell)
			mark = 'x';
	}
	return mark;
}

/* Characters of a line, without the last column of the table if that is wrapped. */
static int line_width(const struct table *table, const struct layout *layout)
{
	int total = layout->marks ? 2 : 0, shown_columns = 0;

	for (size_t c = 0; c < table->columns - layout->wraps; c++)
		if (!layout->omitted[c]) {
			total += layout->width[c];
			shown_columns++;
		}
	return total + layout->gap * (shown_columns - 1 + layout->wraps);
}

static size_t column_named(const struct table *table, const char *name)
{
	size_t column = 0;

	while (column < table->columns && strcmp(table_head(table, column), name) != 0)
		column++;
	return column;
}

/* Two blanks between columns, or one; then without optional columns, one after another. */
static void fit_columns(const struct table *table, struct layout *layout)
{
	const char *const *name = table->optional;

	layout->gap = 2;
	if (layout->wraps || line_width(table, layout) <= layout->most)
		return;
	layout->gap = 1;
	for (; name && *name && line_width(table, layout) > layout->most; name++) {
		const size_t column = column_named(table, *name);

		if (column < table->columns)
			layout->omitted[column] = true;
	}
	layout->gap = 2;
	if (line_width(table, layout) > layout->most)
		layout->gap = 1;
}

static struct layout lay_out(const struct table *table, size_t grouped)
{
	struct layout layout = {
		.width = require_memory(calloc(table->columns, sizeof *layout.width)),
		.omitted = require_memory(calloc(table->columns, sizeof *layout.omitted)),
		.most = terminal_width(stdout),
		.wraps = !table->optional && !is_number(table, table->columns - 1),
	};

	for (size_t c = 0; c < table->columns; c++) {
		layout.width[c] = width_of(table_head(table, c));
		layout.omitted[c] = c < grouped || is_mark(table, c);
		layout.marks |= is_mark(table, c);
	}
	for (size_t i = 0; i < table->cells; i++) {
		int *width = &layout.width[i % table->columns];
		const int w = width_of(shown(table, i));

		*width = w > *width ? w : *width;
	}
	fit_columns(table, &layout);
	return layout;
}

static size_t last_shown(const struct table *table, const struct layout *layout)
{
	size_t last = table->columns - 1;

	while (last > 0 && layout->omitted[last])
		last--;
	return last;
}

/* Long lines of prose are hard to read. */
static int prose_width(const struct layout *layout)
{
	return layout->most < TEXT_WIDTH ? layout->most : TEXT_WIDTH;
}

static void text_row(
	const struct table *table, const struct layout *layout, char mark, const char **texts)
{
	const size_t last = last_shown(table, layout);
	int at = 0;

	if (layout->marks)
		at += printf("%c ", mark);
	for (size_t c = 0; c < last; c++) {
		const int pad = layout->width[c] - width_of(texts[c]);

		if (layout->omitted[c])
			continue;
		if (is_number(table, c))
			printf("%*s%s%*s", pad, "", texts[c], layout->gap, "");
		else
			printf("%s%*s", texts[c], pad + layout->gap, "");
		at += layout->width[c] + layout->gap;
	}
	if (is_number(table, last))
		printf("%*s%s\n", layout->width[last] - width_of(texts[last]), "", texts[last]);
	else if (layout->wraps)
		print_words(stdout, at, prose_width(layout), texts[last]);
	else
		puts(texts[last]);
}

static void print_omitted(const struct table *table, const struct layout *layout)
{
	int width = 0;

	for (const char *const *name = table->optional; name && *name; name++) {
		const size_t column = column_named(table, *name);

		if (column == table->columns || !layout->omitted[column])
			continue;
		if (width == 0)
			width = printf("\nnot shown in %d columns: ", layout->most) - 1;
		else if (width + width_of(*name) + 3 > layout->most)
			width = printf(",\n  ") - 2;
		else
			width += printf(", ");
		width += printf("%s", *name);
	}
	if (width > 0)
		putchar('\n');
}

void table_text(const struct table *table, size_t grouped)
{
	const struct layout layout = lay_out(table, grouped);
	const char **texts = require_memory(calloc(table->columns, sizeof *texts));

	for (size_t c = 0; c < table->columns; c++)
		texts[c] = table_head(table, c);
	text_row(table, &layout, ' ', texts);
	for (size_t i = 0; i < table->cells; i += table->columns) {
		for (size_t c = 0; c < table->columns; c++)
			texts[c] = shown(table, i + c);
		if (begins_group(table, i, grouped))
			print_group(table, i, grouped);
		text_row(table, &layout, mark_of(table, i), texts);
	}
	print_omitted(table, &layout);
	free(texts);
	free(layout.omitted);
	free(layout.width);
}

void table_end(struct table *table)
{
	for (size_t i = 0; i < table->cells; i++)
		free(table->cell[i]);
	free(table->cell);
}
