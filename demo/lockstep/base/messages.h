/*
 * Exit codes, and messages on stderr: one line each.
 *
 * A function that can fail prints its message and returns an exit code; 0 means go on.
 */
#ifndef LOCKSTEP_BASE_MESSAGES_H
#define LOCKSTEP_BASE_MESSAGES_H

#include <lockstep.h>

#include <stdio.h>
#include <stdlib.h>

enum exit_code {
	EXIT_WRONG = 1,       /* wrong result, broken law or rule */
	EXIT_USAGE = 2,       /* also: unreadable file */
	EXIT_RESOURCE = 3,    /* threads, memory */
	EXIT_UNAVAILABLE = 4, /* combination not supported */
	EXIT_STUCK = 5,       /* deadlock or time limit */
	EXIT_SIGNAL = 128     /* + number of the signal */
};

/* "lockstep: ..." on stderr; returns exit_code. */
int print_error(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * "cannot read FILE: No such file or directory", of errno; returns EXIT_USAGE, or
 * EXIT_RESOURCE if memory is lacking.
 */
int print_unreadable(const char *path);
int print_unwritable(const char *path);

/* The message of a library error; returns the exit code of its kind. */
int print_ls_error(const struct ls_error *);
int exit_code_of(int status);

/* Whether messages are recorded, but not printed from now on. */
void silence_messages(bool);

/* The text of the last message; "" before the first. */
const char *last_message(void);

/* If memory is NULL, calls `write` with EXIT_RESOURCE and ends the tool with that exit code. */
void *require_memory(void *memory);
void before_fatal_exit(void (*write)(int exit_code));

#endif
