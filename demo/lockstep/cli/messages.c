/*
 * What is said to people beside the results: one line a message, colors, verdicts.
 */
#include "cli/tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int print_error(int exit_code, const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\177')
			*c = '?';
	fflush(stdout);
	fprintf(stderr, "lockstep: %s\n", line);
	return exit_code;
}

int print_workers_error(const struct options *options)
{
	return print_error(EXIT_UNAVAILABLE,
		"engine %s has no workers; would be right: -e sweep, or %s without --workers",
		ls_engine_name(options->engine), options->verb->name);
}

int exit_code_of(int status)
{
	switch (status) {
	case LS_OK:
		return EXIT_SUCCESS;
	case LS_ERR_ARGUMENT:
	case LS_ERR_SPEC:
		return EXIT_USAGE;
	case LS_ERR_MEMORY:
	case LS_ERR_THREADS:
		return EXIT_RESOURCE;
	case LS_ERR_UNSUPPORTED:
		return EXIT_UNAVAILABLE;
	case LS_ERR_DEADLOCK:
	case LS_ERR_LEFT:
	case LS_ERR_TIMEOUT:
		return EXIT_STUCK;
	default:
		return EXIT_WRONG;
	}
}

/* For texts that say only what was wrong. */
static const char *remedy(int status)
{
	if (status == LS_ERR_TIMEOUT)
		return "; would be right: a longer --timeout, or fewer nodes, elements or runs";
	switch (exit_code_of(status)) {
	case EXIT_UNAVAILABLE:
		return "; would be right: one of `lockstep list algorithms`";
	case EXIT_RESOURCE:
		return "; would be right: fewer nodes or elements";
	default:
		return "";
	}
}

int print_ls_error(const struct ls_error *why)
{
	const char *text = why->text[0] ? why->text : ls_status_name(why->kind);

	return print_error(exit_code_of(why->kind), "%s%s", text,
		strchr(text, ';') ? "" : remedy(why->kind));
}

void *require_memory(void *memory)
{
	if (!memory)
		exit(print_error(EXIT_RESOURCE, "out of memory; would be right: fewer nodes or elements"));
	return memory;
}

/* https://no-color.org: set and not empty switches color off, unless it was asked for. */
bool colored(const struct options *options, FILE *file)
{
	const char *unwanted = getenv("NO_COLOR");

	if (options->color != 0)
		return options->color > 0;
	return isatty(fileno(file)) && !(unwanted && *unwanted);
}

const char *verdict(const struct options *options, bool right)
{
	static const char *const text[2][2] = {
		{ "WRONG", "ok" },
		{ "\033[1;31mWRONG\033[0m", "\033[32mok\033[0m" },
	};

	return text[colored(options, stdout)][right];
}
