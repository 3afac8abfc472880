/*
 * lockstep find: searches for a plan of the fewest rounds.
 */
#include "base/names.h"
#include "base/output_file.h"
#include "cli/verb.h"
#include "find/search_report.h"
#include "job/job.h"
#include "report/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text of a refutation, until it is written. */
struct refutation {
	char *text;
	size_t length;
};

struct search {
	struct search_report report;
	bool shows_progress; /* on a terminal */
	struct refutation refutation;
	char *record;    /* a row of the table of records; NULL: none */
	ls_plan *longer; /* of one round more and less volume; NULL: none */
	struct output_file plan_file, proof_file;
	FILE *record_file; /* NULL: not open */
	bool is_new_record_file;
};

static void keep_step(void *context, const struct ls_find_step *step)
{
	struct search *s = context;

	if (s->report.steps < SEARCH_STEPS)
		s->report.step[s->report.steps++] = *step;
	if (s->shows_progress)
		progress_text("rounds %" PRId64 ": %s after %.1f s; the search goes on", step->rounds,
			search_outcome_name(step->outcome), step->seconds);
}

static int keep_refutation(void *context, const char *text, size_t length)
{
	struct refutation *kept = &((struct search *)context)->refutation;

	kept->text = require_memory(malloc(length + 1));
	memcpy(kept->text, text, length + 1);
	kept->length = length;
	return 0;
}

static int keep_record(void *context, const char *text)
{
	((struct search *)context)->record = require_memory(strdup(text));
	return 0;
}

static void keep_longer(void *context, ls_plan *plan)
{
	struct search *s = context;

	ls_plan_destroy(s->longer);
	s->longer = plan;
}

static int put_text(void *file, const char *text)
{
	return fputs(text, file) < 0;
}

/* ---- Files */

static bool is_open(const struct output_file *file)
{
	return file->file != NULL;
}

/*
 * Unwritable files are reported before the search.  Until it has found what belongs into them, they
 * keep their contents; a row is appended to the file of records.
 */
static int open_files(struct search *s, const char *plan, const struct search_choice *choice)
{
	int failed = plan ? output_open(plan, &s->plan_file) : EXIT_SUCCESS;

	if (!failed && choice->proof)
		failed = output_open(choice->proof, &s->proof_file);
	if (!failed && choice->record) {
		s->is_new_record_file = access(choice->record, F_OK) != 0;
		s->record_file = fopen(choice->record, "ae");
		if (!s->record_file)
			failed = print_unwritable(choice->record);
	}
	return failed;
}

static int write_plan_file(struct search *s, const char *path)
{
	s->report.file = path;
	output_truncate(&s->plan_file);
	ls_plan_write(s->report.result.plan, put_text, s->plan_file.file);
	return output_close(&s->plan_file);
}

static int write_proof_file(struct search *s, const char *path)
{
	s->report.proof = path;
	output_truncate(&s->proof_file);
	fwrite(s->refutation.text, 1, s->refutation.length, s->proof_file.file);
	return output_close(&s->proof_file);
}

static int append_record(struct search *s, const char *path)
{
	bool failed = fputs(s->record, s->record_file) < 0;

	failed |= fclose(s->record_file) != 0;
	s->record_file = NULL;
	return failed ? print_unwritable(path) : EXIT_SUCCESS;
}

static int write_files(struct search *s, const char *plan, const struct search_choice *choice)
{
	int failed = EXIT_SUCCESS;

	if (is_open(&s->plan_file) && s->report.result.plan)
		failed = write_plan_file(s, plan);
	if (!failed && s->record_file && s->record)
		failed = append_record(s, choice->record);
	if (!failed && is_open(&s->proof_file) && s->refutation.text)
		failed = write_proof_file(s, choice->proof);
	if (!failed && choice->proof && !s->report.proof)
		print_error(
			EXIT_SUCCESS, "no number of rounds was refuted, so %s is not written", choice->proof);
	return failed;
}

/* Of the files that were not written. */
static void discard_files(struct search *s, const struct search_choice *choice)
{
	output_discard(&s->plan_file);
	output_discard(&s->proof_file);
	if (!s->record_file)
		return;
	fclose(s->record_file);
	if (s->is_new_record_file)
		unlink(choice->record);
}

/* ---- The search */

static struct counted_plan count_plan(const ls_plan *plan, size_t n, size_t bytes)
{
	return plan ? (struct counted_plan){ plan, ls_plan_predict(plan, n),
		ls_plan_cost(plan, n, bytes, ls_cost_model_default) }
				: (struct counted_plan){ 0 };
}

