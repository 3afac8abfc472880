#include "job/job.h"

#include "job/embedded.h"
#include "data/operand_shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int topology_open(const struct options *options, ls_topology **out)
{
	struct ls_error why = { .size = sizeof why };

	if (!options->topology)
		return print_error(
			EXIT_USAGE, "no topology; would be right: -t ring:8, or another of `lockstep list`");
	if (ls_topology_make(options->topology, out, &why) != LS_OK)
		return print_ls_error(&why);
	return EXIT_SUCCESS;
}

enum ls_mode mode_on(const struct options *options, const ls_topology *t)
{
	const bool switches = ls_topology_vertices(t) > ls_topology_nodes(t);

	return switches && !options_given(options, "mode") ? LS_ROUTED : options->mode;
}

bool takes_pairs(enum ls_operation operation, ls_op op)
{
	return combines(operation) && (op == LS_MINLOC || op == LS_MAXLOC);
}

/* The element type that the operator works on. */
static int resolve_type(const struct options *options, enum ls_operation operation, ls_type *type)
{
	const bool pairs = takes_pairs(operation, options->op);

	*type = pairs ? ls_type_pair(options->type) : options->type;
	if (!*type || !ls_op_defined(options->op, *type))
		return print_error(EXIT_UNAVAILABLE,
			"operator %s is not defined on %s; would be right: -d %s", ls_op_name(options->op),
			ls_type_name(options->type),
			pairs || ls_op_defined(options->op, LS_DOUBLE) ? "double" : "int64");
	return EXIT_SUCCESS;
}

