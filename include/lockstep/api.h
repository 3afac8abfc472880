/*
 * Macros that every public header uses: visibility, attributes, C++ linkage.
 */
#ifndef LOCKSTEP_API_H
#define LOCKSTEP_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LS_API        __attribute__((visibility("default")))
#define LS_MUST_CHECK __attribute__((warn_unused_result))
#else
#define LS_API
#define LS_MUST_CHECK
#endif

#ifdef __cplusplus
#define LS_BEGIN_DECLS extern "C" {
#define LS_END_DECLS   }
#else
#define LS_BEGIN_DECLS
#define LS_END_DECLS
#endif

#endif
