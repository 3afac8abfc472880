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

void table_cell(struct table *table, const char *format, ...)
{
	va_list arguments;
	char text[512];

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	table->cell = require_memory(realloc(table->cell, (table->cells + 1) * sizeof *table->cell));
	table->cell[table->cells++] = require_memory(strdup(text));
}

void table_cells(struct table *table, int count, ...)
{
	va_list arguments;

	va_start(arguments, count);
	while (count-- > 0)
		table_cell(table, "%s", va_arg(arguments, const char *));
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

static const char *head(const struct table *table, size_t column)
{
	return table->head[column] + strspn(table->head[column], "#?*");
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

void print_words(FILE *file, int indent, const char *text)
{
	int column = indent;

	for (const char *word = text; *word; word += strspn(word, " ")) {
		const int bytes = (int)strcspn(word, " ");
		char copy[512];

		snprintf(copy, sizeof copy, "%.*s", bytes, word);
		if (word > text && column + 1 + width_of(copy) > TABLE_WIDTH) {
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

/* The column shown as a star before the row; none: the number of columns. */
static size_t star_column(const struct table *table)
{
	size_t column = 0;

	while (column < table->columns && table->head[column][0] != '*')
		column++;
	return column;
}

/* The layout of text; the columns before `first` are grouped. */
struct layout {
	int *width, gap;
	size_t first, star;
};

/*
 * Blanks between columns: two, or one where that would be too wide.  A last column of text is
 * wrapped.
 */
static int gap_of(const struct table *table, const struct layout *layout)
{
	const bool wraps = !is_number(table, table->columns - 1);
	int total = layout->star < table->columns ? 2 : 0;

	for (size_t c = layout->first; c < table->columns - wraps; c++)
		total += c == layout->star ? 0 : layout->width[c] + 2;
	return wraps || total - 2 <= TABLE_WIDTH ? 2 : 1;
}

static void text_row(const struct table *table, const struct layout *layout, const char **texts)
{
	const size_t star = layout->star, last = table->columns - 1;
	int at = 0;

	if (star < table->columns)
		at += printf("%s ", strcmp(texts[star], "true") == 0 ? "*" : " ");
	for (size_t c = layout->first; c < last; c++) {
		const int pad = layout->width[c] - width_of(texts[c]);

		if (c == star)
			continue;
		if (is_number(table, c))
			printf("%*s%s%*s", pad, "", texts[c], layout->gap, "");
		else
			printf("%s%*s", texts[c], pad + layout->gap, "");
		at += layout->width[c] + layout->gap;
	}
	if (is_number(table, last))
		printf("%*s%s\n", layout->width[last] - width_of(texts[last]), "", texts[last]);
	else
		print_words(stdout, at, texts[last]);
}

void table_text(const struct table *table, size_t grouped)
{
	struct layout layout = { .width = require_memory(calloc(table->columns, sizeof *layout.width)),
		.first = grouped,
		.star = star_column(table) };
	const char **texts = require_memory(calloc(table->columns, sizeof *texts));

	for (size_t c = 0; c < table->columns; c++) {
		texts[c] = head(table, c);
		layout.width[c] = width_of(texts[c]);
	}
	for (size_t i = 0; i < table->cells; i++) {
		int *width = &layout.width[i % table->columns];
		const int w = width_of(shown(table, i));

		*width = w > *width ? w : *width;
	}
	layout.gap = gap_of(table, &layout);
	text_row(table, &layout, texts);
	for (size_t i = 0; i < table->cells; i += table->columns) {
		for (size_t c = 0; c < table->columns; c++)
			texts[c] = shown(table, i + c);
		if (begins_group(table, i, grouped))
			print_group(table, i, grouped);
		text_row(table, &layout, texts);
	}
	free(texts);
	free(layout.width);
}

/* RFC 4180. */
static void csv_cell(const char *text, bool last)
{
	const bool quoted = strpbrk(text, ",\"\n") != NULL;

	if (quoted)
		putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	if (quoted)
		putchar('"');
	putchar(last ? '\n' : ',');
}

void table_csv(const struct table *table)
{
	for (size_t c = 0; c < table->columns; c++)
		csv_cell(head(table, c), c + 1 == table->columns);
	for (size_t row = 0; row < table->cells / table->columns; row++)
		table_csv_row(table, row);
}

void table_csv_row(const struct table *table, size_t row)
{
	for (size_t c = 0; c < table->columns; c++)
		csv_cell(table->cell[row * table->columns + c], c + 1 == table->columns);
}

static void member(
	const struct table *table, size_t column, const char *name, const char *text, struct json *json)
{
	if (*text && strchr("#?*", table->head[column][0]))
		json_number(json, name, text);
	else
		json_text(json, name, *text ? text : NULL);
}

void table_members(const struct table *table, size_t row, struct json *json)
{
	const char *inside = ""; /* "a." while the object a is open */
	size_t length = 0;

	for (size_t c = 0; c < table->columns; c++) {
		const char *name = head(table, c);
		const char *dot = strchr(name, '.');

		if (length > 0 && strncmp(name, inside, length) != 0) {
			json_end(json);
			length = 0;
		}
		if (dot && length == 0) {
			char object[64];

			inside = name;
			length = (size_t)(dot - name) + 1;
			snprintf(object, sizeof object, "%.*s", (int)length - 1, name);
			json_object(json, object);
		}
		member(table, c, name + length, table->cell[row * table->columns + c], json);
	}
	if (length > 0)
		json_end(json);
}

void table_json(const struct table *table, struct json *json, const char *name)
{
	json_array(json, name);
	for (size_t row = 0; row < table->cells / table->columns; row++) {
		json_object(json, NULL);
		table_members(table, row, json);
		json_end(json);
	}
	json_end(json);
}

void table_end(struct table *table)
{
	for (size_t i = 0; i < table->cells; i++)
		free(table->cell[i]);
	free(table->cell);
}
