#include "job/workload.h"

#include "data/operand_shape.h"
#include "job/embedded.h"
#include "report/report.h"

/* The property of every result that a sweep with fingerprints of all contributions proves. */
static const char *proof_text(const struct job *job)
{
	if (!combines(job->request.operation))
		return job->request.operation == LS_BARRIER ? "all nodes by fingerprints"
													: "all blocks by fingerprints";
	return ls_plan_claim(job->plan) == LS_ORDERED
		? "all contributions by fingerprints, in rank order"
		: "all contributions by fingerprints";
}

/* How results are verified that a replay would verify, if it did not exceed its limits. */
static const char *bound_text(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;

	if (workload->replayed.memory || !combines(request->operation)
		|| !depends_on_order(&workload->operands.element, request->op))
		return NULL;
	return request->op == LS_SUM ? "(p-1) eps sum|x|, where nothing overflows"
								 : "(p-1) eps prod|x|, where nothing over- or underflows";
}

void workload_describe(struct workload *workload, struct outcome *outcome)
{
	const struct query *query = workload->query;
	const struct execution *how = workload->how;
	const struct job *job = &workload->job;
	char root[300];

	if (job->embedding)
		embedding_text(query, job, workload->placed, sizeof workload->placed);
	*outcome = (struct outcome){
		.query = query,
		.how = how,
		.output = workload->output,
		.topology = job->topology,
		.ranks = workload->first_rank ? job->topology : operand_network(job),
		.operation = ls_operation_name(job->request.operation),
		.algorithm = job->name,
		.engine = ls_engine_name(how->engine),
		.embedding = job->embedding ? workload->placed : NULL,
		.map = map_name(query, job),
		.type = workload->operands.element.name,
		.op = ls_op_name(job->request.op),
		.formula = job->info.rounds,
		.source = query->plan ? "in the file" : "predicted",
		.root = job->request.root,
		.elements = job->request.count,
		.bytes = job->request.count * workload->operands.element.bytes,
		.shift = job->request.shift,
		.shifts = job->request.operation == LS_SHIFT,
		.shared = is_shared(job->request.operation),
		.predicted = ls_plan_predict(job->plan, job->request.count),
		.ordered = ls_plan_claim(job->plan) == LS_ORDERED,
		.bound = bound_text(workload),
		.proof = proof_text(job),
	};
	job_title(job, REPORT_BODY, outcome->title, sizeof outcome->title);
	node_text(job->topology, host_rank_of(job, job->request.root), root, sizeof root);
	reference_text(&workload->reference, root, outcome->result_text, sizeof outcome->result_text);
}
