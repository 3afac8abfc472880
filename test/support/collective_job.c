#include "support/collective_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/trace.h>

#include "machine/machine_types.h"
#include "support/guard.h"
#include "support/play.h"
#include "test.h"

enum { CHECKED_MESSAGES = 20000 }; /* plans larger than this are not replayed for their link load */

struct way {
	enum ls_rounds rounds;
	enum ls_engine engine;
};
static const struct way ways[] = { { LS_LOCKSTEP, LS_MAILBOXES }, { LS_FREE, LS_COOPERATIVE },
	{ LS_LOCKSTEP, LS_COOPERATIVE }, { LS_FREE, LS_MAILBOXES }, { LS_LOCKSTEP, LS_AUTO },
	{ LS_FREE, LS_AUTO } };
enum { WAYS = sizeof ways / sizeof *ways };

/* A job on its way. */
struct run {
	const struct job *job;
	struct payload load;
	ls_plan *plan;
	struct messages planned, traced;
	struct ls_certificate certificate;
	atomic_llong entered; /* barrier */
};

struct job_name job_name(const struct job *job)
{
	struct job_name name;

	snprintf(name.text, sizeof name.text,
		"%s %s on %s, %s, n %zu, root %" PRId64 ", shift %" PRId64 ", %s, ports %d, mailbox %d%s",
		ls_operation_name(job->operation), job->algorithm ? job->algorithm : "by default",
		ls_topology_spec(job->topology), job->element->name, job->count, job->root, job->shift,
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
		.op = job_combines(job) ? job->element->op : NULL,
		.root = job->root,
		.shift = job->shift,
		.ports = job->ports,
		.in_place = job->in_place };
}

/* ---- Messages */

static void on_message(void *run, const struct ls_record *record)
{
	messages_add(&((struct run *)run)->traced, record);
}

static int on_row(void *context, const struct ls_record *row)
{
	struct run *run = context;

	struct ls_record planned = *row;

	planned.bytes = row->words * run->job->element->size;
	messages_add(&run->planned, &planned);
	return 0;
}

static void check_stats(const struct run *run, const ls_machine *machine, enum ls_rounds rounds)
{
	const struct ls_counts plan = ls_plan_predict(run->plan, run->job->count);
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

/* ---- Running */

static int program(ls_node *me, void *arg)
{
	struct run *run = arg;
	const struct job *job = run->job;
	const int64_t r = ls_rank(me);
	const struct ls_call call = { .size = sizeof call,
		.operation = job->operation,
		.algorithm = job->algorithm,
		.input = run->load.memory[r].input,
		.output = run->load.memory[r].output,
		.count = job->count,
		.type = job->element->type,
		.op = job->element->op,
		.root = job->root,
		.shift = job->shift,
		.ports = job->ports };

	atomic_fetch_add(&run->entered, 1);

	const int status = ls_collective(me, &call);

	if (status == LS_OK && job->operation == LS_BARRIER)
		CHECK(atomic_load(&run->entered) == run->load.p, "%s: node %" PRId64 " is let out early",
			guarded(), r);
	return status;
}

/*
 * Did the engine that is said to execute the call do so?  A node that executes its own steps knows
 * the channels to its peers.
 */
static void check_engine(const struct run *run, const ls_machine *machine)
{
	const struct job *job = run->job;
	const size_t bytes = job->operation == LS_BARRIER ? 0 : job->count * job->element->size;
	const char *why;
	const enum ls_engine said = ls_engine_for(machine, job->operation, bytes, &why);
	bool by_threads = false;

	if (run->planned.n == 0)
		return;
	for (int64_t r = 0; r < run->load.p; r++)
		by_threads |= machine->node_state[r].channels.entries != NULL;
	CHECK(by_threads == (said == LS_MAILBOXES), "%s: said to be executed by %s: %s", guarded(),
		ls_engine_name(said), why);
}

static void run_in(struct run *run, const struct way *way, char *first, bool *is_first)
{
	const struct job *job = run->job;
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = way->rounds,
		.engine = way->engine,
		.mode = job->mode,
		.ports = job->ports,
		.mailbox = job->mailbox,
		.trace = on_message,
		.trace_context = run };
	ls_machine *machine = machine_on(job->topology, &options);
	char *results = memory(payload_room(&run->load), 1);

	guard("%s, %s rounds, engine %s", job_name(job).text,
		way->rounds == LS_LOCKSTEP ? "lockstep" : "free", ls_engine_name(way->engine));
	for (int i = 0; i < job->runs; i++) {
		run->traced.n = 0;
		atomic_store(&run->entered, 0);
		payload_prepare(&run->load);
		must_run(machine, program, run);
		messages_check(&run->planned, &run->traced);
		check_stats(run, machine, way->rounds);
		payload_check(&run->load, ls_plan_identical(run->plan));

		const size_t length = payload_copy(&run->load, results);

		if (*is_first)
			memcpy(first, results, length);
		*is_first = false;
		CHECK(!memcmp(first, results, length), "%s: other bits in run %d", guarded(), i);
	}
	check_engine(run, machine);
	free(results);
	ls_machine_destroy(machine);
}

/* A call that nothing serves says so at every node, and uses no round. */
static int unserved(ls_node *me, void *arg)
{
	CHECK(program(me, arg) == LS_ERR_UNSUPPORTED && ls_round(me) == 1, "%s: served", guarded());
	return 0;
}

bool job_check(const struct job *job)
{
	const struct ls_request request = job_request(job);
	struct run run = { .job = job };
	const struct ls_machine_options options = {
		.size = sizeof options, .mode = job->mode, .ports = job->ports
	};
	const int status = ls_plan_make(&request, &run.plan, NULL);

	guard("%s", job_name(job).text);
	CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s: %s", guarded(),
		ls_status_name(status));
	run.load = payload_make(job);
	if (status == LS_OK) {
		char *first = memory(payload_room(&run.load), 1);
		bool is_first = true;

		ls_trace_plan(run.plan, job->count, on_row, &run);
		if (run.planned.n <= CHECKED_MESSAGES) {
			run.certificate.size = sizeof run.certificate;
			CHECK(ls_check(run.plan, job->count, NULL, &run.certificate) == LS_OK, "%s",
				run.certificate.text);
		}
		for (int i = 0; i < WAYS; i++) {
			if (job->ways >> i & 1)
				run_in(&run, &ways[i], first, &is_first);
		}
		free(first);
	} else {
		ls_machine *machine = machine_on(job->topology, &options);

		must_run(machine, unserved, &run);
		ls_machine_destroy(machine);
	}
	payload_destroy(&run.load);
	free(run.planned.record);
	free(run.traced.record);
	ls_plan_destroy(run.plan);
	return status == LS_OK;
}
