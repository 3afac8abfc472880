/* Whether a figure counts as right, wrong, added or unexplained, also where a table is wrong. */
#include <string.h>

/* compile: -Idemo/lockstep */
#include "../demo/lockstep/reproduce/claim_verdict.c"
#include "test.h"

static const struct {
	const char *what;
	struct claim claim;
	const char *found;
	enum verdict verdict;
} row[] = {
	{ "as printed", { "n", .printed = "6" }, "6", VERDICT_RIGHT },
	{ "a planted figure", { "n", .printed = "7" }, "6", VERDICT_UNEXPLAINED },
	{ "found otherwise", { "n", .printed = "6" }, "7", VERDICT_UNEXPLAINED },
	{ "a statement, what it comes to", { "n", "log p", .expected = "1 2 3" }, "1 2 3",
		VERDICT_RIGHT },
	{ "a statement that does not hold", { "n", "log p", .expected = "1 2 3" }, "1 2 4",
		VERDICT_UNEXPLAINED },
	{ "wrong with a reason", { "n", "127", .expected = "147", .reason = "w" }, "147",
		VERDICT_WRONG },
	{ "wrong in another way than explained", { "n", "127", .expected = "147", .reason = "w" },
		"148", VERDICT_UNEXPLAINED },
	{ "explained but as printed", { "n", "127", .expected = "147", .reason = "w" }, "127",
		VERDICT_UNEXPLAINED },
	{ "a reason where nothing is wrong", { "n", "6", .reason = "w" }, "6", VERDICT_UNEXPLAINED },
	{ "the same twice with a reason", { "n", "6", .expected = "6", .reason = "w" }, "6",
		VERDICT_UNEXPLAINED },
	{ "not in the source", { "n", NULL, .expected = "9" }, "9", VERDICT_ADDED },
	{ "not in the source, found otherwise", { "n", NULL, .expected = "9" }, "10",
		VERDICT_UNEXPLAINED },
	{ "nothing to compare with", { "n", NULL, .expected = NULL }, "9", VERDICT_UNEXPLAINED },
	{ "nothing found", { "n", .printed = "" }, "", VERDICT_UNEXPLAINED },
	{ "too large for this machine", { "n", .printed = "6" }, "not run: 1 GB", VERDICT_NOT_RUN },
	{ "blanks count", { "n", .printed = "1 2" }, "1  2", VERDICT_UNEXPLAINED },
};

int main(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const enum verdict verdict = compare_claim(&row[i].claim, row[i].found);

		CHECK(verdict == row[i].verdict, "%s: %s", row[i].what, verdict_name(verdict));
	}
	for (int a = 0; a < VERDICTS; a++)
		for (int b = 0; b < a; b++)
			CHECK(strcmp(verdict_name((enum verdict)a), verdict_name((enum verdict)b)) != 0,
				"verdicts %d and %d", a, b);
	return test_result();
}
