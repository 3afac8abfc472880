/*
 * The memory of a sweep, and the largest network that fits.
 */
#include "base/host.h"
#include "base/number.h"
#include "base/processes.h"
#include "base/shared_hosts.h"
#include "base/shared_run.h"
#include "data/operand_shape.h"
#include "job/embedded.h"
#include "job/job_sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 8 }; /* bytes of a node: its fingerprint */

/* Of this process, which shares the host with others. */
static struct budget memory_left(void)
{
	return part_of_host(host_memory());
}

static int64_t local_nodes(const ls_topology *topology)
{
	const struct local_ranks local = local_ranks_of(topology);

	return local.end - local.first;
}

static bool nodes_fit(const ls_topology *topology, size_t bytes)
{
	return (uint64_t)local_nodes(topology) <= bytes / LEAST;
}

static struct ls_sweep bare_sweep(const ls_plan *plan, const struct ls_request *request)
{
	return (struct ls_sweep){ .size = sizeof(struct ls_sweep),
		.plan = plan,
		.count = request->count,
		.type = request->type,
		.op = combines(request->operation) ? request->op : NULL,
		.make = stream_operands,
		.world = shared_world() };
}

double sweep_bytes_per_node(const ls_plan *plan, const struct ls_request *request)
{
	const struct ls_sweep sweep = bare_sweep(plan, request);
	const size_t bytes = ls_sweep_memory(&sweep);

	return bytes == SIZE_MAX ? 0 : (double)bytes / (double)ls_plan_nodes(plan);
}

static void no_record(void *context, const struct ls_record *record)
{
	(void)context;
	(void)record;
}

/* The parts of a command line that decide on the memory of a sweep. */
struct demand {
	const struct query *query;
	int workers;
	bool writes_results, writes_trace;
};

static struct demand demand_of(
	const struct query *query, const struct execution *how, const struct output *output)
{
	return (struct demand){ query, how->workers, output->results != NULL, output->trace != NULL };
}

/* Bytes that a job takes in addition to operands from a file; SIZE_MAX: the number overflows. */
static size_t bytes_needed(const struct demand *demand, const struct job *job)
{
	const struct query *query = demand->query;
	const struct operands operands = operands_of(query, &job->request, NULL);
	const size_t blocks = blocks_held(&job->request, operands.nodes);
	struct ls_sweep sweep = bare_sweep(job->plan, &job->request);
	size_t held, bytes;

	if (__builtin_mul_overflow(blocks, job->request.count, &held))
		return SIZE_MAX;
	sweep.embedding = job->embedding;
	sweep.mode = job->mode;
	sweep.workers = demand->workers;
	if (query->input && !job->request.in_place)
		sweep.input = &sweep; /* there is some */
	if (demand->writes_results)
		sweep.output = &sweep;
	sweep.trace = demand->writes_trace ? no_record : NULL;
	bytes = demand->writes_results
		? matrix_bytes(operands.element, local_nodes(operand_network(job)), held)
		: 0;
	if (__builtin_add_overflow(bytes, stream_bytes(&operands, &job->request), &bytes)
		|| __builtin_add_overflow(bytes, ls_sweep_memory(&sweep), &bytes))
		return SIZE_MAX;
	return bytes;
}

/*
 * Reduces the largest number of a spec: a large one by half, so that powers of two stay powers of
 * two.  False: no number can be reduced.
 */
static bool reduce_spec(const char *spec, char *less, size_t size)
{
	enum { LARGE = 64 };
	const char *at = NULL;
	int64_t most = 1;
	int digits = 0;

	for (const char *c = spec; *c; c += *c ? strcspn(c, "0123456789") : 0) {
		const int length = (int)strspn(c, "0123456789");
		const int64_t number = strtoll(c, NULL, 10);

		if (length > 0 && number > most) {
			most = number;
			at = c;
			digits = length;
		}
		c += length;
	}
	if (!at || strncmp(spec, "graph:", 6) == 0)
		return false;
	snprintf(less, size, "%.*s%" PRId64 "%s", (int)(at - spec), spec,
		most > LARGE || strncmp(spec, "tree:", 5) == 0 ? most / 2 : most - 1, at + digits);
	return true;
}

