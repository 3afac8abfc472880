#include "job/job.h"

#include "job/embedded.h"
#include "job/graph_records.h"
#include "job/plan_file.h"
#include "data/operand_shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int topology_open(const struct query *query, ls_topology **out)
{
	struct ls_error why = { .size = sizeof why };

	if (!query->topology)
		return print_error(
			EXIT_USAGE, "no topology; try -t ring:8; 'lockstep list topologies' shows all");
	if (ls_topology_make(query->topology, out, &why) != LS_OK)
		return print_ls_error(&why);
	return add_graph_records(*out);
}

static bool has_switches(const ls_topology *t)
{
	return ls_topology_vertices(t) > ls_topology_nodes(t);
}

enum ls_mode mode_on(const struct query *query, const ls_topology *t)
{
	return has_switches(t) && !query->given.mode ? LS_ROUTED : query->mode;
}

const char *mode_in_trace(enum ls_mode mode, const ls_topology *t)
{
	return mode == (has_switches(t) ? LS_ROUTED : LS_HOP) ? NULL : mode_text(mode);
}

/* The element type that the operator works on. */
static int resolve_type(const struct query *query, enum ls_operation operation, ls_type *type)
{
	const bool pairs = takes_pairs(operation, query->op);

	*type = pairs ? ls_type_pair(query->type) : query->type;
	if (!*type || !ls_op_defined(query->op, *type))
		return print_error(EXIT_UNAVAILABLE, "operator %s is not defined on %s; try -d %s",
			ls_op_name(query->op), ls_type_name(query->type),
			pairs || ls_op_defined(query->op, LS_DOUBLE) ? "double" : "int64");
	return EXIT_SUCCESS;
}

/* The root is that of the command line, or of the first line of a trace. */
static int refuse_root(const struct query *query, int64_t nodes)
{
	if (query->file && !query->given.root)
		return print_error(EXIT_USAGE, "%s:1: root=%" PRId64 " is not a node; expected 0..%" PRId64,
			query->file->path, query->root, nodes - 1);
	return print_error(EXIT_USAGE, "--root %" PRId64 " is not a node; expected 0..%" PRId64,
		query->root, nodes - 1);
}

int request_for(const struct query *query, enum ls_operation operation, const ls_topology *topology,
	struct ls_request *out)
{
	*out = (struct ls_request){ .size = sizeof *out,
		.topology = topology,
		.operation = operation,
		.mode = mode_on(query, topology),
		.algorithm = query->algorithm,
		.count = query->count,
		.type = query->type,
		.op = query->op,
		.root = query->root,
		.shift = query->shift,
		.ports = query->ports };
	if (operation == LS_BARRIER)
		out->count = 0;
	if (query->root >= ls_topology_nodes(topology))
		return refuse_root(query, ls_topology_nodes(topology));
	if (query->algorithm && strchr(query->algorithm, ':') && !has_guest(query))
		return print_error(EXIT_USAGE,
			"no algorithm '%s'; a network in place of an algorithm needs a slash: -a %s/",
			query->algorithm, query->algorithm);
	return combines(operation) ? resolve_type(query, operation, &out->type) : EXIT_SUCCESS;
}

static void find_info(struct job *job)
{
	job->info.size = sizeof job->info;
	job->request.algorithm = ls_plan_algorithm(job->plan);
	snprintf(job->name, sizeof job->name, "%s%s%s", job->guest ? ls_topology_spec(job->guest) : "",
		job->guest ? "/" : "", job->request.algorithm);
	for (size_t i = 0; ls_algorithm_list(i, &job->info); i++)
		if (strcmp(job->info.name, job->request.algorithm) == 0
			&& job->info.operations >> job->request.operation & 1
			&& ls_algorithm_supports(i, &job->request) == LS_OK)
			return;
}

/* A plan for the links of the guest; if there is none and routing is allowed, one for routes. */
static int make_guest_plan(const struct query *query, enum ls_operation operation, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	struct query inner = *query;
	int status;

	inner.algorithm = strrchr(query->algorithm, '/') + 1;
	if (!*inner.algorithm)
		inner.algorithm = NULL;

	const int failed = request_for(&inner, operation, job->guest, &job->request);

	if (failed)
		return failed;
	job->request.mode = LS_HOP;
	status = ls_plan_make(&job->request, &job->plan, &why);
	if (status == LS_ERR_UNSUPPORTED && (job->mode == LS_ROUTED || !query->given.mode)) {
		job->request.mode = job->mode = LS_ROUTED;
		status = ls_plan_make(&job->request, &job->plan, &why);
	}
	return status == LS_OK ? EXIT_SUCCESS : print_ls_error(&why);
}

static int make_plan(const struct query *query, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	enum ls_operation operation;
	int failed = find_operation(query->operation, &operation);

	if (!failed)
		failed = guest_open(query, job);
	if (failed)
		return failed;
	if (job->embedding)
		return make_guest_plan(query, operation, job);
	failed = request_for(query, operation, job->topology, &job->request);
	if (!failed && ls_plan_make(&job->request, &job->plan, &why) != LS_OK)
		failed = print_ls_error(&why);
	job->mode = job->request.mode;
	return failed;
}

