/* The verdict on a claim for each combination of printed and expected value, reason and result. */
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
	{ "result as printed", { "n", .printed = "6" }, "6", VERDICT_RIGHT },
	{ "printed value is wrong", { "n", .printed = "7" }, "6", VERDICT_UNEXPLAINED },
	{ "result differs from the printed value", { "n", .printed = "6" }, "7", VERDICT_UNEXPLAINED },
	{ "a statement with an expected result", { "n", "log p", .expected = "1 2 3" }, "1 2 3",
		VERDICT_RIGHT },
	{ "a statement with another result", { "n", "log p", .expected = "1 2 3" }, "1 2 4",
		VERDICT_UNEXPLAINED },
	{ "wrong in the source, with a reason", { "n", "127", .expected = "147", .reason = "w" }, "147",
		VERDICT_WRONG },
	{ "result differs from the explained one", { "n", "127", .expected = "147", .reason = "w" },
		"148", VERDICT_UNEXPLAINED },
	{ "a reason, but the result is as printed", { "n", "127", .expected = "147", .reason = "w" },
		"127", VERDICT_UNEXPLAINED },
	{ "a reason without an expected value", { "n", "6", .reason = "w" }, "6", VERDICT_UNEXPLAINED },
	{ "a reason, but expected and printed are equal", { "n", "6", .expected = "6", .reason = "w" },
		"6", VERDICT_UNEXPLAINED },
	{ "omitted by the source", { "n", NULL, .expected = "9" }, "9", VERDICT_ADDED },
	{ "omitted by the source, another result", { "n", NULL, .expected = "9" }, "10",
		VERDICT_UNEXPLAINED },
	{ "neither printed nor expected", { "n", NULL, .expected = NULL }, "9", VERDICT_UNEXPLAINED },
	{ "empty result", { "n", .printed = "" }, "", VERDICT_UNEXPLAINED },
	{ "too large for this machine", { "n", .printed = "6" }, "not run: 1 GB", VERDICT_NOT_RUN },
	{ "blanks are significant", { "n", .printed = "1 2" }, "1  2", VERDICT_UNEXPLAINED },
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
