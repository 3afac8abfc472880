#include "support/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/trace.h>

#include "support/guard.h"
#include "test.h"

enum { CHECKED_MESSAGES = 20000 }; /* plans larger than this are not replayed for their link load */

struct messages { struct ls_record *record; size_t n, room; };

/* A job on its way: what each node gives and gets. */
struct run {
	const struct job *job;
	int64_t p;
	ls_plan *plan;
	void **given;                 /* operand of each rank                  */
	void **input, **output;       /* what its call is told; may be NULL    */
	void *want;
	double *slack;
	struct messages planned, traced;
	struct ls_certificate certificate;
	atomic_llong entered;         /* barrier */
};

struct job_name job_name(const struct job *job)
{
	struct job_name name;

	snprintf(name.text, sizeof name.text,
		"%s %s on %s, %s, n %zu, root %" PRId64 ", %s, ports %d, mailbox %d%s",
		ls_operation_name(job->operation), job->algorithm ? job->algorithm : "by default",
		ls_topology_spec(job->topology), job->element->name, job->count, job->root,
		job->mode == LS_HOP ? "hop" : "routed", job->ports, job->mailbox,
		job->in_place ? ", in place" : "");
	return name;
}

struct ls_request job_request(const struct job *job)
{
	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = job->topology,
		.operation = job->operation,
		.mode = job->mode,
		.algorithm = job->algorithm,
		.count = job->count,
		.type = job->operation == LS_BARRIER ? LS_UINT8 : job->element->type,
		.op =
			job->operation == LS_REDUCE || job->operation == LS_ALLREDUCE ? job->element->op : NULL,
		.root = job->root,
		.ports = job->ports,
		.in_place = job->in_place };
}

/* Messages ---------------------------------------------------------------------------------- */

static void append(struct messages *m, struct ls_record record)
{
	if (m->n == m->room) {
		m->room = 2 * m->room + 64;
		m->record = realloc(m->record, m->room * sizeof *m->record);
		if (!m->record)
			abort();
	}
	m->record[m->n++] = record;
}

static void on_message(void *run, const struct ls_record *record)
{
	append(&((struct run *)run)->traced, *record);
}

static int on_row(void *context, const struct ls_record *row)
{
	struct run *run = context;

	append(&run->planned, (struct ls_record){ row->round, row->src, row->dst, row->words,
		row->words * run->job->element->size });
	return 0;
}

static void check_trace(const struct run *run)
{
	const struct messages *a = &run->planned, *b = &run->traced;
	const size_t n = a->n < b->n ? a->n : b->n;

	CHECK(a->n == b->n, "%s: %zu messages, planned %zu", guarded(), b->n, a->n);
	for (size_t i = 0; i < n; i++) {
		const struct ls_record *x = &a->record[i], *y = &b->record[i];

		if (x->round == y->round && x->src == y->src && x->dst == y->dst && x->words == y->words
				&& x->bytes == y->bytes)
			continue;
		CHECK(false,
			"%s: message %zu is round %" PRId64 ", %" PRId64 " to %" PRId64
			", %zu words, %zu bytes; planned "
			"round %" PRId64 ", %" PRId64 " to %" PRId64 ", %zu words",
			guarded(), i, y->round, y->src, y->dst, y->words, y->bytes, x->round, x->src, x->dst,
			x->words);
		return;
	}
}

static void check_stats(const struct run *run, const ls_machine *machine, enum ls_rounds rounds)
{
	const struct ls_counts plan = ls_plan_predicted(run->plan, run->job->count);
	struct ls_stats stats = { .size = sizeof stats };

	ls_machine_stats(machine, &stats);
	CHECK(
		stats.rounds == plan.rounds && stats.messages == plan.messages && stats.words == plan.words,
		"%s: %" PRId64 " rounds, %" PRId64 " messages, %" PRId64 " words; predicted %" PRId64
		", %" PRId64 ", %" PRId64,
		guarded(), stats.rounds, stats.messages, stats.words, plan.rounds, plan.messages,
		plan.words);
	CHECK(stats.bytes == stats.words * (int64_t)run->job->element->size && stats.reroutes == 0,
		"%s: %" PRId64 " bytes", guarded(), stats.bytes);
	if (rounds == LS_LOCKSTEP && run->certificate.size)
		CHECK(stats.link_load == run->certificate.link_load,
			"%s: link load %" PRId64 ", proved %" PRId64, guarded(), stats.link_load,
			run->certificate.link_load);
}

/* Results ----------------------------------------------------------------------------------- */

static bool has_result(const struct job *job, int64_t rank)
{
	return job->operation != LS_BARRIER && (job->operation != LS_REDUCE || rank == job->root);
}

static bool has_operand(const struct job *job, int64_t rank)
{
	return job->operation != LS_BARRIER && (job->operation != LS_BROADCAST || rank == job->root);
}

static void prepare_buffers(struct run *run)
{
	const struct job *job = run->job;

	for (int64_t r = 0; r < run->p; r++) {
		if (run->output[r])
			memset(run->output[r], 0xee, job->count * job->element->size);
		if (has_operand(job, r))
			memcpy(run->input[r], run->given[r], job->count * job->element->size);
	}
}

static void check_results(const struct run *run)
{
	const struct job *job = run->job;
	const struct element *e = job->element;
	const struct element moved = { .name = e->name, .size = e->size, .exact = true };
	const size_t n = job->count;

	for (int64_t r = 0; r < run->p; r++) {
		if (has_result(job, r)) {
			const size_t wrong = operand_wrong(job->operation == LS_BROADCAST ? &moved : e,
				run->output[r], run->want, run->slack, n);

			CHECK(wrong == n, "%s: element %zu is wrong at node %" PRId64, guarded(), wrong, r);
		}
		if (has_result(job, r) && has_result(job, 0) && ls_plan_identical(run->plan))
			CHECK(!memcmp(run->output[r], run->output[0], n * e->size),
				"%s: nodes 0 and %" PRId64 " differ", guarded(), r);
		if (has_operand(job, r) && !job->in_place)
			CHECK(!memcmp(run->input[r], run->given[r], n * e->size),
				"%s: the operand of %" PRId64 " is overwritten", guarded(), r);
	}
}

