/*
 * Compares a result with the printed and the expected value of its claim.
 */
#include "reproduce/reproduce.h"

#include <string.h>

/* A claim with a reason must differ from the result; otherwise the reason explains nothing. */
enum verdict compare_claim(const struct claim *claim, const char *found)
{
	const char *expected = claim->expected ? claim->expected : claim->printed;

	if (strncmp(found, NOT_RUN, strlen(NOT_RUN)) == 0)
		return VERDICT_NOT_RUN;
	if (!expected || !*found || strcmp(found, expected) != 0)
		return VERDICT_UNEXPLAINED;
	if (!claim->printed)
		return VERDICT_ADDED;
	if (!claim->reason)
		return VERDICT_RIGHT;
	return strcmp(found, claim->printed) != 0 ? VERDICT_WRONG : VERDICT_UNEXPLAINED;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const name[] = { "right", "wrong", "added", "unexplained", "not run" };

	return name[verdict];
}
