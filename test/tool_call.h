/*
 * The tool as a function, for tests that call it many times.
 *
 * The files of the tool that keep the state of one command are part of the test, so that each call
 * begins afresh.  A test that includes this header states `tool: in this process`.
 */
#ifndef LOCKSTEP_TEST_TOOL_CALL_H
#define LOCKSTEP_TEST_TOOL_CALL_H

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "support/guard.h"
#include "test.h"

#define main tool_main
#include "cli/main.c"
#undef main
#include "report/document.c"
#include "report/json_read.h"

enum { TOOL_WORDS = 64, TOOL_SECONDS = 20 /* of all cores */ };

struct tool_output {
	char *text; /* ends with '\0' */
	size_t length;
};

/* One call: a command line, and what came of it. */
struct tool_call {
	int words, code; /* exit code */
	const char *word[TOOL_WORDS + 1];
	struct tool_output out, err;
};

/* ---- Calls */

static FILE *tool_stream(struct tool_output *output)
{
	FILE *file = open_memstream(&output->text, &output->length);

	if (!file)
		exit(EXIT_FAILURE);
	return file;
}

static void tool_release(struct tool_call *call)
{
	free(call->out.text);
	free(call->err.text);
	call->out = call->err = (struct tool_output){ 0 };
}

static void tool_add(struct tool_call *call, const char *word)
{
	if (call->words < TOOL_WORDS)
		call->word[call->words++] = word;
	call->word[call->words] = NULL;
}

static void tool_run(struct tool_call *call)
{
	FILE *const out = stdout, *const err = stderr;
	char *argv[TOOL_WORDS + 1]; /* getopt sorts it */
	clock_t begin;

	memcpy(argv, call->word, sizeof argv);
	tool_release(call);
	fatal_output = NULL;
	is_begun = false;
	fflush(NULL);
	stdout = tool_stream(&call->out);
	stderr = tool_stream(&call->err);
	begin = clock();
	call->code = tool_main(call->words, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = out;
	stderr = err;
	CHECK(clock() - begin < TOOL_SECONDS * CLOCKS_PER_SEC, "%s takes long", call->word[1]);
}

static void tool_print(const struct tool_call *call)
{
	for (int i = 0; i < call->words; i++)
		fprintf(stderr, "%s ", call->word[i]);
	fprintf(stderr, "\nexit code %d\n%.2000s%.2000s", call->code, call->out.text, call->err.text);
}

/* ---- The folder of a test */

/* In memory, where there is such a folder. */
static char tool_folder[40];

static void tool_remove_files(void)
{
	DIR *files = opendir(tool_folder);

	for (struct dirent *file; files && (file = readdir(files));)
		unlinkat(dirfd(files), file->d_name, 0);
	if (files)
		closedir(files);
}

static void tool_leave_folder(void)
{
	tool_remove_files();
	rmdir(tool_folder);
}

/* Calls work in a folder of their own, which is removed at the end. */
static void tool_enter_folder(void)
{
	static bool is_there;

	if (!is_there)
		snprintf(tool_folder, sizeof tool_folder, "%s/lockstep-test-XXXXXX",
			access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!is_there && (!mkdtemp(tool_folder) || chdir(tool_folder) || atexit(tool_leave_folder)))
		exit(EXIT_FAILURE);
	is_there = true;
}

static void tool_put_file(const char *name, const char *text, size_t length)
{
	FILE *file;

	tool_enter_folder();
	file = fopen(name, "wb");
	if (!file || fwrite(text, 1, length, file) != length || fclose(file))
		exit(EXIT_FAILURE);
}

/* ---- What holds of every call */

static bool is_exit_code(int code)
{
	return code >= EXIT_SUCCESS && code <= EXIT_STUCK;
}

/* Lines that begin with `lockstep: `, notes not counted; -1: a line has other bytes than text. */
static int tool_messages(const struct tool_call *call)
{
	int messages = 0;

	for (const char *line = call->err.text; *line; line += strcspn(line, "\n") + 1) {
		messages += strncmp(line, "lockstep: ", 10) == 0 && strncmp(line + 10, "note:", 5) != 0;
		for (const char *c = line; *c != '\n'; c++)
			if (*c == '\0' || iscntrl((unsigned char)*c))
				return -1;
	}
	return messages;
}

/* "PROBLEM; REMEDY", "cannot read FILE: ERROR", or what was expected. */
static bool has_remedy(const char *message)
{
	return strstr(message, "; ") || strstr(message, "cannot ") || strstr(message, "expected ");
}

/* Help, version and `draw --list`, which options may demand beside any other ones. */
static bool tool_helps(const struct tool_call *call)
{
	return strncmp(call->out.text, "Usage: ", 7) == 0
		|| strncmp(call->out.text, "lockstep ", 9) == 0
		|| strncmp(call->out.text, "views, ", 7) == 0;
}

/* -v, perhaps among other letters, or --verbose, perhaps shortened. */
static bool tool_is_verbose(const struct tool_call *call)
{
	bool is = false;

	for (int i = 1; i < call->words; i++) {
		const char *word = call->word[i];

		is |= word[0] == '-'
			&& (strncmp(word, "--verb", 6) == 0 || (word[1] != '-' && strchr(word, 'v')));
	}
	return is;
}

/* Is the word this option?  Behind another option it may be the value of that one. */
static bool tool_is_option(const struct tool_call *call, int i, const char *option)
{
	return strcmp(call->word[i], option) == 0 && call->word[i - 1][0] != '-';
}

/* A JSON document is whole. */
static void tool_check_results(const struct tool_call *call)
{
	char error[200] = "";
	struct json_value *json;

	for (int i = 1; i < call->words && call->out.length > 0 && !tool_helps(call); i++)
		if (tool_is_option(call, i, "--json")
			|| (strcmp(call->word[i], "--json") == 0 && call->out.text[0] == '{')) {
			json = json_read(call->out.text, error, sizeof error);
			CHECK(json, "JSON: %s", error);
			json_destroy(json);
		}
}

/*
 * A failure has one message, except that `check` may state it among its results.  A refusal of the
 * command line or of a file prints nothing else.  A success may have notes.
 */
static void tool_check(const struct tool_call *call)
{
	const long long before = test_failures;
	const int code = call->code, messages = tool_messages(call);

	CHECK(is_exit_code(code), "an exit code of the table");
	CHECK(messages >= (code > EXIT_WRONG) && (messages <= 1 || code == EXIT_SUCCESS), "%d messages",
		messages);
	if (code == EXIT_USAGE) {
		CHECK(tool_is_verbose(call)
				|| strchr(call->err.text, '\n') == call->err.text + call->err.length - 1,
			"one line");
		CHECK(has_remedy(call->err.text), "a remedy");
		CHECK(call->out.length == 0, "no results");
	}
	tool_check_results(call);
	if (test_failures > before)
		tool_print(call);
}

/* A call whose words are in a line, with blanks between them.  Exit code. */
__attribute__((format(printf, 2, 3))) static int tool_do(
	struct tool_call *call, const char *format, ...)
{
	static char line[512];
	va_list arguments;
	char *rest;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	call->words = 0;
	tool_add(call, "lockstep");
	for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		tool_add(call, word);
	tool_run(call);
	tool_check(call);
	return call->code;
}

#endif