int request_for(const struct options *options, enum ls_operation operation,
	const ls_topology *topology, struct ls_request *out)
{
	*out = (struct ls_request){ .size = sizeof *out,
		.topology = topology,
		.operation = operation,
		.mode = mode_on(options, topology),
		.algorithm = options->algorithm,
		.count = options->count,
		.type = options->type,
		.op = options->op,
		.root = options->root,
		.shift = options->shift,
		.ports = options->ports };
	if (operation == LS_BARRIER)
		out->count = 0;
	if (options->root >= ls_topology_nodes(topology))
		return print_error(EXIT_USAGE,
			"root %" PRId64 " is not on %s; would be right: 0 to %" PRId64, options->root,
			ls_topology_spec(topology), ls_topology_nodes(topology) - 1);
	return combines(operation) ? resolve_type(options, operation, &out->type) : EXIT_SUCCESS;
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

/* For the links of the guest; where no algorithm does with those, and routes serve, for routes. */
static int make_guest_plan(
	const struct options *options, enum ls_operation operation, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	struct options inner = *options;
	int status;

	inner.algorithm = strrchr(options->algorithm, '/') + 1;
	if (!*inner.algorithm)
		inner.algorithm = NULL;

	const int failed = request_for(&inner, operation, job->guest, &job->request);

	if (failed)
		return failed;
	job->request.mode = LS_HOP;
	status = ls_plan_make(&job->request, &job->plan, &why);
	if (status == LS_ERR_UNSUPPORTED
		&& (job->mode == LS_ROUTED || !options_given(options, "mode"))) {
		job->request.mode = job->mode = LS_ROUTED;
		status = ls_plan_make(&job->request, &job->plan, &why);
	}
	return status == LS_OK ? EXIT_SUCCESS : print_ls_error(&why);
}

static int make_plan(const struct options *options, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	enum ls_operation operation;
	int failed = find_operation(options->word[0], &operation);

	if (!failed && operation == LS_BARRIER && options_given(options, "message-size")
		&& options->count > 0)
		failed = print_error(
			EXIT_USAGE, "a barrier carries no elements; would be right: barrier without -m");
	if (!failed)
		failed = place_open(options, job);
	if (failed)
		return failed;
	if (job->embedding)
		return make_guest_plan(options, operation, job);
	failed = request_for(options, operation, job->topology, &job->request);
	if (!failed && ls_plan_make(&job->request, &job->plan, &why) != LS_OK)
		failed = print_ls_error(&why);
	job->mode = job->request.mode;
	return failed;
}

bool is_plan_file(const char *path)
{
	const char *ending = path ? strrchr(path, '.') : NULL;

	return ending && strcmp(ending, ".plan") == 0;
}

/* The text of a file; NULL: it cannot be read. */
static char *file_text(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	*length = 0;
	while (file) {
		if (*length == room) {
			room = 2 * room + 4096;
			text = require_memory(realloc(text, room));
		}
		const size_t got = fread(text + *length, 1, room - *length, file);

		*length += got;
		if (got == 0)
			break;
	}
	if (!file || ferror(file)) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

/* The request is what the plan says; the rest is as on the command line. */
static void take_over(const struct options *options, struct job *job)
{
	job->request = (struct ls_request){ .size = sizeof job->request };
	ls_plan_request(job->plan, &job->request);
	job->mode = job->request.mode;
	snprintf(job->name, sizeof job->name, "%s", job->request.algorithm);
	job->request.count = job->request.operation == LS_BARRIER ? 0 : options->count;
	job->request.type = options->type;
	job->request.op = options->op;
	job->info = (struct ls_algorithm_info){
		.size = sizeof job->info, .name = job->request.algorithm, .source = options->plan
	};
}

/* What a plan file says itself. */
static int refuse_said(const struct options *options)
{
	static const char *const said[] = { "algorithm", "root", "shift", "mode", "ports" };

	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (options_given(options, said[i]))
			return print_error(EXIT_USAGE,
				"--%s beside --plan, which says its own; would be right: without --%s", said[i],
				said[i]);
	return EXIT_SUCCESS;
}

static int read_plan(const struct options *options, struct job *job)
{
	const int said = refuse_said(options);

	if (said)
		return said;

	struct ls_error why = { .size = sizeof why };
	size_t length;
	char *text = file_text(options->plan, &length);

	if (!text)
		return print_error(EXIT_USAGE,
			"%s cannot be read; would be right: a plan as lockstep steps writes one",
			options->plan);

	const int status = ls_plan_read(text, length, job->topology, &job->plan, &why);

	free(text);
	if (status == LS_ERR_SPEC)
		return print_error(EXIT_USAGE, "%s: %s", options->plan, why.text);
	if (status != LS_OK)
		return print_ls_error(&why);
	take_over(options, job);
	return ls_op_defined(job->request.op, job->request.type)
			&& !takes_pairs(job->request.operation, options->op)
		? EXIT_SUCCESS
		: resolve_type(options, job->request.operation, &job->request.type);
}

int job_plan(const struct options *options, struct job *job)
{
	const int failed = options->plan ? read_plan(options, job) : make_plan(options, job);

	if (failed)
		job_close(job);
	else if (!options->plan)
		find_info(job);
	return failed;
}

int job_open(const struct options *options, struct job *job)
{
	*job = (struct job){ 0 };

	const int failed = topology_open(options, &job->topology);

	return failed ? failed : job_plan(options, job);
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

const char *claim_text(enum ls_claim claim)
{
	static const char *const text[] = { [LS_IDEMPOTENT] = "idempotent",
		[LS_COMMUTATIVE] = "commutative",
		[LS_ORDERED] = "rank-ordered",
		[LS_MOVE] = "move" };

	return text[claim];
}

const char *mode_text(enum ls_mode mode)
{
	return mode == LS_HOP ? "hop" : "routed";
}

const char *rounds_text(enum ls_rounds rounds)
{
	return rounds == LS_LOCKSTEP ? "lockstep" : "free";
}

/* The length of the first work that a source names: up to its year, or else the semicolon. */
static int work_length(const char *source)
{
	const int clause = (int)strcspn(source, ";");

	for (int i = 0; i + 4 <= clause; i++)
		if (strspn(source + i, "0123456789") == 4)
			return i + 4;
	return clause;
}

enum { WHOLE, FIRST_WORK, FIRST_AUTHOR, NOTHING };

/* " (Oh, Choi, Primeaux 2005, Figure 2)" as a whole, and ever shorter. */
static void source_text(const char *source, int form, char *text, size_t size)
{
	const int workload = work_length(source), author = (int)strcspn(source, ",; ");
	const bool many = source[author] == ',' && strspn(source + workload - 4, "0123456789") >= 4;

	if (form == WHOLE)
		snprintf(text, size, " (%s)", source);
	else if (form == FIRST_WORK)
		snprintf(text, size, " (%.*s)", workload, source);
	else if (form == FIRST_AUTHOR && many)
		snprintf(text, size, " (%.*s et al. %.4s)", author, source, source + workload - 4);
	else
		text[0] = '\0';
}

void job_title(const struct job *job, int width, char *text, size_t size)
{
	const enum ls_claim claim = ls_plan_claim(job->plan);
	const bool told = claim != LS_MOVE && job->request.operation != LS_BARRIER;
	char source[300];
	int length;

	for (int form = WHOLE; form <= NOTHING; form++) {
		source_text(job->info.source, form, source, sizeof source);
		length = snprintf(text, size, "%s%s%s%s", job->name, source, told ? ", " : "",
			told ? claim_text(claim) : "");
		if (width == 0 || length <= width)
			return;
	}
}

static void print_candidates(const struct job *job, FILE *file)
{
	struct ls_candidate candidate = { .size = sizeof candidate };
	struct ls_request request = job->request;

	request.algorithm = NULL;
	for (size_t i = 0; ls_candidate_list(&request, i, &candidate); i++) {
		fprintf(file, "candidate  %-24s %-12s %6" PRId64 " rounds, ", candidate.algorithm,
			claim_text(candidate.claim), candidate.counts.rounds);
		if (candidate.load >= 0)
			fprintf(file, "link load %" PRId64 ", ", candidate.load);
		fprintf(file, "cost %.6g%s\n", candidate.cost, candidate.chosen ? ", the default" : "");
	}
}

void job_choice(const struct options *options, const struct job *job, FILE *file)
{
	if (!job->embedding)
		print_candidates(job, file);
	fprintf(file, "algorithm  %s: %s\n", job->name,
		options->algorithm ? "asked for by -a" : "the default");
}

void engine_choice(const struct options *options, const char *engine, const char *why, FILE *file)
{
	const bool chosen = strcmp(engine, ls_engine_name(options->engine)) != 0;

	fprintf(file, "engine     %s: %s\n", engine,
		chosen                                 ? why
			: options_given(options, "engine") ? "asked for by -e"
											   : "the default of run");
}

static int count_text(char *text, size_t size, const char *before, int64_t count, const char *after)
{
	if (count == INT64_MAX)
		return snprintf(text, size, "%sat least 2^63-1%s", before, after);
	return snprintf(text, size, "%s%" PRId64 "%s", before, count, after);
}

void topology_text(const ls_topology *t, char *text, size_t size)
{
	int at = count_text(
		text, size, "", ls_topology_nodes(t), ls_topology_nodes(t) == 1 ? " node" : " nodes");

	at += count_text(text + at, size - (size_t)at, ", degree ", ls_topology_degree(t), "");
	at += count_text(text + at, size - (size_t)at, ", diameter ", ls_topology_diameter(t), "");
	count_text(text + at, size - (size_t)at, ", ", ls_topology_links(t),
		ls_topology_links(t) == 1 ? " link" : " links");
}

int node_text(const ls_topology *t, int64_t rank, char *text, size_t size)
{
	char label[256], digits[24];

	ls_label(t, rank, label, sizeof label);
	snprintf(digits, sizeof digits, "%" PRId64, rank);
	if (strcmp(label, digits) == 0)
		return snprintf(text, size, "%s", digits);
	return snprintf(text, size, "%s(%s)", label, digits);
}
