/*
 * lockstep records: the schedules that earlier searches found.
 */
#include "base/names.h"
#include "cli/verb.h"
#include "job/job.h"
#include "report/document.h"
#include "report/text_table.h"

#include <string.h>

/* The rows that are shown: of one operation, of one network, or all. */
struct selection {
	int operation;               /* -1: all */
	const ls_topology *topology; /* NULL: all */
};

static const char *const head[] = { "network", "operation", "#root", "#shift", "#rounds", "#bound",
	"state", "plan", "#words", "#seed", NULL };

static bool is_selected(
	const struct selection *selection, size_t index, const struct ls_find_record *r)
{
	return (selection->operation < 0 || (int)r->operation == selection->operation)
		&& (!selection->topology || ls_find_record_serves(index, selection->topology));
}

/* The next selected record from *index on, which is advanced past it. */
static bool next_record(const struct selection *selection, size_t *index, struct ls_find_record *r)
{
	*r = (struct ls_find_record){ .size = sizeof *r };
	while (ls_find_record_list((*index)++, r))
		if (is_selected(selection, *index - 1, r))
			return true;
	return false;
}

/* ---- Words */

/* The network of a record; NULL: its edges are not known here. */
static ls_topology *topology_of(const struct ls_find_record *r)
{
	ls_topology *topology = NULL;

	if (strncmp(r->network, "graph:", 6) != 0)
		(void)!ls_topology_make(r->network, &topology, NULL);
	return topology;
}

static const char *plan_of(const struct ls_find_record *r)
{
	return r->has_schedule ? "found" : "default";
}

/* The words of the plan of a record, with one element per block; -1: not known. */
static int64_t words_on(const ls_topology *topology, const struct ls_find_record *r)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = topology,
		.operation = r->operation,
		.algorithm = r->has_schedule ? plan_of(r) : NULL,
		.root = r->root,
		.shift = r->shift };
	ls_plan *plan = NULL;
	int64_t words = -1;

	if (topology && ls_plan_make(&request, &plan, NULL) == LS_OK)
		words = ls_plan_predict(plan, 1).words;
	ls_plan_destroy(plan);
	return words;
}

static int64_t words_of(const struct selection *selection, const struct ls_find_record *r)
{
	ls_topology *topology = selection->topology ? NULL : topology_of(r);
	const int64_t words = words_on(topology ? topology : selection->topology, r);

	ls_topology_destroy(topology);
	return words;
}

/* ---- Formats */

static void add_row(
	struct table *t, const struct selection *selection, const struct ls_find_record *r)
{
	const int64_t words = words_of(selection, r);

	table_cells(t, 2, r->network, ls_operation_name(r->operation));
	table_numbers(t, 4, r->root, r->shift, r->rounds, r->bound);
	table_cells(t, 2, r->rounds > r->bound ? "open" : "closed", plan_of(r));
	if (words < 0)
		table_cell(t, "%s", "");
	else
		table_numbers(t, 1, words);
	table_numbers(t, 1, (int64_t)r->seed);
}

static struct table table_of(const struct selection *selection)
{
	struct table t = table_begin(head);
	struct ls_find_record r;

	for (size_t i = 0; next_record(selection, &i, &r);)
		add_row(&t, selection, &r);
	return t;
}

/* "no record of scan on star:3; try lockstep find" */
static void print_none(const struct selection *selection)
{
	const char *network = selection->topology ? ls_topology_spec(selection->topology) : NULL;

	printf("no record of ");
	if (selection->operation >= 0)
		printf("%s%s", ls_operation_name((enum ls_operation)selection->operation),
			network ? " on " : "");
	printf("%s; try lockstep find\n", network ? network : "");
}

static int write_text(const struct output *output, const void *document)
{
	struct ls_find_record first;
	size_t index = 0;
	struct table t;

	(void)output;
	if (!next_record(document, &index, &first)) {
		print_none(document);
		return EXIT_SUCCESS;
	}
	t = table_of(document);
	table_text(&t, 0);
	table_end(&t);
	return EXIT_SUCCESS;
}

static int write_csv(const struct output *output, const void *document)
{
	struct table t = table_of(document);

	return table_finish_csv(&t, output->file);
}

static int write_json(const struct output *output, const void *document)
{
	struct json json = document_begin(output);
	struct table t = table_of(document);

	table_json(&t, &json, "records");
	table_end(&t);
	json_end(&json);
	return EXIT_SUCCESS;
}

const struct format records_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

int verb_records(const struct options *options)
{
	struct selection selection = { .operation = -1 };
	ls_topology *topology = NULL;
	enum ls_operation operation;
	int failed = EXIT_SUCCESS;

	if (options->query.operation) {
		failed = find_operation(options->query.operation, &operation);
		selection.operation = (int)operation;
	}
	if (!failed && options->query.topology)
		failed = topology_open(&options->query, &topology);
	if (!failed && topology)
		selection.topology = topology;
	if (!failed && !options->output.quiet)
		failed = options->output.format->write(&options->output, &selection);
	ls_topology_destroy(topology);
	return failed;
}
