#include "report/report.h"

#include "base/object_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUE = 6 }; /* columns of a number, the blank after it not counted */

void report_line(const char *name, const char *value, const char *note, const char *verdict)
{
	char body[512];

	snprintf(body, sizeof body, *note ? "%-*s %s" : "%-*s%s", *note ? VALUE : 0, value, note);
	if (*verdict)
		printf("%-10s %-*s %s\n", name, REPORT_BODY, body, verdict);
	else
		printf("%-10s %s\n", name, body);
}

void report_count(const char *name, int64_t count, const char *note, const char *verdict)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRId64, count);
	report_line(name, digits, note, verdict);
}

/* Symbols and functions, without a word that explains: what can stand before an equals sign. */
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
	const bool fits =
		formula && is_formula(formula) && !is_number(formula) && length <= REPORT_BODY - VALUE - 1;

	snprintf(without, sizeof without, "%s %" PRId64, source, want);
	report_count(name, count, fits ? with : without, verdict);
	if (formula && !fits && !is_number(formula))
		report_line("formula", formula, "", "");
}

void report_topology(const ls_topology *topology)
{
	char note[200];

	topology_text(topology, note, sizeof note);
	printf("%-10s %s   %s\n", "topology", ls_topology_spec(topology), note);
}
