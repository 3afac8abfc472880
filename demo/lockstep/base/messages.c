#include "base/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1024];
static bool is_silent;

void silence_messages(bool silent)
{
	is_silent = silent;
}

const char *last_message(void)
{
	return line;
}

static bool is_inside_character(char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* A message ends with its remedy: what is too long loses its middle. */
static void format_line(const char *format, va_list arguments)
{
	enum { HALF = sizeof line / 2 - 2 };
	va_list again;
	char *whole;
	int length, head = HALF;

	va_copy(again, arguments);
	length = vsnprintf(line, sizeof line, format, arguments);
	if (length >= (int)sizeof line && vasprintf(&whole, format, again) == length) {
		const char *tail = whole + length - HALF;

		while (is_inside_character(*tail))
			tail++;
		while (head > 0 && is_inside_character(line[head]))
			head--;
		snprintf(line + head, sizeof line - (size_t)head, "..%s", tail);
		free(whole);
	}
	va_end(again);
}

int print_error(int exit_code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_line(format, arguments);
	va_end(arguments);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\177')
			*c = '?';
	fflush(stdout);
	if (!is_silent)
		fprintf(stderr, "lockstep: %s\n", line);
	return exit_code;
}

/* A stream may forget the errno of its failure. */
static int print_file_error(const char *verb, const char *path)
{
	return print_error(errno == ENOMEM ? EXIT_RESOURCE : EXIT_USAGE, "cannot %s %s: %s", verb, path,
		strerror(errno ? errno : EIO));
}

int print_unreadable(const char *path)
{
	return print_file_error("read", path);
}

int print_unwritable(const char *path)
{
	return print_file_error("write", path);
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

/* For the kinds whose text never states one: it depends on the options of the tool. */
static const char *remedy(int kind)
{
	switch (kind) {
	case LS_ERR_TIMEOUT:
		return "; try a longer --timeout, or fewer nodes, elements or runs";
	case LS_ERR_MEMORY:
		return "; try fewer nodes or elements";
	default:
		return "";
	}
}

int print_ls_error(const struct ls_error *why)
{
	return print_error(exit_code_of(why->kind), "%s%s",
		why->text[0] ? why->text : ls_status_name(why->kind), remedy(why->kind));
}

static void (*fatal_exit)(int exit_code);

void before_fatal_exit(void (*write)(int exit_code))
{
	fatal_exit = write;
}

void *require_memory(void *memory)
{
	if (memory)
		return memory;
	print_error(EXIT_RESOURCE, "out of memory; try fewer nodes or elements");
	if (fatal_exit)
		fatal_exit(EXIT_RESOURCE);
	exit(EXIT_RESOURCE);
}
