/*
 * The words of a chart: names of series, title and caption.
 */
#include "chart/chart_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_text(char **text, size_t *size)
{
	return require_memory(open_memstream(text, size));
}

static char *close_text(FILE *file, char **text)
{
	if (fclose(file))
		require_memory(NULL);
	return *text;
}

/* What all rows share, where nothing else names them: the algorithm, or the engine; or "". */
static const char *common_name(const struct chart_rows *rows, const struct chart_row *row)
{
	for (size_t k = 0; k < rows->keys; k++)
		if (rows->key[k].where != CHART_TITLE && *row->key[k])
			return row->key[k];
	return "";
}

char *chart_row_name(const struct chart_rows *rows, const struct chart_row *row, bool models)
{
	char *text;
	size_t size;
	FILE *file = open_text(&text, &size);
	bool any = false;

	for (size_t k = 0; k < rows->keys; k++) {
		const struct chart_key *key = &rows->key[k];

		if (!*row->key[k] || (models && !key->models) || !key->differs)
			continue;
		fprintf(file, "%s%s", any ? ", " : "", row->key[k]);
		any = true;
	}
	if (!any && !models)
		fputs(common_name(rows, row), file);
	return close_text(file, &text);
}

/* The keys of one kind that all rows share, with their texts. */
static bool put_shared(const struct chart_rows *rows, int where, const char *between, FILE *file)
{
	bool any = false;

	for (size_t k = 0; k < rows->keys; k++) {
		const struct chart_key *key = &rows->key[k];

		if ((int)key->where != where || !*rows->row[0].key[k] || key->differs)
			continue;
		fprintf(file, "%s%s%s%s", any ? between : "", key->before, rows->row[0].key[k], key->after);
		any = true;
	}
	return any;
}

char *chart_title(const struct chart_rows *rows, bool one_x)
{
	char *text;
	size_t size;
	FILE *file = open_text(&text, &size);

	if (!put_shared(rows, CHART_TITLE, "", file))
		fprintf(file, "%s over %s", rows->y.label, rows->x.label);
	if (one_x)
		fprintf(file, ": %s%s", rows->row[0].name, rows->x.unit == LS_UNIT_BYTES ? " bytes" : "");
	return close_text(file, &text);
}

char *chart_caption(const struct chart_rows *rows, const char *model, bool left_out_zero)
{
	char *text;
	size_t size;
	FILE *file = open_text(&text, &size);
	bool models = false;

	for (size_t i = 0; i < rows->count; i++)
		models |= !isnan(rows->row[i].model);
	if (put_shared(rows, CHART_CAPTION, ", ", file))
		fputs(". ", file);
	if (rows->column[CHART_LOW] != SIZE_MAX)
		fprintf(file, "Bars: from %s to %s. ", rows->bar[0], rows->bar[1]);
	if (models)
		fprintf(file, "Model: %s. ", model ? model : "as predicted");
	if (left_out_zero)
		fprintf(file, "0 is left out: the axis is logarithmic. ");
	put_shared(rows, CHART_MACHINE, ", ", file);
	close_text(file, &text);
	while (*text && text[strlen(text) - 1] == ' ')
		text[strlen(text) - 1] = '\0';
	return text;
}
