/*
 * Plans of records: schedules of the fewest rounds that earlier searches found.
 *
 * A record states which links carry a message in which round.  What the messages carry follows
 * (schedule/deliver.h): each node takes a contribution from the first message that can bring it.
 * The plan is a table of steps, made in prepare.
 *
 *   rounds     those of the record: the fewest possible, or the fewest that are known
 *   traffic    no contribution reaches a node twice
 *   memory     the table of the plan; in the operations without sums a slot for each contribution
 *   requires   hop mode, a record for the network (lib/schedule/records.inc, or of the user)
 *   source     found by search, proved here (docs/finding.md)
 */
#include "base/alloc.h"
#include "collective/algorithm.h"
#include "collective/round_bound.h"
#include "schedule/deliver.h"
#include "schedule/records.h"

/* ---- Schedules */

/* A record as a schedule of links; valid: it reaches the goal. */
struct recorded {
	const struct lsi_schedule_record *record;
	struct lsi_arcs arcs;
	struct lsi_goal goal;
	struct lsi_link_schedule schedule;
	bool valid;
};

/* LS_OK or LS_ERR_MEMORY; release it in both cases. */
static int read_record(struct recorded *r, const struct ls_request *request)
{
	*r = (struct recorded){ .record = lsi_schedule_record_of(request) };
	if (lsi_arcs_init_links(&r->arcs, request->topology, NULL) != LS_OK)
		return LS_ERR_MEMORY;
	r->goal = lsi_goal_of(request, r->arcs.nodes);
	r->schedule = (struct lsi_link_schedule){ &r->arcs, r->record->rounds, 1,
		lsi_alloc_zero((size_t)(r->record->rounds * r->arcs.count) + 1, 1) };
	if (!r->schedule.used)
		return LS_ERR_MEMORY;
	r->valid = lsi_schedule_record_read(r->record, &r->arcs, r->schedule.used)
		&& lsi_schedule_reaches(&r->schedule, &r->goal);
	return LS_OK;
}

static void release_record(struct recorded *r)
{
	lsi_free(r->schedule.used);
	lsi_arcs_fini(&r->arcs);
}

/* ---- Counts */

/* The counts of an operation for one element, kept with the topology. */
struct counted {
	struct lsi_kept kept;
	bool valid;
	struct ls_counts counts;
};

/*
 * What identifies the counts: operation, root, shift, and the rounds of the record, for a user may
 * add one of fewer rounds.  A network has at most 128 nodes, a record at most LSI_FIND_ROUNDS.
 */
static int64_t key_of(const struct lsi_problem *problem, int64_t rounds)
{
	return problem->operation | problem->root << 8 | problem->shift << 16 | rounds << 32;
}

static struct ls_request request_of_key(const struct ls_topology *t, int64_t key)
{
	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = t,
		.operation = (enum ls_operation)(key & 255),
		.root = key >> 8 & 255,
		.shift = key >> 16 & 65535 };
}

/* A plan of the user's record is proved here, once for each request: before it can be chosen. */
static int prove(const struct recorded *r, const struct ls_request *request, bool *valid)
{
	lsi_record_proof *const proof = lsi_schedule_record_proof(request->topology, r->record);
	const int status = proof ? proof(request, &r->schedule, &r->goal, NULL) : LS_OK;

	*valid = status == LS_OK;
	return status == LS_ERR_MEMORY ? status : LS_OK;
}

static struct lsi_kept *count(const struct ls_topology *t, int64_t key)
{
	const struct ls_request request = request_of_key(t, key);
	struct counted *counted = lsi_alloc_zero(1, sizeof *counted);
	struct lsi_deliveries d = { 0 };
	struct recorded r;
	int status = read_record(&r, &request);

	if (status == LS_OK && counted && r.valid) {
		status = lsi_deliveries_init(&d, &r.schedule, &r.goal);
		if (status == LS_OK)
			counted->counts = lsi_deliveries_counts(&d, &r.goal, request.operation);
		if (status == LS_OK)
			status = prove(&r, &request, &counted->valid);
		lsi_deliveries_fini(&d);
	}
	release_record(&r);
	if (counted && status == LS_OK && counted->counts.rounds >= 0)
		return &counted->kept;
	lsi_free(counted);
	return NULL;
}

