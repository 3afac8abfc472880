#include "table.h"

#include "tool.h"

#include <inttypes.h>
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
	table->cell = need(realloc(table->cell, (table->cells + 1) * sizeof *table->cell));
	table->cell[table->cells++] = need(strdup(text));
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

static bool is_number(const struct table *table, size_t column)
{
	return table->head[column][0] == '#';
}

static const char *head(const struct table *table, size_t column)
{
	return table->head[column] + strspn(table->head[column], "#?");
}

/* A cell as people read it. */
static const char *shown(const struct table *table, size_t i)
{
	const char *cell = table->cell[i];

	if (table->head[i % table->columns][0] == '?')
		return strcmp(cell, "true") == 0 ? "yes" : "-";
	return *cell ? cell : "-";
}

/* Columns that people see, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void text_cell(const struct table *table, size_t column, int width, const char *text)
{
	const int pad = width - width_of(text);

	if (is_number(table, column))
		printf("%*s%s", pad, "", text);
	else
		printf("%s%*s", text, column + 1 < table->columns ? pad : 0, "");
	fputs(column + 1 < table->columns ? "  " : "\n", stdout);
}

/* Whether a row differs from the one before it in one of its first columns. */
static bool begins_group(const struct table *table, size_t first_cell, size_t columns)
{
	for (size_t i = first_cell; first_cell > 0 && i < first_cell + columns; i++)
		if (strcmp(table->cell[i], table->cell[i - table->columns]) != 0)
			return true;
	return false;
}

void table_text(const struct table *table, size_t grouped)
{
	int *width = need(calloc(table->columns, sizeof *width));

	for (size_t c = 0; c < table->columns; c++)
		width[c] = width_of(head(table, c));
	for (size_t i = 0; i < table->cells; i++) {
		const int w = width_of(shown(table, i));

		if (width[i % table->columns] < w)
			width[i % table->columns] = w;
	}
	for (size_t c = 0; c < table->columns; c++)
		text_cell(table, c, width[c], head(table, c));
	for (size_t i = 0; i < table->cells; i++) {
		if (i % table->columns == 0 && begins_group(table, i, grouped))
			putchar('\n');
		text_cell(table, i % table->columns, width[i % table->columns], shown(table, i));
	}
	free(width);
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
	for (size_t i = 0; i < table->cells; i++)
		csv_cell(table->cell[i], i % table->columns + 1 == table->columns);
}

static void member(
	const struct table *table, size_t column, const char *name, const char *text, struct json *json)
{
	if (*text && strchr("#?", table->head[column][0]))
		json_number(json, name, text);
	else
		json_text(json, name, *text ? text : NULL);
}

void table_members(const struct table *table, size_t row, struct json *json)
{
	const char *inside = "";                /* "a." while the object a is open */
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
