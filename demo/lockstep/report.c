#include "report.h"

#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUE = 6, BODY = 53 };          /* columns, the blank after them not counted */

void report_line(const char *name, const char *value, const char *note, const char *verdict)
{
	char body[512];

	snprintf(body, sizeof body, *note ? "%-*s %s" : "%-*s%s", *note ? VALUE : 0, value, note);
	if (*verdict)
		printf("%-10s %-*s%s%s\n", name, BODY, body, strlen(body) < BODY ? " " : "   ", verdict);
	else
		printf("%-10s %s\n", name, body);
}

void report_count(const char *name, int64_t count, const char *note, const char *verdict)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRId64, count);
	report_line(name, digits, note, verdict);
}

/* A formula too long for its column comes after the verdict. */
void report_predicted(const char *name, int64_t count, const char *foreseen, const char *formula,
	int64_t want, const char *verdict)
{
	char note[300], after[300];
	const int length =
		formula ? snprintf(note, sizeof note, "%s %s = %" PRId64, foreseen, formula, want) : BODY;

	if (length <= BODY - VALUE - 1) {
		report_count(name, count, note, verdict);
		return;
	}
	snprintf(note, sizeof note, "%s %" PRId64, foreseen, want);
	snprintf(after, sizeof after, "%s%s%s", verdict, formula ? "   " : "", formula ? formula : "");
	report_count(name, count, note, after);
}

void report_topology(const ls_topology *topology)
{
	char note[200];

	topology_text(topology, note, sizeof note);
	printf("%-10s %s   %s\n", "topology", ls_topology_spec(topology), note);
}
