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

/*
 * The memory of a node: operand and result, or the two in one, and bytes around them that nobody
 * may touch.  Where it has none, its call is told NULL.
 */
enum { GUARD = 64 };
struct memory {
	char *start, *before;         /* `before`: how it was when the call began */
	size_t bytes;
	char *input, *output;
	size_t result;                /* bytes of output that are written         */
};

/* A job on its way: what each node gives and gets. */
struct run {
	const struct job *job;
	int64_t p;
	ls_plan *plan;
	void **given;                 /* operand of each rank                     */
	struct memory *memory;
	size_t row;                   /* words between the results of two ranks; 0: all are equal */
	char *want;
	double *slack;
	struct messages planned, traced;
	struct ls_certificate certificate;
	atomic_llong entered;         /* barrier */
};

/* What operands and results are: blocks of `count` elements, and where they are one buffer. */
enum blocks { NONE, ONE, EACH };
struct shape { enum blocks input, output; bool from_root, at_root, combines, alike; };
static const struct shape shapes[LS_OPERATIONS] = {
	[LS_BROADCAST] = { ONE, ONE, .from_root = true, .alike = true },
	[LS_REDUCE] = { ONE, ONE, .at_root = true, .combines = true, .alike = true },
	[LS_ALLREDUCE] = { ONE, ONE, .combines = true, .alike = true },
	[LS_ALLGATHER] = { ONE, EACH, .alike = true },
	[LS_REDUCE_SCATTER] = { EACH, ONE, .combines = true },
	[LS_SCAN] = { ONE, ONE, .combines = true },
	[LS_EXSCAN] = { ONE, ONE, .combines = true },
	[LS_SCATTER] = { EACH, ONE, .from_root = true },
	[LS_GATHER] = { ONE, EACH, .at_root = true, .alike = true },
	[LS_ALLTOALL] = { EACH, EACH },
	[LS_SHIFT] = { ONE, ONE },
	[LS_BARRIER] = { NONE, NONE },
};

static const struct shape *shape_of(const struct job *job)
{
	return &shapes[job->operation];
}

static size_t words(const struct job *job, enum blocks blocks)
{
	const size_t p = (size_t)ls_topology_nodes(job->topology);

	return blocks == NONE ? 0 : blocks == ONE ? job->count : p * job->count;
}

static size_t bytes(const struct job *job, enum blocks blocks)
{
	return words(job, blocks) * job->element->size;
}

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
		.op = shape_of(job)->combines ? job->element->op : NULL,
		.root = job->root,
		.shift = job->shift,
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

/* Memory ------------------------------------------------------------------------------------ */

static bool has_result(const struct job *job, int64_t rank)
{
	return shape_of(job)->output != NONE && (!shape_of(job)->at_root || rank == job->root);
}

static bool has_operand(const struct job *job, int64_t rank)
{
	return shape_of(job)->input != NONE && (!shape_of(job)->from_root || rank == job->root);
}

/* The one block is the node's own of the many; a node that has not both has no place in common. */
static void lay_in_place(const struct job *job, int64_t rank, struct memory *m)
{
	const struct shape *shape = shape_of(job);
	const size_t own = (size_t)rank * bytes(job, ONE);
	char *const start = m->start + GUARD;

	m->input = has_operand(job, rank) ? start : NULL;
	m->output = has_result(job, rank) ? start : NULL;
	if (shape->input != shape->output && m->input && m->output)
		*(shape->input == ONE ? &m->input : &m->output) += own;
	if (shape->input == shape->output && rank % 2 == 0)
		m->input = m->output = start;   /* where one is enough both may be given */
}

static void lay(const struct job *job, int64_t rank, struct memory *m)
{
	const struct shape *shape = shape_of(job);
	const size_t input = (bytes(job, shape->input) + GUARD - 1) / GUARD * GUARD;

	m->bytes = 3 * GUARD + input + bytes(job, shape->output);
	m->start = memory(m->bytes, 1);
	m->before = memory(m->bytes, 1);
	m->input = has_operand(job, rank) ? m->start + GUARD : NULL;
	m->output = has_result(job, rank) ? m->start + 2 * GUARD + input : NULL;
	if (job->in_place)
		lay_in_place(job, rank, m);
	if (has_result(job, rank) && (job->operation != LS_EXSCAN || rank > 0))
		m->result = bytes(job, shape->output);
}

static void prepare(struct run *run)
{
	for (int64_t r = 0; r < run->p; r++) {
		struct memory *m = &run->memory[r];

		memset(m->start, 0xee, m->bytes);
		if (has_operand(run->job, r))
			memcpy(m->input, run->given[r], bytes(run->job, shape_of(run->job)->input));
		memcpy(m->before, m->start, m->bytes);
	}
}

static bool is_untouched(const struct memory *m)
{
	const size_t result = m->output ? (size_t)(m->output - m->start) : 0, end = result + m->result;

	return !memcmp(m->start, m->before, result)
		&& !memcmp(m->start + end, m->before + end, m->bytes - end);
}

/* Results ----------------------------------------------------------------------------------- */