/* NULL: no memory. */
static const struct counted *counts_of(const struct lsi_problem *problem, int64_t rounds)
{
	return (const void *)lsi_topology_keep(problem->topology, count, key_of(problem, rounds));
}

static int64_t rounds_of(const struct lsi_problem *problem)
{
	const struct ls_request request = lsi_problem_request(problem);

	return lsi_schedule_record_of(&request)->rounds;
}

/* A record that does not reach its goal, or whose plan breaks a law, is not used. */
static bool supports(const struct lsi_problem *problem)
{
	const struct ls_request request = lsi_problem_request(problem);
	const struct lsi_schedule_record *record;
	const struct counted *counted;

	if (problem->nodes == 1)
		return true;
	record = lsi_schedule_record_of(&request);
	if (!record)
		return false;
	counted = counts_of(problem, record->rounds);
	return !counted || counted->valid;
}

static struct ls_counts scale(const struct counted *counted, size_t n)
{
	if (!counted)
		return (struct ls_counts){ -1, -1, -1, -1 };
	return (struct ls_counts){ counted->counts.rounds, counted->counts.messages,
		lsi_mul_sat(counted->counts.words, (int64_t)n),
		lsi_mul_sat(counted->counts.volume, (int64_t)n) };
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return scale(counts_of(problem, rounds_of(problem)), n);
}

/* Of the record that the plan was made of: its user may have added a better one since. */
static struct ls_counts predict_exactly(const struct ls_plan *plan, size_t n)
{
	return scale(counts_of(&plan->problem, plan->frame.rounds), n);
}

/* ---- Plans */

/* The plan of the table, which this one reads. */
static const struct ls_plan *table_of(const struct ls_plan *plan)
{
	return plan->table;
}

/* The rest is known once the table is made. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const bool whole =
		lsi_operation_is_vector(problem->operation) || problem->operation == LS_SHIFT;

	return (struct lsi_frame){ .blocks = whole ? 1 : problem->nodes };
}

static int prepare(struct ls_plan *plan)
{
	struct ls_request request = lsi_problem_request(&plan->problem);
	struct recorded r;
	ls_plan *table = NULL;
	int status = read_record(&r, &request);

	request.algorithm = plan->algorithm->name;
	if (status == LS_OK)
		status = lsi_schedule_plan(&request, &r.schedule, &r.goal, &table, NULL);
	release_record(&r);
	plan->table = table;
	if (status != LS_OK)
		return LS_ERR_MEMORY;
	plan->frame = table->frame;
	return LS_OK;
}

static void release(struct ls_plan *plan)
{
	ls_plan_destroy(plan->table);
}

static bool is_local(const struct ls_plan *plan, int64_t step)
{
	return ls_plan_is_local(table_of(plan), step);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct lsi_peers *out)
{
	table_of(plan)->algorithm->peers(table_of(plan), rank, step, out);
}

static void body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	table_of(plan)->algorithm->body(table_of(plan), step, rank, out);
}

#define COMMON \
	.name = "found", .networks = "networks with a record, in hop mode", \
	.rounds = "those of the record", .bound = LSI_ROUND_BOUND, \
	.source = "found by search, proved here", .nodup = true, .supports = supports, .frame = frame, \
	.prepare = prepare, .release = release, .is_local = is_local, .peers = peers, .body = body, \
	.predict = predict, .predict_exactly = predict_exactly, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_broadcast_found = {
	COMMON,
	.operations = LSI_FOR(LS_BROADCAST) | LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER)
		| LSI_FOR(LS_ALLGATHER) | LSI_FOR(LS_ALLTOALL) | LSI_FOR(LS_SHIFT),
	.claim = LS_MOVE,
	.identical = true,
};

const struct lsi_algorithm lsi_scan_found = {
	COMMON,
	.operations = LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN) | LSI_FOR(LS_BARRIER),
	.claim = LS_ORDERED,
	.identical = true,
};

/* Messages carry sums: in an all-reduce, nodes may add them in different orders. */
const struct lsi_algorithm lsi_reduce_found = {
	COMMON,
	.operations = LSI_FOR(LS_REDUCE) | LSI_FOR(LS_REDUCE_SCATTER) | LSI_FOR(LS_ALLREDUCE),
	.claim = LS_COMMUTATIVE,
};