/*
 * Bytes that the job needs on another network.  SIZE_MAX: too many, or there is no such network or
 * plan.
 */
static size_t bytes_needed_on(
	const struct demand *demand, const struct job *job, const char *spec, size_t most)
{
	struct job other = { 0 };
	struct query there = *demand->query;
	size_t bytes = SIZE_MAX;

	there.root = 0;
	if (ls_topology_make(spec, &other.topology, NULL) != LS_OK)
		return SIZE_MAX;
	if (nodes_fit(other.topology, most)
		&& request_for(&there, job->request.operation, other.topology, &other.request) == 0
		&& ls_plan_make(&other.request, &other.plan, NULL) == LS_OK) {
		const struct demand demand_there = { &there, demand->workers, demand->writes_results,
			demand->writes_trace };

		other.mode = other.request.mode;
		bytes = bytes_needed(&demand_there, &other);
	}
	job_close(&other);
	return bytes;
}

static void suggest_network(
	const struct demand *demand, const struct job *job, size_t most, char *text, size_t size)
{
	const struct query *query = demand->query;
	char spec[256], less[256], needed[32];

	snprintf(text, size, "fewer nodes or elements");
	if (job->embedding || query->plan || query->input || has_guest(query))
		return;
	snprintf(spec, sizeof spec, "%s", ls_topology_spec(job->topology));
	while (reduce_spec(spec, less, sizeof less)) {
		const size_t bytes = bytes_needed_on(demand, job, less, most);

		if (bytes <= most) {
			bytes_text((double)bytes, needed, sizeof needed);
			snprintf(text, size, "%s, which needs %s", less, needed);
			return;
		}
		memcpy(spec, less, sizeof spec);
	}
}

/* needed: "16 GiB" */
static int print_too_large(const struct demand *demand, const struct job *job, const char *needed,
	const struct budget *memory)
{
	const struct query *query = demand->query;
	const struct sharing_text sharing = sharing_text();
	char left[32], right[400];

	bytes_text((double)memory->left, left, sizeof left);
	suggest_network(demand, job, usable_memory(memory), right, sizeof right);
	return print_error(EXIT_RESOURCE,
		"%s%s%s needs %s%s, but only %s of memory is available (%s%s); try %s",
		query->plan ? "" : ls_operation_name(job->request.operation), query->plan ? "" : " on ",
		ls_topology_spec(job->topology), needed, sharing.where, left, memory->limit,
		sharing.sharers, right);
}

int sweep_check_nodes(const struct query *query, const struct execution *how,
	const struct output *output, ls_topology *topology)
{
	const struct demand demand = demand_of(query, how, output);
	const struct budget memory = memory_left();
	const double nodes = (double)local_nodes(topology);
	struct job job = { .topology = topology };
	char bytes[32], needed[80];

	if (how->rounds == LS_FREE)
		return print_error(
			EXIT_UNAVAILABLE, "engine sweep has no free rounds; try --rounds lockstep");
	if (nodes_fit(topology, usable_memory(&memory)))
		return EXIT_SUCCESS;
	if (query->operation && find_operation(query->operation, &job.request.operation))
		return EXIT_USAGE;
	bytes_text(nodes * LEAST, bytes, sizeof bytes);
	snprintf(needed, sizeof needed, "%s for the fingerprints of its nodes alone", bytes);
	return print_too_large(&demand, &job, needed, &memory);
}

int sweep_check_memory(const struct query *query, const struct execution *how,
	const struct output *output, const struct job *job, size_t *left)
{
	const struct demand demand = demand_of(query, how, output);
	const struct budget memory = memory_left();
	const size_t bytes = bytes_needed(&demand, job);
	char needed[40] = "more bytes than 64 bits can count";

	if (bytes <= usable_memory(&memory)) {
		*left = usable_memory(&memory) - bytes;
		return EXIT_SUCCESS;
	}
	if (bytes < SIZE_MAX)
		bytes_text((double)bytes, needed, sizeof needed);
	return print_too_large(&demand, job, needed, &memory);
}