static void copy_results(const struct run *run, char *to)
{
	const size_t bytes = run->job->count * run->job->element->size;

	for (int64_t r = 0; r < run->p; r++) {
		if (has_result(run->job, r))
			memcpy(to + (size_t)r * bytes, run->output[r], bytes);
	}
}

/* Running ----------------------------------------------------------------------------------- */

static int program(ls_node *me, void *arg)
{
	struct run *run = arg;
	const struct job *job = run->job;
	const int64_t r = ls_rank(me);
	const struct ls_call call = { .size = sizeof call,
		.operation = job->operation,
		.algorithm = job->algorithm,
		.input = run->input[r],
		.output = run->output[r],
		.count = job->count,
		.type = job->element->type,
		.op = job->element->op,
		.root = job->root,
		.ports = job->ports };

	atomic_fetch_add(&run->entered, 1);

	const int status = ls_collective(me, &call);

	if (status == LS_OK && job->operation == LS_BARRIER)
		CHECK(atomic_load(&run->entered) == run->p, "%s: node %" PRId64 " is let out early",
			guarded(), r);
	return status;
}

static void run_in(struct run *run, enum ls_rounds rounds, char *first)
{
	const struct job *job = run->job;
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = rounds,
		.mode = job->mode,
		.ports = job->ports,
		.mailbox = job->mailbox,
		.trace = on_message,
		.trace_context = run };
	const size_t bytes = (size_t)run->p * job->count * job->element->size;
	ls_machine *machine = machine_on(job->topology, &options);
	char *results = memory(bytes, 1);

	for (int i = 0; i < job->runs; i++) {
		run->traced.n = 0;
		atomic_store(&run->entered, 0);
		prepare_buffers(run);
		must_run(machine, program, run);
		check_trace(run);
		check_stats(run, machine, rounds);
		check_results(run);
		copy_results(run, results);
		if (rounds == LS_LOCKSTEP && i == 0)
			memcpy(first, results, bytes);
		CHECK(!memcmp(first, results, bytes), "%s: other bits in run %d in %s rounds", guarded(), i,
			rounds == LS_LOCKSTEP ? "lockstep" : "free");
	}
	free(results);
	ls_machine_destroy(machine);
}

/* A call that nothing serves says so at every node, and uses no round. */
static int unserved(ls_node *me, void *arg)
{
	CHECK(program(me, arg) == LS_ERR_UNSUPPORTED && ls_round(me) == 1, "%s: served", guarded());
	return 0;
}

static void make_buffers(struct run *run)
{
	const struct job *job = run->job;
	const size_t bytes = job->count * job->element->size;
	const bool combines = job->operation == LS_REDUCE || job->operation == LS_ALLREDUCE;

	run->given = memory((size_t)run->p, sizeof *run->given);
	run->input = memory((size_t)run->p, sizeof *run->input);
	run->output = memory((size_t)run->p, sizeof *run->output);
	run->want = memory(bytes, 1);
	run->slack = memory(job->count, sizeof *run->slack);
	for (int64_t r = 0; r < run->p; r++) {
		run->given[r] = memory(bytes, 1);
		operand_fill(job->element, run->given[r], job->count, r, 42);
		if (has_result(job, r) || job->in_place)
			run->output[r] = memory(bytes, 1);
		if (has_operand(job, r) || job->in_place)
			run->input[r] = job->in_place ? run->output[r] : memory(bytes, 1);
	}
	if (combines)
		operand_reduce(job->element, run->given, run->p, job->count, run->want, run->slack);
	else
		memcpy(run->want, run->given[job->root], bytes);
}

static void discard(struct run *run)
{
	for (int64_t r = 0; r < run->p; r++) {
		if (run->input[r] != run->output[r])
			free(run->input[r]);
		free(run->output[r]);
		free(run->given[r]);
	}
	free(run->given);
	free(run->input);
	free(run->output);
	free(run->want);
	free(run->slack);
	free(run->planned.record);
	free(run->traced.record);
	ls_plan_destroy(run->plan);
}

bool job_check(const struct job *job)
{
	const struct ls_request request = job_request(job);
	struct run run = { .job = job, .p = ls_topology_nodes(job->topology) };
	const struct ls_machine_options options = {
		.size = sizeof options, .mode = job->mode, .ports = job->ports
	};
	const int status = ls_plan_make(&request, &run.plan, NULL);

	guard("%s", job_name(job).text);
	CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s: %s", guarded(),
		ls_status_name(status));
	make_buffers(&run);
	if (status == LS_OK) {
		char *first = memory((size_t)run.p * job->count, job->element->size);

		ls_trace_plan(run.plan, job->count, on_row, &run);
		if (run.planned.n <= CHECKED_MESSAGES) {
			run.certificate.size = sizeof run.certificate;
			CHECK(ls_check(run.plan, job->count, NULL, &run.certificate) == LS_OK, "%s",
				run.certificate.text);
		}
		run_in(&run, LS_LOCKSTEP, first);
		run_in(&run, LS_FREE, first);
		free(first);
	} else {
		ls_machine *machine = machine_on(job->topology, &options);

		must_run(machine, unserved, &run);
		ls_machine_destroy(machine);
	}
	discard(&run);
	return status == LS_OK;
}