/* What every rank, or each, is to end with, computed one after the other. */
static void compute_combined(struct run *run)
{
	const struct job *job = run->job;
	const size_t n = job->count, p = (size_t)run->p;
	void **block = memory(p, sizeof *block);

	if (job->operation == LS_SCAN)
		operand_scan(job->element, run->given, run->p, n, run->want, run->slack);
	else if (job->operation == LS_EXSCAN)
		operand_scan(job->element, run->given, run->p - 1, n, run->want + bytes(job, ONE),
			run->slack + n);
	else if (job->operation != LS_REDUCE_SCATTER)
		operand_reduce(job->element, run->given, run->p, n, run->want, run->slack);
	for (size_t b = 0; b < p && job->operation == LS_REDUCE_SCATTER; b++) {
		for (size_t r = 0; r < p; r++)
			block[r] = (char *)run->given[r] + b * bytes(job, ONE);
		operand_reduce(job->element, block, run->p, n, run->want + b * bytes(job, ONE),
			run->slack + b * n);
	}
	free(block);
}

/* The rank of whose operand block i of the result of rank r is block `of`. */
struct origin { int64_t rank, of; };

static struct origin origin_of(const struct run *run, int64_t r, int64_t i)
{
	const struct job *job = run->job;

	switch (job->operation) {
	case LS_SCATTER: return (struct origin){ job->root, r };
	case LS_ALLTOALL: return (struct origin){ i, r };
	case LS_ALLGATHER:
	case LS_GATHER: return (struct origin){ i, 0 };
	case LS_SHIFT: return (struct origin){ ((r - job->shift) % run->p + run->p) % run->p, 0 };
	default: return (struct origin){ job->root, 0 };
	}
}

static void compute_moved(struct run *run)
{
	const size_t block = bytes(run->job, ONE);
	const int64_t blocks = shape_of(run->job)->output == EACH ? run->p : 1;

	for (int64_t r = 0; r < (run->row ? run->p : 1); r++) {
		for (int64_t i = 0; i < blocks; i++) {
			const struct origin origin = origin_of(run, r, i);

			memcpy(run->want + (size_t)(r * blocks + i) * block,
				(char *)run->given[origin.rank] + (size_t)origin.of * block, block);
		}
	}
}

static void check_results(const struct run *run)
{
	const struct job *job = run->job;
	const struct element *e = job->element;
	const struct element moved = { .name = e->name, .size = e->size, .exact = true };

	for (int64_t r = 0; r < run->p; r++) {
		const struct memory *m = &run->memory[r];
		const size_t n = m->result / e->size, at = (size_t)r * run->row;
		const size_t wrong = operand_wrong(shape_of(job)->combines ? e : &moved, m->output,
			run->want + at * e->size, run->slack + at, n);

		CHECK(wrong == n, "%s: element %zu is wrong at node %" PRId64, guarded(), wrong, r);
		CHECK(is_untouched(m), "%s: node %" PRId64 " writes beside its result", guarded(), r);
		if (run->row == 0 && n > 0 && run->memory[0].result > 0 && ls_plan_identical(run->plan))
			CHECK(!memcmp(m->output, run->memory[0].output, m->result),
				"%s: nodes 0 and %" PRId64 " differ", guarded(), r);
	}
}

/* Copies what the nodes ended with; returns how much it is. */
static size_t copy_results(const struct run *run, char *to)
{
	char *const start = to;

	for (int64_t r = 0; r < run->p; to += run->memory[r++].result) {
		if (run->memory[r].result)
			memcpy(to, run->memory[r].output, run->memory[r].result);
	}
	return (size_t)(to - start);
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
		.input = run->memory[r].input,
		.output = run->memory[r].output,
		.count = job->count,
		.type = job->element->type,
		.op = job->element->op,
		.root = job->root,
		.shift = job->shift,
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
	ls_machine *machine = machine_on(job->topology, &options);
	char *results = memory((size_t)run->p, bytes(job, shape_of(job)->output));

	for (int i = 0; i < job->runs; i++) {
		run->traced.n = 0;
		atomic_store(&run->entered, 0);
		prepare(run);
		must_run(machine, program, run);
		check_trace(run);
		check_stats(run, machine, rounds);
		check_results(run);

		const size_t length = copy_results(run, results);

		if (rounds == LS_LOCKSTEP && i == 0)
			memcpy(first, results, length);
		CHECK(!memcmp(first, results, length), "%s: other bits in run %d in %s rounds", guarded(), i,
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
	const struct shape *shape = shape_of(job);
	const size_t rows = shape->alike ? 1 : (size_t)run->p;

	run->row = shape->alike ? 0 : words(job, shape->output);
	run->given = memory((size_t)run->p, sizeof *run->given);
	run->memory = memory((size_t)run->p, sizeof *run->memory);
	run->want = memory(rows, bytes(job, shape->output));
	run->slack = memory(rows * words(job, shape->output), sizeof *run->slack);
	for (int64_t r = 0; r < run->p; r++) {
		run->given[r] = memory(1, bytes(job, shape->input));
		operand_fill(job->element, run->given[r], words(job, shape->input), r, 42);
		lay(job, r, &run->memory[r]);
	}
	if (shape->combines)
		compute_combined(run);
	else
		compute_moved(run);
}

static void discard(struct run *run)
{
	for (int64_t r = 0; r < run->p; r++) {
		free(run->memory[r].start);
		free(run->memory[r].before);
		free(run->given[r]);
	}
	free(run->given);
	free(run->memory);
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
		char *first = memory((size_t)run.p, bytes(job, shape_of(job)->output));

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
