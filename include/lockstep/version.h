/*
 * Version of the headers (LS_VERSION) and of the linked library (ls_version).
 */
#ifndef LOCKSTEP_VERSION_H
#define LOCKSTEP_VERSION_H

#include <lockstep/api.h>

LS_BEGIN_DECLS

#define LS_VERSION "0.2.0"

/* The version of the library, e.g. "0.2.0"; a static string. */
LS_API const char *ls_version(void);

LS_END_DECLS
#endif
