#include "base/messages.h"
#include "bench/compare.h"

#include <math.h>
#include <string.h>

enum { NUMBER = 24 };

/* "%.*g"; not finite: empty. */
static const char *number_text(double value, int digits, char text[NUMBER])
{
	text[0] = '\0';
	if (isfinite(value))
		snprintf(text, NUMBER, "%.*g", digits, value);
	return text;
}

void comparison_cells(struct table *t, const struct comparisons *c, bool is_compared)
{
	char ratio[NUMBER], p[NUMBER];

	if (!is_compared) {
		table_cells(t, 4, "", "", "", "");
		return;
	}

	const struct time_comparison *row = &c->row[c->rows - 1];

	table_reals(t, 1, row->old_median);
	table_cells(t, 3, number_text(row->ratio, 4, ratio), number_text(row->p, 3, p), row->verdict);
}

void comparisons_json(const struct comparisons *c, struct json *json)
{
	static const char *const heads[] = { "topology", "operation", "algorithm", "engine_requested",
		"nodes_as", "round_mode", "mode", "type", "op", "#bytes", "#median_old", "#median_new",
		"#ratio", "#p", "verdict", NULL };
	struct table t = table_begin(heads);

	for (const struct time_comparison *row = c->row; row < c->row + c->rows; row++) {
		char ratio[NUMBER], p[NUMBER];

		for (int k = 0; k < ROW_KEYS; k++)
			table_cells(&t, 1, row->key[k]);
		table_reals(&t, 3, row->bytes, row->old_median, row->new_median);
		table_cells(
			&t, 3, number_text(row->ratio, 4, ratio), number_text(row->p, 3, p), row->verdict);
	}
	table_json(&t, json, "compare");
	table_end(&t);
}

/* Microseconds, or "-". */
static const char *us_text(double ns, char text[NUMBER])
{
	return isfinite(ns) ? number_text(ns / 1000, 4, text) : "-";
}

static size_t count_verdicts(const struct comparisons *c, const char *verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < c->rows; i++)
		count += strcmp(c->row[i].verdict, verdict) == 0;
	return count;
}

static int widest(const struct comparisons *c, enum row_key key, int least)
{
	for (size_t i = 0; i < c->rows; i++)
		if ((int)strlen(c->row[i].key[key]) > least)
			least = (int)strlen(c->row[i].key[key]);
	return least;
}

static bool has_several_kinds(const struct comparisons *c)
{
	for (size_t i = 1; i < c->rows; i++)
		if (strcmp(c->row[i].key[KEY_NODES], c->row->key[KEY_NODES]) != 0)
			return true;
	return false;
}

static void print_label(
	const struct comparisons *c, char *const label[], enum row_key key, int least)
{
	printf("  %-*s", widest(c, key, least), *label[key] ? label[key] : "-");
}

static void print_labels(const struct comparisons *c, char *const label[], bool all)
{
	print_label(c, label, KEY_ALGORITHM, 9);
	if (all)
		print_label(c, label, KEY_ENGINE, 6);
	if (has_several_kinds(c))
		print_label(c, label, KEY_NODES, 5);
	if (all)
		print_label(c, label, KEY_ROUND_MODE, 6);
}

void comparisons_text(const struct comparisons *c, size_t variants)
{
	static char algorithm[] = "algorithm", engine[] = "engine", nodes[] = "nodes",
				rounds[] = "rounds";
	char *const heads[ROW_KEYS] = { [KEY_ALGORITHM] = algorithm,
		[KEY_ENGINE] = engine,
		[KEY_NODES] = nodes,
		[KEY_ROUND_MODE] = rounds };

	printf("\n# compared with %s: medians in us, new/old, p of the U test\n#%9s", c->path, "bytes");
	print_labels(c, heads, variants > 1);
	printf(" %10s %10s %8s %8s  %s\n", "old", "new", "new/old", "p", "verdict");
	for (const struct time_comparison *row = c->row; row < c->row + c->rows; row++) {
		char old[NUMBER], new[NUMBER], ratio[NUMBER], p[NUMBER];

		printf("%10.0f", row->bytes);
		print_labels(c, row->key, variants > 1);
		printf(" %10s %10s %8s %8s  %s\n", us_text(row->old_median, old),
			us_text(row->new_median, new),
			isfinite(row->ratio) ? number_text(row->ratio, 3, ratio) : "-",
			isfinite(row->p) ? number_text(row->p, 2, p) : "-", row->verdict);
	}
	printf("# %zu faster, %zu slower, %zu same", count_verdicts(c, "faster"),
		count_verdicts(c, "slower"), count_verdicts(c, "same"));
	if (count_verdicts(c, "only-new") > 0)
		printf(", %zu without an old row", count_verdicts(c, "only-new"));
	if (count_verdicts(c, "only-old") > 0)
		printf(", %zu without a new row", count_verdicts(c, "only-old"));
	putchar('\n');
}

void comparisons_end(const struct comparisons *c)
{
	if (c->any_short)
		print_error(EXIT_SUCCESS,
			"%s or this run has rows with too few samples to show a change; try --samples 11 for "
			"both",
			c->path);
}
