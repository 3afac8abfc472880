#include "check/refuted.h"

#include "base/text_file.h"
#include "cli/option_table.h"
#include "cli/option_use.h"
#include "job/job.h"
#include "report/document.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static void write_bound_text(const struct ls_request *request, int64_t bound)
{
	char text[80];

	report_topology(request->topology);
	snprintf(text, sizeof text, "at least %" PRId64 " round%s of %s", bound, bound == 1 ? "" : "s",
		ls_operation_name(request->operation));
	report_line("bound", text, "", "");
	report_line("proved", "every step of the refutation follows", "", "");
}

static void write_bound_json(
	const struct output *output, const struct ls_request *request, int64_t bound)
{
	struct json json = document_begin(output);

	document_topology(&json, request->topology);
	json_array(&json, "results");
	json_object(&json, NULL);
	json_text(&json, "operation", ls_operation_name(request->operation));
	json_int(&json, "root", request->root);
	json_int(&json, "ports", request->ports ? request->ports : 1);
	json_int(&json, "bound", bound);
	json_bool(&json, "proved", true);
	json_text(&json, "status", "ok");
	json_end(&json);
	json_end(&json);
	json_end(&json);
}

static int check_text(
	const struct output *output, const struct ls_request *request, const struct text_file *file)
{
	struct ls_error why = { .size = sizeof why };
	int64_t bound;

	if (ls_bound_check(request, file->text, file->length, &bound, &why) != LS_OK)
		return print_ls_error(&why);
	if (output->quiet)
		return EXIT_SUCCESS;
	if (strcmp(output->format_name, "json") == 0)
		write_bound_json(output, request, bound);
	else
		write_bound_text(request, bound);
	return EXIT_SUCCESS;
}

/* A refutation is of no plan, and obeys no laws. */
#define OF_BOUNDS \
	(TAKES(OPTION_BOUND) | TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_ROOT) | TAKES(OPTION_SHIFT) \
		| TAKES(OPTION_MODE) | TAKES(OPTION_PORTS) | TAKES(OPTION_MESSAGE_SIZE) | TAKES(OPTION_OP) \
		| TAKES(OPTION_TYPE) | TAKES(OPTION_QUIET) | TAKES(OPTION_VERBOSE))

int check_refutation(const struct options *options)
{
	const struct query *query = &options->query;
	const struct output *output = &options->output;
	struct text_file file;
	struct ls_request request;
	ls_topology *topology = NULL;
	enum ls_operation operation;
	int failed = check_only(options, OF_BOUNDS, "check --bound");

	if (!failed)
		failed = find_operation(query->operation, &operation);
	if (!failed && strcmp(output->format_name, "csv") == 0)
		failed = print_error(EXIT_USAGE, "check --bound writes text and json, not csv; try --json");
	if (!failed)
		failed = topology_open(query, &topology);
	if (!failed)
		failed = request_for(query, operation, topology, &request);
	if (!failed)
		failed = text_open(options->search.bound, 0, &file);
	if (!failed) {
		failed = text_read_rest(&file);
		if (!failed)
			failed = check_text(output, &request, &file);
		text_close(&file);
	}
	ls_topology_destroy(topology);
	return failed;
}
