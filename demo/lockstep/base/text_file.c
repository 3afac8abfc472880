#include "base/text_file.h"

#include "base/messages.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

bool is_standard_input(const char *path)
{
	return strcmp(path, "-") == 0;
}

int text_open(const char *path, size_t line_most, struct text_file *out)
{
	const bool standard = is_standard_input(path);
	struct stat about;

	*out = (struct text_file){ .path = standard ? "standard input" : path,
		.file = standard ? stdin : fopen(path, "r"),
		.line_most = line_most ? line_most : SIZE_MAX,
		.left = TEXT_STREAM_MOST };
	if (!out->file)
		return out->failed = print_unreadable(path);
	if (fstat(fileno(out->file), &about) == 0 && S_ISREG(about.st_mode))
		out->left = SIZE_MAX;
	return EXIT_SUCCESS;
}

static int append(struct text_file *text, char c)
{
	const size_t number = text->newlines + 1;

	if (c == '\0')
		return print_error(
			EXIT_USAGE, "%s:%zu: the line has a NUL byte; expected text", text->path, number);
	if (text->left-- == 0)
		return print_error(EXIT_USAGE,
			"%s:%zu: the stream is longer than %d MiB; expected a regular file or less text",
			text->path, number, TEXT_STREAM_MOST >> 20);
	if (text->length == text->line_most)
		return print_error(EXIT_USAGE,
			"%s:%zu: the line is longer than %zu bytes; expected shorter lines", text->path, number,
			text->line_most);
	if (text->length + 1 >= text->room) {
		text->room = text->room ? 2 * text->room : 256;
		text->text = require_memory(realloc(text->text, text->room));
	}
	text->text[text->length++] = c;
	text->newlines += c == '\n';
	return EXIT_SUCCESS;
}

/* Up to and including the character `end`, or up to the end of the file. */
static void read_until(struct text_file *text, int end)
{
	int c = EOF + 1;

	text->length = 0;
	while (!text->failed && c != end && (c = getc_unlocked(text->file)) != EOF)
		text->failed = append(text, (char)c);
	if (!text->failed && ferror(text->file))
		text->failed = print_unreadable(text->path);
	if (text->text)
		text->text[text->length] = '\0';
}

bool text_next_line(struct text_file *text)
{
	text->line = text->newlines + 1;
	read_until(text, '\n');
	return !text->failed && text->length > 0;
}

int text_read_rest(struct text_file *text)
{
	if (!text->text)
		text->text = require_memory(malloc(text->room = 256));
	read_until(text, EOF);
	return text->failed;
}

int text_close(struct text_file *text)
{
	if (text->file && text->file != stdin)
		fclose(text->file);
	free(text->text);
	text->text = NULL;
	return text->failed;
}
