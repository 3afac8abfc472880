#include "job/plan_file.h"

#include "base/messages.h"
#include "base/names.h"
#include "base/number.h"
#include "base/object_text.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "base/text_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- The file */

/* Spreadsheets begin a CSV file with a mark of UTF-8. */
static void remove_byte_order_mark(struct plan_file *file)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t n = strlen(mark);

	if (strncmp(file->text, mark, n) != 0)
		return;
	file->length -= n;
	memmove(file->text, file->text + n, file->length + 1);
}

static int read_file(const char *path, struct plan_file *out)
{
	struct text_file text;
	int failed = text_open(path, 0, &text);

	out->path = text.path;
	if (!failed)
		failed = text_read_rest(&text);
	if (!failed) {
		out->text = text.text;
		out->length = text.length;
		text.text = NULL;
		remove_byte_order_mark(out);
	}
	text_close(&text);
	return failed;
}

static bool ends_with(const char *path, const char *ending)
{
	const size_t length = strlen(path), n = strlen(ending);

	return length >= n && strcmp(path + length - n, ending) == 0;
}

/* ---- Its statements */

static int take_integer(const char *value, const char *what, const char *path, int64_t *out)
{
	if (read_int(value, out))
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s:1: %s=%s; expected an integer", path, what, value);
}

static int take_number(const char *value, const char *what, const char *path, int64_t *out)
{
	if (read_int(value, out) && *out >= 0)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s:1: %s=%s; expected an integer >= 0", path, what, value);
}

static int take_mode(const char *value, const char *path, struct query *query)
{
	query->given.mode = true;
	query->mode = strcmp(value, mode_text(LS_ROUTED)) == 0 ? LS_ROUTED : LS_HOP;
	if (strcmp(value, mode_text(query->mode)) == 0)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s:1: mode=%s; expected hop or routed", path, value);
}

static int take_ports(const char *value, const char *path, int *out)
{
	int64_t number;

	if (!read_int(value, &number) || number < 1 || number > LS_PORTS)
		return print_error(EXIT_USAGE, "%s:1: ports=%s; expected 1..%d", path, value, LS_PORTS);
	*out = (int)number;
	return EXIT_SUCCESS;
}

/* One `key=value` of the first line; unknown keys are left to other readers. */
static int take_statement(
	struct query *query, struct plan_file *file, const char *key, const char *value)
{
	int64_t number = 0;
	int failed = EXIT_SUCCESS;

	if (strcmp(key, "operation") == 0 && !query->operation) {
		query->operation = value;
		if (ls_operation_find(value) < 0)
			failed = print_error(EXIT_USAGE,
				"%s:1: no operation '%s'; 'lockstep list operations' shows all", file->path, value);
	} else if (strcmp(key, "topology") == 0 && !query->topology)
		query->topology = value;
	else if (strcmp(key, "mode") == 0 && !query->given.mode)
		failed = take_mode(value, file->path, query);
	else if (strcmp(key, "map") == 0)
		file->map = *value ? value : NULL;
	else if (strcmp(key, "cores") == 0)
		file->cores = value;
	else if (strcmp(key, "root") == 0 && !query->given.root) {
		failed = take_number(value, key, file->path, &number);
		query->root = number;
	} else if (strcmp(key, "q") == 0 && !query->given.shift) {
		failed = take_integer(value, key, file->path, &number);
		query->shift = number;
	} else if (strcmp(key, "ports") == 0 && !query->given.ports) {
		failed = take_ports(value, file->path, &query->ports);
	} else if (strcmp(key, "m") == 0 && !query->given.count) {
		failed = take_number(value, key, file->path, &number);
		query->count = (size_t)number;
	}
	return failed;
}

static int take_statements(struct query *query, struct plan_file *file)
{
	char *rest, *word;
	int failed = EXIT_SUCCESS;

	if (file->text[0] != '#')
		return EXIT_SUCCESS;
	file->statement = require_memory(strndup(file->text + 1, strcspn(file->text + 1, "\r\n")));
	for (word = strtok_r(file->statement, " \t", &rest); word && !failed;
		 word = strtok_r(NULL, " \t", &rest)) {
		char *equal = strchr(word, '=');

		if (!equal)
			continue;
		*equal = '\0';
		failed = take_statement(query, file, word, equal + 1);
	}
	return failed;
}

