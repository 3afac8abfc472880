#include "engine/sweep/sweep_request.h"

#include <inttypes.h>
#include <limits.h>

#include "base/cores.h"
#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"
#include "engine/sweep/sweep_payload.h"
#include "topology/topology_internal.h"

enum { LOADS = 8 << 20 }; /* links whose load the processes of a world sum after each round */

static void set_local_nodes(struct lsi_sweep_state *s)
{
	const ls_topology *topology = s->plan->problem.topology;
	const int processes = ls_world_processes(s->world), process = ls_world_process(s->world);

	s->unit = s->nodes;
	for (int i = 0; i < processes; i++) {
		const int64_t first = ls_first_rank(topology, processes, i);
		const int64_t last = ls_first_rank(topology, processes, i + 1);

		s->unit = lsi_gcd(s->unit, last);
		s->most_local = last - first > s->most_local ? last - first : s->most_local;
		if (i == process) {
			s->first = first;
			s->last = last;
		}
	}
}

/* The processes sum the load of all links after each round. */
static int check_loads(struct lsi_sweep_state *s)
{
	if (!s->world || lsi_sweep_loads(s) <= LOADS)
		return LS_OK;
	return lsi_error_set(&s->error, LS_ERR_UNSUPPORTED,
		"a routed sweep in several processes has at most %d links; try one process", LOADS);
}

/* Set the plan, and replace zeros by defaults. */
static int set_defaults(struct lsi_sweep_state *s)
{
	struct ls_sweep *request = &s->request;
	const struct ls_plan *plan = s->plan = request->plan;
	const ls_embedding *embedding = request->embedding;
	const struct {
		const char *name;
		long long value, most;
	} numbers[] = {
		{ "workers", request->workers, INT_MAX },
		{ "bind", request->bind, LS_BIND_PU },
		{ "mode", request->mode, LS_ROUTED },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].value < 0 || numbers[i].value > numbers[i].most)
			return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "%s is %lld; expected 0..%lld",
				numbers[i].name, numbers[i].value, numbers[i].most);
	if (!plan)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no plan; expected one of ls_plan_make");
	if (embedding && ls_embedding_guest(embedding)->nodes != plan->problem.nodes)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan has %" PRId64 " nodes, but the guest of the embedding has %" PRId64,
			plan->problem.nodes, ls_embedding_guest(embedding)->nodes);
	s->message_index = lsi_message_index_of(plan);
	if (embedding && s->message_index)
		return lsi_error_set(&s->error, LS_ERR_UNSUPPORTED,
			"a plan of messages without contents cannot be embedded; try without an embedding");
	s->operation = s->message_index ? NULL : ls_operation_name(plan->problem.operation);
	s->nodes = plan->problem.nodes;
	set_local_nodes(s);
	s->steps = ls_plan_steps(plan);
	s->topology = embedding ? ls_embedding_host(embedding) : plan->problem.topology;
	s->mode = embedding ? request->mode : plan->problem.mode;
	if (!lsi_topology_is_direct(s->topology))
		s->mode = LS_ROUTED;
	request->type = request->type ? request->type : LS_DOUBLE;
	request->op = request->op ? request->op : LS_SUM;
	if (plan->problem.operation == LS_BARRIER || s->message_index)
		request->count = 0;
	s->workers = request->workers > 0 ? request->workers : lsi_world_core_count(s->world);
	if (s->workers > s->last - s->first)
		s->workers = s->last > s->first ? (int)(s->last - s->first) : 1;
	s->most_workers = s->world ? 1 : s->workers;
	s->traced = request->trace;
	return check_loads(s);
}

static int check_operator(struct lsi_sweep_state *s)
{
	const struct ls_sweep *request = &s->request;
	const int failed =
		lsi_op_check(s->plan->problem.operation, request->op, request->type, &s->error);

	return failed ? failed : ls_plan_supports_op(s->plan, request->op, &s->error);
}

/*
 * Whether all operands are stored in the rows of results: the plan is in place, and not only at the
 * root.
 */
static bool shares_rows(const struct lsi_problem *problem)
{
	return problem->in_place
		&& (problem->operation == LS_BROADCAST || !lsi_operation_is_rooted(problem->operation));
}

/* Bytes from the first row of a buffer of the caller to the end of its last one; 0: too many. */
static size_t extent_of(const struct lsi_sweep_state *s, int buffer, size_t stride)
{
	const struct ls_operation_info *o = &lsi_operations[s->plan->problem.operation];
	const bool one = buffer == LS_INPUT ? o->from_root : o->at_root;
	const size_t row = lsi_sweep_row_bytes(s, buffer);
	const size_t rows = one || s->last <= s->first ? 1 : (size_t)(s->last - s->first);
	size_t bytes;

	return __builtin_mul_overflow(rows - 1, stride, &bytes)
			|| __builtin_add_overflow(bytes, row, &bytes) || bytes > SIZE_MAX / 2
		? 0
		: bytes;
}

