/*
 * Tables as CSV and JSON.
 */
#include "report/text_table.h"

#include <stdlib.h>
#include <string.h>

/* RFC 4180. */
static void csv_cell(FILE *file, const char *text, bool last)
{
	const bool quoted = strpbrk(text, ",\"\n") != NULL;

	if (quoted)
		putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	if (quoted)
		putc('"', file);
	putc(last ? '\n' : ',', file);
}

void table_csv_row(const struct table *table, size_t row, FILE *file)
{
	for (size_t c = 0; c < table->columns; c++)
		csv_cell(file, table->cell[row * table->columns + c], c + 1 == table->columns);
}

void table_csv(const struct table *table, FILE *file)
{
	for (size_t c = 0; c < table->columns; c++)
		csv_cell(file, table_head(table, c), c + 1 == table->columns);
	for (size_t row = 0; row < table->cells / table->columns; row++)
		table_csv_row(table, row, file);
}

int table_finish_csv(struct table *table, FILE *file)
{
	table_csv(table, file);
	table_end(table);
	return EXIT_SUCCESS;
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
		const char *name = table_head(table, c);
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