/* A plan states its operation in a line of its own. */
static void take_operation(struct query *query, struct plan_file *file)
{
	const char *line = strstr(file->text, "\noperation");

	if (!line || query->operation)
		return;
	line += strlen("\noperation");
	line += strspn(line, " \t");
	file->statement = require_memory(strndup(line, strcspn(line, " \t\r\n#")));
	if (ls_operation_find(file->statement) >= 0)
		query->operation = file->statement;
}

/* Once the text is known. */
static int take_text(struct query *query, const char *path, struct plan_file *out)
{
	out->is_plan = strncmp(out->text, "lockstep plan", 13) == 0 || ends_with(path, ".plan");
	query->file = out;
	if (!out->is_plan)
		return take_statements(query, out);
	take_operation(query, out);
	return EXIT_SUCCESS;
}

int plan_file_open(struct query *query, const char *path, struct plan_file *out)
{
	const int failed = read_file(path, out);

	return failed ? failed : take_text(query, path, out);
}

int plan_file_share(struct query *query, struct plan_file *file)
{
	if (!query->plan || !is_standard_input(query->plan))
		return EXIT_SUCCESS;
	file->length = (size_t)follow_first((int64_t)file->length);
	if (!processes_is_first()) {
		file->path = "standard input";
		file->text = require_memory(calloc(1, file->length + 1));
	}
	share_bytes(file->text, file->length);
	return processes_is_first() ? EXIT_SUCCESS : take_text(query, query->plan, file);
}

void plan_file_close(struct plan_file *file)
{
	free(file->text);
	free(file->statement);
}

/* ---- Its plan */

int plan_file_messages(
	const struct plan_file *file, int64_t nodes, struct ls_message **out, size_t *count)
{
	bool states_words;

	return trace_read(file->path, file->text, nodes, out, count, &states_words);
}

int plan_file_words(const struct plan_file *file, int64_t nodes, int64_t *words)
{
	struct ls_message *rows;
	size_t count;
	bool states_words;
	const int failed = trace_read(file->path, file->text, nodes, &rows, &count, &states_words);

	*words = 0;
	for (size_t i = 0; i < count && !failed; i++)
		if (!rows[i].unsent && __builtin_add_overflow(*words, rows[i].words, words))
			*words = INT64_MAX;
	if (!states_words)
		*words = -1;
	free(rows);
	return failed;
}

int plan_file_infer(const struct plan_file *file, const struct ls_request *request, ls_plan **out,
	struct ls_error *why)
{
	struct ls_message *rows;
	size_t count;
	const int failed =
		plan_file_messages(file, ls_topology_nodes(request->topology), &rows, &count);

	*out = NULL;
	if (!failed)
		why->kind = ls_plan_infer(request, rows, count, out, why);
	free(rows);
	return failed;
}

int plan_file_plan(const struct plan_file *file, const struct ls_request *request, ls_plan **out)
{
	struct ls_error why = { .size = sizeof why };
	int failed = EXIT_SUCCESS;

	if (file->map)
		return print_error(EXIT_UNAVAILABLE,
			"%s is the trace of an embedded plan, whose contents cannot be inferred; try the plan "
			"that 'lockstep steps' writes to FILE.plan",
			file->path);
	if (file->is_plan)
		why.kind = ls_plan_read(file->text, file->length, request->topology, out, &why);
	else
		failed = plan_file_infer(file, request, out, &why);
	if (why.kind == LS_ERR_LAW)
		return print_error(EXIT_WRONG, "%s", why.text);
	if (why.kind == LS_ERR_SPEC)
		return print_error(EXIT_USAGE, "%s:%s", file->path, why.text); /* FILE:LINE: text */
	return failed || why.kind == LS_OK ? failed : print_ls_error(&why);
}