/* Rows that overlap; those of operands and results may lie in turns if their strides are equal. */
static bool overlap(const struct lsi_sweep_state *s, size_t in_bytes, size_t out_bytes)
{
	const struct ls_sweep *request = &s->request;
	const uintptr_t in = (uintptr_t)request->input, out = (uintptr_t)request->output;
	const size_t in_row = lsi_sweep_row_bytes(s, LS_INPUT);
	const size_t out_row = lsi_sweep_row_bytes(s, LS_OUTPUT), stride = request->input_stride;

	if (in >= out + out_bytes || out >= in + in_bytes)
		return false;
	if (stride != request->output_stride || stride == 0)
		return true;
	return out > in ? (out - in) % stride < in_row || (out - in) % stride + out_row > stride
					: (in - out) % stride < out_row || (in - out) % stride + in_row > stride;
}

/* Rows within the address space; operands and results apart, unless the plan is in place. */
static int check_extents(struct lsi_sweep_state *s)
{
	const struct ls_sweep *request = &s->request;
	const void *in = request->input, *out = request->output;
	const size_t in_bytes = extent_of(s, LS_INPUT, request->input_stride);
	const size_t out_bytes = extent_of(s, LS_OUTPUT, request->output_stride);

	if ((in && in_bytes == 0) || (out && out_bytes == 0))
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"rows with a stride of %zu bytes exceed the address space; try a stride of 0",
			in && in_bytes == 0 ? request->input_stride : request->output_stride);
	if (in && out && in != out && !s->plan->problem.in_place && overlap(s, in_bytes, out_bytes))
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"rows of operands and results overlap; expected separate memory");
	return LS_OK;
}

static int check_rows(struct lsi_sweep_state *s)
{
	struct ls_sweep *request = &s->request;
	const bool shared = shares_rows(&s->plan->problem);
	const bool widens = shared && lsi_operation_scatters(s->plan->problem.operation);
	const int widest = widens ? LS_INPUT : LS_OUTPUT;
	const size_t in = lsi_sweep_row_bytes(s, LS_INPUT), out = lsi_sweep_row_bytes(s, widest);

	request->input_stride = request->input_stride ? request->input_stride : in;
	request->output_stride = request->output_stride ? request->output_stride : out;
	if (request->input_stride < in || request->output_stride < out) {
		const bool input = request->input_stride < in;

		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"rows of %zu bytes are too short for %s of %zu bytes; try a stride of 0",
			input ? request->input_stride : request->output_stride,
			input || widens ? "INPUT" : "OUTPUT", input ? in : out);
	}
	if (shared && request->input && request->input != request->output)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan is in place; expected operands in the rows of output");
	if (shared)
		request->input = NULL;
	return LS_OK;
}

int lsi_sweep_check_operands(struct lsi_sweep_state *s)
{
	const struct lsi_problem *problem = &s->plan->problem;
	const struct ls_sweep *request = &s->request;
	const bool shared = shares_rows(problem) && request->output;
	const bool has_root = lsi_sweep_is_local(s, problem->root);
	const bool has_operands =
		lsi_operations[problem->operation].from_root ? has_root : s->first < s->last;

	if (request->count == 0)
		return LS_OK;
	if (has_operands && !request->input && !request->make && !shared)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no operands; expected input or make");
	if (request->input && request->input == request->output && !problem->in_place)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"operands and results are the same rows; expected a plan in place");
	if (problem->in_place && lsi_operations[problem->operation].at_root && has_root
		&& request->input && !request->output)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan is in place; expected the root's operand in output");
	return LS_OK;
}

int lsi_sweep_prepare(const struct ls_sweep *given, struct lsi_sweep_state *s)
{
	int failed;

	*s = (struct lsi_sweep_state){ .step = -1, .error_rank = LS_NO_RANK, .error = LSI_NO_ERROR };
	if (!given)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no sweep; expected a struct ls_sweep");
	if (!lsi_sized_read(&s->request, sizeof s->request, given))
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"ls_sweep.size is %zu; expected %zu, and 0 in all fields beyond it", given->size,
			sizeof s->request);
	s->world = ls_world_processes(s->request.world) > 1 ? s->request.world : NULL;
	failed = set_defaults(s);
	if (!failed)
		failed = check_operator(s);
	if (failed)
		return failed;
	lsi_sweep_payloads_measure(s);
	failed = check_rows(s);
	if (!failed && s->request.count > 0)
		failed = check_extents(s);
	if (!failed)
		lsi_sweep_payloads_count(s);
	return failed;
}
