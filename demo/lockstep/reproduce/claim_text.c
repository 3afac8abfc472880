/*
 * Claims, their results and verdicts as text.
 */
#include "reproduce/claim_text.h"
#include "report/text_table.h"

#include <string.h>

enum { WIDTH = 100, VERDICT = 8 }; /* columns of a line; of the verdict before a claim */

size_t count_columns(const struct source_item *item)
{
	size_t columns = 0;

	while (item->column[columns])
		columns++;
	return columns;
}

static const char *format_verdict(const struct output *output, enum verdict verdict)
{
	static const char *const color[] = { "\033[32m", "\033[33m", "\033[36m", "\033[1;31m",
		"\033[36m" };
	static char text[40];

	if (colored(output, stdout))
		snprintf(
			text, sizeof text, "%s%-*s\033[0m", color[verdict], VERDICT - 2, verdict_name(verdict));
	else
		snprintf(text, sizeof text, "%-*s", VERDICT - 2, verdict_name(verdict));
	return text;
}

/* Wrap the text at WIDTH columns; every line starts at `column`, where the cursor is. */
static void print_wrapped(const char *text, int column)
{
	const int indent = column;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		const int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		column += printf("%s%.*s", column > indent ? " " : "", length, text);
		text += length;
	}
	putchar('\n');
}

static bool measures_network(const struct claim *claim)
{
	return claim->find == find_size || claim->find == find_degree || claim->find == find_diameter;
}

/* How a claim was checked, and the command that shows its first plan. */
static void print_method(const struct claim *claim, const struct finding *finding)
{
	const struct claim_run *run = &claim->run;
	const char *networks = run->networks;
	char spec[64], shift[32] = "";

	if (finding->how[0])
		printf("  %*s%s\n", VERDICT, "", finding->how);
	if (!networks || !next_spec(&networks, spec))
		return;
	if (measures_network(claim)) {
		printf("  %*slockstep list topologies -t %s\n", VERDICT, "", spec);
		return;
	}
	if (run->shift)
		snprintf(shift, sizeof shift, " -q %d", (int)run->shift);
	printf("  %*slockstep steps %s -t ", VERDICT, "", ls_operation_name(run->operation));
	if (run->routes_of && strchr(run->routes_of, ':'))
		printf("%s -a %s/%s --map %s%s\n", run->routes_of, spec, run->algorithm,
			run->vertex_of ? "gray" : "identity", shift);
	else
		printf("%s%s%s%s%s\n", spec, run->algorithm ? " -a " : "",
			run->algorithm ? run->algorithm : "", run->mode == LS_ROUTED ? " --mode routed" : "",
			shift);
}

static const char *reason_not_run(const struct finding *finding)
{
	return finding->found + strlen(NOT_RUN ": ");
}

static void print_claim(
	const struct output *output, const struct claim *claim, const struct finding *finding)
{
	char text[4 * FOUND_SIZE];
	const bool differs = !claim->printed || strcmp(claim->printed, finding->found) != 0;
	const char *printed = claim->printed ? claim->printed : "";

	if (finding->verdict == VERDICT_NOT_RUN)
		snprintf(text, sizeof text, "%s: %s", claim->name, reason_not_run(finding));
	else
		snprintf(text, sizeof text, "%s: %s%s%s%s%s%s", claim->name, printed,
			claim->printed && differs ? "; found: " : "", differs ? finding->found : "",
			claim->reason ? ". " : "", claim->reason ? claim->reason : "",
			claim->reason ? "." : "");
	if (finding->verdict == VERDICT_UNEXPLAINED && claim->expected)
		snprintf(
			text + strlen(text), sizeof text - strlen(text), " (should be: %s)", claim->expected);
	printf("  %s  ", format_verdict(output, finding->verdict));
	print_wrapped(text, 2 + VERDICT);
	if (output->verbose)
		print_method(claim, finding);
}

static void print_claims(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	for (size_t i = 0; i < item->claims; i++)
		print_claim(output, &item->claim[i], &finding[i]);
}

