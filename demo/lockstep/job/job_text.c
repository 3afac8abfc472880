/*
 * The title of a job, and the reasons for its algorithm and engine.
 */
#include "job/job.h"

#include <inttypes.h>
#include <string.h>

/* The length of the first reference of a source: up to its year, or else the semicolon. */
static int reference_length(const char *source)
{
	const int clause = (int)strcspn(source, ";");

	for (int i = 0; i + 4 <= clause; i++)
		if (strspn(source + i, "0123456789") == 4)
			return i + 4;
	return clause;
}

enum { WHOLE, FIRST_REFERENCE, FIRST_AUTHOR, NOTHING };

/* " (Oh, Choi, Primeaux 2005, Figure 2)", whole or in shorter forms. */
static void source_text(const char *source, int form, char *text, size_t size)
{
	const int first = reference_length(source), author = (int)strcspn(source, ",; ");
	const bool many = source[author] == ',' && strspn(source + first - 4, "0123456789") >= 4;

	if (form == WHOLE)
		snprintf(text, size, " (%s)", source);
	else if (form == FIRST_REFERENCE)
		snprintf(text, size, " (%.*s)", first, source);
	else if (form == FIRST_AUTHOR && many)
		snprintf(text, size, " (%.*s et al. %.4s)", author, source, source + first - 4);
	else
		text[0] = '\0';
}

void job_title(const struct job *job, int width, char *text, size_t size)
{
	const enum ls_claim claim = ls_plan_claim(job->plan);
	const bool has_claim = claim != LS_MOVE && job->request.operation != LS_BARRIER;
	char source[300];
	int length;

	for (int form = WHOLE; form <= NOTHING; form++) {
		source_text(job->info.source, form, source, sizeof source);
		length = snprintf(text, size, "%s%s%s%s", job->name, source, has_claim ? ", " : "",
			has_claim ? claim_text(claim) : "");
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
		fprintf(file, "candidate  %-24s %-12s %6" PRId64 " %s, ", candidate.algorithm,
			claim_text(candidate.claim), candidate.counts.rounds,
			candidate.counts.rounds == 1 ? "round" : "rounds");
		if (candidate.load >= 0)
			fprintf(file, "link load %" PRId64 ", ", candidate.load);
		fprintf(file, "cost %.6g%s\n", candidate.cost, candidate.chosen ? ", the default" : "");
	}
}

void print_algorithm_choice(const struct query *query, const struct job *job, FILE *file)
{
	if (!job->embedding)
		print_candidates(job, file);
	fprintf(file, "algorithm  %s: %s%s\n", job->name,
		query->plan            ? "read from "
			: query->algorithm ? "requested by -a"
							   : "the default",
		query->plan ? query->plan : "");
}

void print_engine_choice(
	const struct execution *how, const char *engine, const char *why, FILE *file)
{
	const bool chosen = strcmp(engine, ls_engine_name(how->engine)) != 0;

	fprintf(file, "engine     %s: %s\n", engine,
		chosen                  ? why
			: how->given.engine ? "requested by -e"
								: "the default of run");
}
