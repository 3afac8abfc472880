/*
 * Text files that the tool reads, line by line or as a whole.
 *
 * Every read ends: a regular file is as long as its size, any other stream has a limit, and a NUL
 * byte is an error.
 */
#ifndef LOCKSTEP_BASE_TEXT_FILE_H
#define LOCKSTEP_BASE_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes: of a line where lines are short by their format, and of a stream. */
enum { TEXT_LINE_MOST = 1 << 20, TEXT_STREAM_MOST = 1 << 30 };

struct text_file {
	const char *path; /* in messages */
	FILE *file;
	size_t line_most; /* bytes of a line */
	size_t left;      /* bytes until the limit of the stream */
	char *text;       /* of the last read; ends with '\0' */
	size_t length, room;
	size_t line, newlines; /* the number of the last line; newlines read */
	int failed;            /* exit code of the first failure, whose message is printed */
};

bool is_standard_input(const char *path); /* "-" */
/* line_most 0: lines have no limit of their own.  Exit code. */
int text_open(const char *path, size_t line_most, struct text_file *out);
/* Reads the next line with its newline into `text`.  False: at the end, or failed. */
bool text_next_line(struct text_file *);
/* Reads the rest of the file into `text`; exit code. */
int text_read_rest(struct text_file *);
/* Frees `text`; returns `failed`. */
int text_close(struct text_file *);

#endif
