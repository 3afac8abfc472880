/*
 * How an option stores its value: set_NAME(options, value) returns an exit code.
 */
#ifndef LOCKSTEP_CLI_OPTION_SET_H
#define LOCKSTEP_CLI_OPTION_SET_H

#include "cli/options.h"

#define SET(name) static int set_##name(struct options *options, const char *value)
#define SET_TEXT(name, field) \
	SET(name) \
	{ \
		options->field = value; \
		return EXIT_SUCCESS; \
	}
#define SET_FLAG(name, field) \
	SET(name) \
	{ \
		(void)value; \
		options->field = true; \
		return EXIT_SUCCESS; \
	}

#endif
