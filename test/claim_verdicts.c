/* Whether a figure counts as right, wrong, added or unexplained, also where a table is wrong. */
#include <string.h>

/* compile: -Idemo/lockstep */
#include "../demo/lockstep/reproduce/claim_verdict.c"
#include "test.h"

static const struct {
	const char *what;
	struct seed_claim claim;
	const char *found;
	enum seed_verdict verdict;
} row[] = {
	{ "as printed", { "n", .printed = "6" }, "6", SEED_RIGHT },
	{ "a planted figure", { "n", .printed = "7" }, "6", SEED_UNEXPLAINED },
	{ "found otherwise", { "n", .printed = "6" }, "7", SEED_UNEXPLAINED },
	{ "a statement, what it comes to", { "n", "log p", .right = "1 2 3" }, "1 2 3", SEED_RIGHT },
	{ "a statement that does not hold", { "n", "log p", .right = "1 2 3" }, "1 2 4",
		SEED_UNEXPLAINED },
	{ "wrong with a reason", { "n", "127", .right = "147", .why = "w" }, "147", SEED_WRONG },
	{ "wrong in another way than explained", { "n", "127", .right = "147", .why = "w" }, "148",
		SEED_UNEXPLAINED },
	{ "explained but as printed", { "n", "127", .right = "147", .why = "w" }, "127",
		SEED_UNEXPLAINED },
	{ "a reason where nothing is wrong", { "n", "6", .why = "w" }, "6", SEED_UNEXPLAINED },
	{ "the same twice with a reason", { "n", "6", .right = "6", .why = "w" }, "6",
		SEED_UNEXPLAINED },
	{ "not in the source", { "n", NULL, .right = "9" }, "9", SEED_ADDED },
	{ "not in the source, found otherwise", { "n", NULL, .right = "9" }, "10", SEED_UNEXPLAINED },
	{ "nothing to compare with", { "n", NULL, .right = NULL }, "9", SEED_UNEXPLAINED },
	{ "nothing found", { "n", .printed = "" }, "", SEED_UNEXPLAINED },
	{ "too large for this machine", { "n", .printed = "6" }, "not run: 1 GB", SEED_LEFT },
	{ "blanks count", { "n", .printed = "1 2" }, "1  2", SEED_UNEXPLAINED },
};

int main(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const enum seed_verdict verdict = seed_judge(&row[i].claim, row[i].found);

		CHECK(verdict == row[i].verdict, "%s: %s", row[i].what, seed_verdict_name(verdict));
	}
	for (int a = 0; a < SEED_VERDICTS; a++)
		for (int b = 0; b < a; b++)
			CHECK(strcmp(seed_verdict_name((enum seed_verdict)a),
					  seed_verdict_name((enum seed_verdict)b))
					!= 0,
				"verdicts %d and %d", a, b);
	return test_result();
}
