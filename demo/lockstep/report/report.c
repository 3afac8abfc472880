#include "report/report.h"

#include "base/messages.h"
#include "base/object_text.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "report/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value_columns = 6; /* of a number, the blank after it not counted */

void report_fit_count(int64_t count)
{
	const int digits = snprintf(NULL, 0, "%" PRId64, count);

	value_columns = digits > value_columns ? digits : value_columns;
}

/* Columns that a text takes on a terminal: no escape sequence takes any. */
static int columns_of(const char *text)
{
	int columns = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			columns += (*text & 0xc0) != 0x80;
	}
	return columns;
}

void report_pair(const char *name, const char *left, const char *right)
{
	const bool fits = REPORT_NAME + columns_of(left) + columns_of(right) <= terminal_width(stdout);

	printf("%-10s ", name);
	if (fits) {
		printf("%s%s\n", left, right);
		return;
	}

	int length = (int)strlen(left);

	while (length > 0 && left[length - 1] == ' ')
		length--;
	printf("%.*s\n%*s%s\n", length, left, REPORT_NAME, "", right);
}

static void put_body(const char *name, const char *body)
{
	const int most = terminal_width(stdout);

	printf("%-10s ", name);
	if (REPORT_NAME + columns_of(body) <= most)
		puts(body);
	else
		print_words(stdout, REPORT_NAME, most, body);
}

void report_line(const char *name, const char *value, const char *note, const char *verdict)
{
	char body[512];

	snprintf(
		body, sizeof body, *note ? "%-*s %s" : "%-*s%s", *note ? value_columns : 0, value, note);
	if (*verdict) {
		char left[sizeof body + REPORT_BODY];

		snprintf(left, sizeof left, "%-*s ", REPORT_BODY, body);
		report_pair(name, left, verdict);
	} else {
		put_body(name, body);
	}
}

void report_count(const char *name, int64_t count, const char *note, const char *verdict)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRId64, count);
	report_line(name, digits, note, verdict);
}

/* Symbols and functions, without a word that explains: the text can stand before an equals sign. */
static bool is_formula(const char *text)
{
	while (*text) {
		const size_t letters = strcspn(text, " 0123456789+-*/,()[]=");

		if (letters > 3 && text[letters] != '(')
			return false;
		text += letters ? letters : 1;
	}
	return true;
}

static bool is_number(const char *text)
{
	return text[strspn(text, "0123456789")] == '\0';
}

void report_predicted(const char *name, int64_t count, const char *source, const char *formula,
	int64_t want, const char *verdict)
{
	char with[300], without[80];
	const int length =
		snprintf(with, sizeof with, "%s %s = %" PRId64, source, formula ? formula : "", want);
	const bool fits = formula && is_formula(formula) && !is_number(formula)
		&& length <= REPORT_BODY - value_columns - 1;

	snprintf(without, sizeof without, "%s %" PRId64, source, want);
	report_count(name, count, fits ? with : without, verdict);
	if (formula && !fits && !is_number(formula))
		report_line("formula", formula, "", "");
}

/* "256 nodes each", "64 to 128 nodes each" */
static void local_nodes_text(const ls_topology *topology, int processes, char *text, size_t size)
{
	int64_t least = INT64_MAX, most = 0;

	for (int i = 0; i < processes; i++) {
		const int64_t nodes =
			ls_first_rank(topology, processes, i + 1) - ls_first_rank(topology, processes, i);

		least = nodes < least ? nodes : least;
		most = nodes > most ? nodes : most;
	}
	if (least == most)
		snprintf(text, size, "%" PRId64 " node%s each", most, most == 1 ? "" : "s");
	else
		snprintf(text, size, "%" PRId64 " to %" PRId64 " nodes each", least, most);
}

void division_text(const ls_topology *topology, char *text, size_t size)
{
	char processes[40], nodes[80];

	processes_text(processes, sizeof processes);
	local_nodes_text(topology, processes_here()->count, nodes, sizeof nodes);
	if (shared_world())
		snprintf(text, size, "%s, %s", processes, nodes);
	else
		snprintf(text, size, "%s; this run takes place in process 0", processes);
}

void report_processes(const ls_topology *topology, const struct ls_stats *stats)
{
	const struct crossing *crossing = last_crossing();
	const double share =
		stats->messages > 0 ? 100 * (double)crossing->messages / (double)stats->messages : 0;
	char division[200], line[300];

	if (processes_here()->count == 1)
		return;
	division_text(topology, division, sizeof division);
	snprintf(line, sizeof line,
		"%s; %.3g %% of the messages cross, %" PRId64 " of %" PRId64 " round%s", division, share,
		crossing->rounds, stats->rounds, stats->rounds == 1 ? "" : "s");
	report_line("processes", shared_world() ? line : division, "", processes_here()->library);
}

void report_topology(const ls_topology *topology)
{
	const char *spec = ls_topology_spec(topology);
	const size_t size = strlen(spec) + 4;
	char *left = require_memory(malloc(size)), note[200];

	topology_text(topology, note, sizeof note);
	snprintf(left, size, "%s   ", spec);
	report_pair("topology", left, note);
	free(left);
}