static struct front_row row_of(const struct counted_plan *p)
{
	return (struct front_row){ ls_plan_algorithm(p->plan), p->counts.rounds, p->counts.volume,
		p->cost };
}

/* With a message size: the plans of the search, and those of all algorithms. */
static void fill_front(const struct query *query, const struct ls_request *request,
	const struct counted_plan *longer, struct search_report *r)
{
	int rows = 0;

	if (!query->given.count)
		return;
	if (r->result.plan && (r->found.searched || r->found.recorded))
		r->front[rows++] = row_of(&r->result);
	if (longer->plan)
		r->front[rows++] = row_of(longer);
	r->front_rows = front_of(r->front, list_front_candidates(request, r->front, rows));
}

/* With a message size another plan may be the cheaper one. */
static void choose_plan(
	const struct query *query, const struct counted_plan *other, struct search_report *r)
{
	if (query->given.count && other->plan && r->result.plan && other->cost < r->result.cost)
		r->result = *other;
}

static int search(const struct options *options, const struct ls_request *request, struct search *s,
	ls_plan **plan)
{
	struct ls_error why = { .size = sizeof why };
	const struct ls_find_options find = { .size = sizeof find,
		.request = request,
		.within = options->search.within,
		.budget = options->search.budget,
		.seed = options->query.seed,
		.solver = options->search.solver,
		.no_symmetry = options->search.no_symmetry,
		.prefix = options->search.prefix,
		.prefix_rounds = options->search.prefix_rounds,
		.context = s,
		.step = keep_step,
		.refutation = options->search.proof ? keep_refutation : NULL,
		.record = options->search.record ? keep_record : NULL,
		.more_rounds = options->query.given.count ? 1 : 0,
		.longer = keep_longer };
	int status;

	s->shows_progress = progress_is_visible(&options->output);
	if (s->shows_progress)
		progress_text("searching");
	status = ls_find(&find, plan, &s->report.found, &why);
	if (s->shows_progress)
		progress_erase();
	if (status == LS_ERR_LAW) /* of the solver; EXIT_WRONG states that rounds are impossible */
		return print_error(EXIT_UNAVAILABLE, "%s", why.text);
	return status == LS_OK ? EXIT_SUCCESS : print_ls_error(&why);
}

static int exit_code_of_search(const struct search_report *r)
{
	if (r->found.undecided && !r->found.no_solver)
		return EXIT_STUCK;
	return r->result.plan ? EXIT_SUCCESS : EXIT_WRONG;
}

const struct format find_formats[] = {
	{ "text", NULL, write_search_text },
	{ "json", NULL, write_search_json },
	{ 0 },
};

static int find_plan(const struct options *options, const struct ls_request *request)
{
	const size_t bytes = ls_type_size(request->type), n = request->count;
	struct search *s = require_memory(calloc(1, sizeof *s));
	ls_plan *plan = NULL, *usual = NULL;
	int failed;

	s->report = (struct search_report){ .topology = request->topology,
		.request = request,
		.within = options->search.within,
		.prefix = options->search.prefix,
		.prefix_rounds = options->search.prefix_rounds,
		.seed = options->query.seed,
		.found = { .size = sizeof s->report.found } };
	failed = open_files(s, options->word[1], &options->search);
	if (!failed)
		failed = search(options, request, s, &plan);
	if (!failed && ls_plan_make(request, &usual, NULL) != LS_OK)
		usual = NULL;
	if (!failed) {
		s->report.result = count_plan(plan, n, bytes);
		s->report.usual = count_plan(usual, n, bytes);

		const struct counted_plan longer = count_plan(s->longer, n, bytes);

		fill_front(&options->query, request, &longer, &s->report);
		choose_plan(&options->query, &longer, &s->report);
		choose_plan(&options->query, &s->report.usual, &s->report);
		failed = write_files(s, options->word[1], &options->search);
	}
	if (!failed && !options->output.quiet)
		options->output.format->write(&options->output, &s->report);
	if (!failed)
		failed = exit_code_of_search(&s->report);
	discard_files(s, &options->search);
	ls_plan_destroy(plan);
	ls_plan_destroy(usual);
	ls_plan_destroy(s->longer);
	free(s->refutation.text);
	free(s->record);
	free(s);
	return failed;
}

int verb_find(const struct options *options)
{
	ls_topology *topology = NULL;
	enum ls_operation operation;
	struct ls_request request;
	int failed = find_operation(options->query.operation, &operation);

	if (!failed)
		failed = topology_open(&options->query, &topology);
	if (!failed)
		failed = request_for(&options->query, operation, topology, &request);
	if (!failed)
		failed = find_plan(options, &request);
	ls_topology_destroy(topology);
	return failed;
}
