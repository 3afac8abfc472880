/*
 * The version of the linked library.
 */
#include <lockstep/version.h>

const char *ls_version(void)
{
	return LS_VERSION;
}
