#include "cost/candidate.h"

#include <string.h>

#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"

int lsi_selection_init(
	struct lsi_selection *selection, const struct ls_request *request, struct ls_error *why)
{
	struct ls_request r;

	if (!request)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "request is NULL; expected a struct ls_request");
	if (!lsi_sized_read(&r, sizeof r, request))
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"the request has %zu bytes; expected %zu, or zeros after them", request->size,
			sizeof r);
	if (!r.topology)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the request has no topology; expected one of ls_topology_make");
	if ((unsigned)r.operation >= LS_OPERATIONS)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "the operation is %d; expected 0..%d",
			(int)r.operation, LS_OPERATIONS - 1);
	if ((unsigned)r.mode > LS_ROUTED)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the mode is %d; expected LS_HOP or LS_ROUTED", (int)r.mode);

	const int64_t nodes = ls_topology_nodes(r.topology);

	if (r.root < 0 || r.root >= nodes)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "root %lld is not a node; expected 0..%lld",
			(long long)r.root, (long long)nodes - 1);
	if (r.ports < 0 || r.ports > LS_PORTS)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the port count is %d; expected 1..%d", r.ports, LS_PORTS);
	selection->problem = (struct lsi_problem){ .topology = r.topology,
		.nodes = nodes,
		.operation = r.operation,
		.mode = r.mode,
		.root = r.root,
		.shift = lsi_wrap(r.shift, nodes),
		.segments = 1,
		.ports = r.ports ? r.ports : 1,
		.in_place = r.in_place };
	selection->algorithm = r.algorithm;
	selection->count = r.count;
	selection->type = r.type ? r.type : LS_DOUBLE;
	selection->op = r.op ? r.op : LS_SUM;
	return lsi_op_check(r.operation, selection->op, selection->type, why);
}

bool lsi_supports(const struct lsi_algorithm *a, const struct lsi_selection *selection)
{
	const uint32_t operation = LSI_FOR(selection->problem.operation);

	if (!(a->operations & operation) || !a->supports(&selection->problem))
		return false;
	return !lsi_operation_combines(selection->problem.operation)
		|| a->claim >= lsi_claim_required(selection->op);
}

bool lsi_is_candidate(const struct lsi_algorithm *a, const struct lsi_selection *selection)
{
	if (!lsi_supports(a, selection))
		return false;
	if (selection->algorithm)
		return strcmp(a->name, selection->algorithm) == 0;
	if (selection->problem.operation == LS_ALLREDUCE && !ls_op_exact(selection->op, selection->type)
		&& !a->identical)
		return false;
	return !a->teaching;
}