/* The plan states the request, except count, type and operator. */
static void complete_request(const struct query *query, struct job *job)
{
	job->request = (struct ls_request){ .size = sizeof job->request };
	ls_plan_request(job->plan, &job->request);
	job->mode = job->request.mode;
	snprintf(job->name, sizeof job->name, "%s", job->request.algorithm);
	job->request.count = job->request.operation == LS_BARRIER ? 0 : query->count;
	job->request.type = query->type;
	job->request.op = query->op;
	job->info = (struct ls_algorithm_info){
		.size = sizeof job->info, .name = job->request.algorithm, .source = query->plan
	};
}

/* A plan file states the values of these options itself. */
static int refuse_stated_options(const struct query *query)
{
	const struct {
		const char *option;
		bool given;
	} stated[] = {
		{ "algorithm", query->algorithm },
		{ "root", query->given.root },
		{ "shift", query->given.shift },
		{ "mode", query->given.mode },
	};

	for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
		if (stated[i].given)
			return print_error(EXIT_USAGE, "%s states its own %s; try without --%s", query->plan,
				stated[i].option, stated[i].option);
	return EXIT_SUCCESS;
}

/* The request of a trace: its operation is named by the command line or its first line. */
static int request_for_trace(const struct query *query, struct job *job)
{
	enum ls_operation operation;
	int failed;

	if (!query->operation)
		return print_error(EXIT_USAGE,
			"%s names no operation; try 'lockstep %s OPERATION --plan %s'", query->file->path,
			query->verb, query->plan);
	failed = find_operation(query->operation, &operation);
	if (!failed && query->algorithm)
		failed = print_error(
			EXIT_USAGE, "--algorithm and --plan cannot be used together; try one of them");
	return failed ? failed : request_for(query, operation, job->topology, &job->request);
}

/* The plan of a file is one of the operation that the command line names. */
static int check_operation(const struct query *query, const struct job *job)
{
	const char *name = ls_operation_name(ls_plan_operation(job->plan));

	if (!query->operation
		|| ls_operation_find(query->operation) == (int)ls_plan_operation(job->plan))
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s is a plan of %s, not %s; try %s", query->plan, name,
		query->operation, name);
}

/* Beside a plan, --ports is the number of ports of the machine. */
static int check_ports(const struct query *query, const struct job *job)
{
	const int needed = job->request.ports;

	if (!query->given.ports || query->ports >= needed)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE, "%s uses %d ports, but --ports is %d; try --ports %d",
		query->plan, needed, query->ports, needed);
}

static int read_plan(const struct query *query, struct job *job)
{
	int failed;

	job->request = (struct ls_request){ .size = sizeof job->request, .topology = job->topology };
	failed = query->file->is_plan ? refuse_stated_options(query) : request_for_trace(query, job);
	if (!failed)
		failed = plan_file_plan(query->file, &job->request, &job->plan);
	if (!failed)
		failed = check_operation(query, job);
	if (failed)
		return failed;
	complete_request(query, job);
	failed = check_ports(query, job);
	if (failed)
		return failed;
	if (!query->file->is_plan)
		failed = plan_file_words(query->file, ls_plan_nodes(job->plan), &job->trace_words);
	if (failed)
		return failed;
	return ls_op_defined(job->request.op, job->request.type)
			&& !takes_pairs(job->request.operation, query->op)
		? EXIT_SUCCESS
		: resolve_type(query, job->request.operation, &job->request.type);
}

int64_t job_words(const struct job *job, int64_t counted)
{
	return job->trace_words >= 0 ? job->trace_words : counted;
}

int job_plan(const struct query *query, struct job *job)
{
	int failed;

	job->trace_words = -1;
	failed = query->plan ? read_plan(query, job) : make_plan(query, job);

	if (failed)
		job_close(job);
	else if (!query->plan)
		find_info(job);
	return failed;
}

int job_open(const struct query *query, struct job *job)
{
	*job = (struct job){ 0 };

	const int failed = topology_open(query, &job->topology);

	return failed ? failed : job_plan(query, job);
}

int64_t job_lower_bound(const struct job *job)
{
	struct ls_candidate candidate = { .size = sizeof candidate };
	struct ls_request request = job->request;
	int64_t bound = ls_plan_lower_bound(job->plan);

	request.algorithm = NULL;
	for (size_t i = 0; bound < 0 && ls_candidate_list(&request, i, &candidate); i++)
		bound = candidate.lower_bound;
	return bound;
}

void job_close(struct job *job)
{
	ls_plan_destroy(job->plan);
	ls_embedding_destroy(job->embedding);
	ls_topology_destroy(job->guest);
	if (!job->borrows)
		ls_topology_destroy(job->topology);
	*job = (struct job){ 0 };
}
