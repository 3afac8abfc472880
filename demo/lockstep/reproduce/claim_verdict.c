/*
 * Whether what is found is what a claim says.
 */
#include "reproduce/reproduce.h"

#include <string.h>

/* A claim that is to be wrong must differ from what is found, or its reason explains nothing. */
enum seed_verdict seed_judge(const struct seed_claim *claim, const char *found)
{
	const char *right = claim->right ? claim->right : claim->printed;

	if (strncmp(found, SEED_NOT_RUN, strlen(SEED_NOT_RUN)) == 0)
		return SEED_LEFT;
	if (!right || !*found || strcmp(found, right) != 0)
		return SEED_UNEXPLAINED;
	if (!claim->printed)
		return SEED_ADDED;
	if (!claim->why)
		return SEED_RIGHT;
	return strcmp(found, claim->printed) != 0 ? SEED_WRONG : SEED_UNEXPLAINED;
}

const char *seed_verdict_name(enum seed_verdict verdict)
{
	static const char *const name[] = { "right", "wrong", "added", "unexplained", "not run" };

	return name[verdict];
}