/* A cell shows the printed value, and the computed value where the two differ. */
static void print_grid(const struct source_item *item, const struct finding *finding)
{
	const char *head[12] = { "" };
	const size_t columns = count_columns(item);

	for (size_t i = 0; i < columns; i++)
		head[i + 1] = item->column[i];

	struct table table = table_begin(head);

	for (size_t i = 0; i < item->claims; i++) {
		const char *printed = item->claim[i].printed, *found = finding[i].found;

		if (i % columns == 0)
			table_cell(&table, "%s", item->claim[i].name);
		switch (finding[i].verdict) {
		case VERDICT_RIGHT:
		case VERDICT_ADDED:
			table_cell(&table, "%s", found);
			break;
		case VERDICT_NOT_RUN:
			table_cell(&table, NOT_RUN);
			break;
		case VERDICT_WRONG:
			table_cell(&table, "%s, is %s", printed, found);
			break;
		default:
			table_cell(&table, "%s, UNEXPLAINED: %s", printed ? printed : "", found);
		}
	}
	table_text(&table, 0);
	table_end(&table);
}

/* The last row from `row` on whose cell in this column was found in the same way. */
static size_t last_alike(
	const struct source_item *item, const struct finding *finding, size_t row, size_t column)
{
	const size_t columns = count_columns(item), rows = item->claims / columns;
	const char *how = finding[row * columns + column].how;

	while (row + 1 < rows && strcmp(finding[(row + 1) * columns + column].how, how) == 0)
		row++;
	return row;
}

/* "Ours: executed by threads (3 to 6), executed by a sweep (7 to 10)", for each column. */
static void print_methods(const struct source_item *item, const struct finding *finding)
{
	const size_t columns = count_columns(item), rows = item->claims / columns;

	for (size_t c = 0; c < columns; c++) {
		char text[FOUND_SIZE] = "";

		append_text(text, "%s:", item->column[c]);
		for (size_t row = 0, last; row < rows; row = last + 1) {
			const char *first = item->claim[row * columns].name;
			const char *how = finding[row * columns + c].how;

			last = last_alike(item, finding, row, c);
			append_text(text, "%s %s", row > 0 ? "," : "", how[0] ? how : NOT_RUN);
			if (last == row)
				append_text(text, " (%s)", first);
			else if (last - row + 1 < rows)
				append_text(text, " (%s to %s)", first, item->claim[last * columns].name);
		}
		printf("  ");
		print_wrapped(text, 2);
	}
}

/* Explain the cells that are neither right nor added. */
static void print_reasons(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	const size_t columns = count_columns(item);
	char text[3 * FOUND_SIZE];

	for (size_t i = 0; i < item->claims; i++) {
		const struct claim *claim = &item->claim[i];

		if (finding[i].verdict == VERDICT_RIGHT || finding[i].verdict == VERDICT_ADDED)
			continue;
		if (finding[i].verdict == VERDICT_NOT_RUN)
			snprintf(text, sizeof text, "%s, %s: %s", claim->name, item->column[i % columns],
				reason_not_run(&finding[i]));
		else
			snprintf(text, sizeof text, "%s, %s: %s; found: %s. %s", claim->name,
				item->column[i % columns], claim->printed ? claim->printed : "", finding[i].found,
				claim->reason ? claim->reason : "");
		printf("  %s  ", format_verdict(output, finding[i].verdict));
		print_wrapped(text, 2 + VERDICT);
	}
}

static void print_misprint(const struct misprint *misprint)
{
	char text[2 * FOUND_SIZE];

	snprintf(text, sizeof text, "%s -- %s", misprint->printed, misprint->correction);
	printf("  ");
	print_wrapped(text, 2);
}

void print_item(
	const struct output *output, const struct source_item *item, const struct finding *finding)
{
	printf("\n%s  %s\n\n", item->name, item->title);
	if (item->draw) {
		item->draw();
		putchar('\n');
	}
	if (item->column) {
		print_grid(item, finding);
		putchar('\n');
		print_methods(item, finding);
		putchar('\n');
		print_reasons(output, item, finding);
	} else {
		print_claims(output, item, finding);
	}
	if (item->misprints)
		printf("\n  Misprints:\n");
	for (size_t i = 0; i < item->misprints; i++)
		print_misprint(&item->misprint[i]);
}
