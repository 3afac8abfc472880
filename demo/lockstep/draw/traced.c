#include "draw/traced.h"

#include "base/messages.h"
#include "job/job.h"

#include <stdlib.h>

static int read_file(struct query *query, const char *path, struct traced *out)
{
	const int failed = plan_file_open(query, path, &out->own);

	if (failed || !out->own.is_plan)
		return failed;
	return print_error(EXIT_USAGE, "%s is a plan, not a trace; try --plan %s", path, path);
}

static void write_title(const struct query *query, struct traced *out)
{
	if (query->operation
		&& asprintf(&out->title, "%s on %s", query->operation, query->topology) < 0)
		require_memory(NULL);
}

/* The messages and the cores, as far as the file has them. */
static int read_rows(const struct plan_file *file, const ls_topology *topology, struct traced *out)
{
	const int64_t nodes = ls_topology_nodes(topology);
	const int failed =
		trace_read_records(file->path, file->text, nodes, &out->record, &out->records);

	if (failed || !file->cores)
		return failed;
	out->core = require_memory(calloc((size_t)nodes, sizeof *out->core));
	return trace_read_cores(file->path, file->cores, nodes, out->core);
}

int traced_open(struct query *query, const char *path, ls_topology **topology, struct traced *out)
{
	int failed;

	*out = (struct traced){ 0 };
	*topology = NULL;
	failed = read_file(query, path, out);
	if (!failed)
		failed = topology_open(query, topology);
	if (!failed)
		failed = read_rows(&out->own, *topology, out);
	if (!failed)
		write_title(query, out);
	return failed;
}

int traced_take_plan(const struct query *query, const ls_topology *topology, struct traced *out)
{
	*out = (struct traced){ 0 };
	return read_rows(query->file, topology, out);
}

void traced_close(struct traced *traced)
{
	plan_file_close(&traced->own);
	free(traced->record);
	free(traced->core);
	free(traced->title);
}
