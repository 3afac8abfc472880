/*
 * The text of the problem, in the form DIMACS, and that of the answer:
 *
 *   p cnf 387 1242            variables and clauses
 *   -12 40 0                  a clause
 *
 *   s SATISFIABLE             or UNSATISFIABLE; the proof is in a file of its own
 *   v 1 -2 3 .. 0             the literals that hold
 */
#include "find/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "find/solver_process.h"

/* The numbers that the program gets for the variables 0 .. n, where 0 is none; NULL: no memory. */
static int *number_variables(const struct lsi_solver *solver, int n)
{
	int *number = lsi_alloc(((size_t)n + 1) * sizeof *number);
	uint64_t state = solver->seed;

	for (int v = 0; v <= n && number; v++)
		number[v] = v;
	for (int v = n; v > 1 && number && solver->renumbers; v--) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);

		const int other = 1 + (int)((state >> 33) % (uint64_t)v), kept = number[v];

		number[v] = number[other];
		number[other] = kept;
	}
	return number;
}

static int write_problem(
	int problem, const struct lsi_clauses *c, const int *number, struct ls_error *why)
{
	const int copy = fcntl(problem, F_DUPFD_CLOEXEC, 0);
	FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
	bool failed = !file;

	if (file) {
		fprintf(file, "p cnf %d %zu\n", c->variables, c->clauses);
		for (size_t i = 0; i < c->literals; i++) {
			const int literal = c->literal[i];

			fprintf(
				file, literal ? "%d " : "%d\n", literal < 0 ? -number[-literal] : number[literal]);
		}
		failed = ferror(file) != 0;
		failed |= fclose(file) != 0;
	} else if (copy >= 0) {
		close(copy);
	}
	if (!failed)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"cannot write the problem for the solver: %s; try another TMPDIR", strerror(errno));
}

/* ---- The program */

/* Options of known programs, by the last part of their path; %s: the seed. */
static const struct {
	const char *name, *option[6];
} dialects[] = {
	/* Without these techniques a proof needs unit propagation only. */
	{ "cadical", { "-q", "--block=false", "--cover=false", "--condition=false", "--seed=%s" } },
	{ "kissat", { "-q", "--seed=%s" } },
};

enum { ARGUMENTS = 12, OPTION_BYTES = 40 };

struct arguments {
	char text[ARGUMENTS][OPTION_BYTES], seed[24];
	char *at[ARGUMENTS];
};

/* PROGRAM [OPTION ..] PROBLEM PROOF */
static void list_arguments(
	struct arguments *out, const struct lsi_solver *solver, const char *program)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	int n = 0;

	/* Solvers take seeds of 31 bits. */
	snprintf(out->seed, sizeof out->seed, "%" PRIu64, solver->seed % INT_MAX);
	out->at[n++] = (char *)program;
	for (size_t d = 0; d < sizeof dialects / sizeof *dialects; d++)
		for (int i = 0; strcmp(dialects[d].name, name) == 0 && dialects[d].option[i]; i++) {
			const char *option = dialects[d].option[i], *mark = strstr(option, "%s");

			snprintf(out->text[n], OPTION_BYTES, "%.*s%s",
				(int)(mark ? mark - option : OPTION_BYTES - 1), option, mark ? out->seed : "");
			out->at[n] = out->text[n];
			n++;
		}
	out->at[n++] = (char *)LSI_PROBLEM_PATH;
	out->at[n++] = (char *)LSI_PROOF_PATH;
	out->at[n] = NULL;
}

/* ---- Its answer */

/* The literals of a `v` line; what is no literal of the formula is left out. */
static void read_values(const char *line, int variables, bool *value)
{
	char *end = NULL;

	for (const char *at = line; *at && *at != '\n'; at = end) {
		const long literal = strtol(at, &end, 10);

		if (end == at)
			return;
		if (literal > 0 && literal <= variables)
			value[literal] = true;
		while (*end == ' ')
			end++;
	}
}

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

/* The verdict of the `s` line, and the values of the `v` lines. */
static int read_answer(const char *text, int variables, struct lsi_answer *answer)
{
	answer->value = lsi_alloc_zero((size_t)variables + 1, sizeof *answer->value);
	if (!answer->value)
		return LS_ERR_MEMORY;
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		if (begins(line, "s SATISFIABLE"))
			answer->verdict = LSI_SATISFIABLE;
		else if (begins(line, "s UNSATISFIABLE"))
			answer->verdict = LSI_UNSATISFIABLE;
		else if (begins(line, "v "))
			read_values(line + 2, variables, answer->value);
		if (!strchr(line, '\n'))
			break;
	}
	return LS_OK;
}

enum { NOT_FOUND = 127 }; /* exit code of a shell */

static int refuse_missing(
	const struct lsi_solver *solver, struct lsi_answer *out, struct ls_error *why)
{
	out->is_missing = true;
	if (solver->program)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"no solver '%s'; try another --solver, or install the package %s", solver->program,
			LSI_SOLVER_PACKAGE);
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"no solver: the program %s is not in PATH; install the package %s, or try --solver PROGRAM",
		LSI_SOLVER, LSI_SOLVER_PACKAGE);
}

/* A program that ended by itself without a verdict is no solver. */
static int read_end(const struct lsi_solver *solver, const struct lsi_process_files *f, int status,
	int variables, struct lsi_answer *out, struct ls_error *why)
{
	size_t length = 0;
	char *text = lsi_file_read(f->answer, &length);
	int failed = text ? read_answer(text, variables, out) : LS_ERR_MEMORY;

	lsi_free(text);
	if (failed)
		return lsi_error_set(why, failed, "no memory for the answer of the solver");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return refuse_missing(solver, out, why);
	if (out->verdict == LSI_UNDECIDED && WIFEXITED(status) && out->seconds < solver->budget)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"'%s' does not answer as a solver of DIMACS files does (exit code %d); try another "
			"--solver",
			solver->program ? solver->program : LSI_SOLVER, WEXITSTATUS(status));
	if (out->verdict == LSI_UNSATISFIABLE)
		out->proof = lsi_file_read(f->proof, &out->proof_bytes);
	if (out->verdict == LSI_UNSATISFIABLE && !out->proof && out->proof_bytes == 0)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the proof of the solver");
	return LS_OK;
}

/* One run on the problem in its file. */
static int solve_in(const struct lsi_solver *solver, const struct lsi_clauses *clauses,
	const struct lsi_process_files *f, struct lsi_answer *out, struct ls_error *why)
{
	const char *program = solver->program ? solver->program : LSI_SOLVER;
	struct arguments arguments;
	int status = 0, failed;

	list_arguments(&arguments, solver, program);
	failed = lsi_process_run(arguments.at, f, solver->budget, &status, &out->seconds);
	if (failed == ENOENT)
		return refuse_missing(solver, out, why);
	if (failed)
		return lsi_error_set(
			why, LS_ERR_UNSUPPORTED, "cannot start the solver: %s; try --solver", strerror(failed));
	return read_end(solver, f, status, clauses->variables, out, why);
}

/* The values by the numbers of the program become those of the variables. */
static int restore_numbers(struct lsi_answer *out, const int *number, int variables)
{
	bool *value = out->value ? lsi_alloc_zero((size_t)variables + 1, sizeof *value) : NULL;

	if (!out->value)
		return LS_OK;
	for (int v = 1; v <= variables && value; v++)
		value[v] = out->value[number[v]];
	lsi_free(out->value);
	out->value = value;
	return value ? LS_OK : LS_ERR_MEMORY;
}

int lsi_solver_run(const struct lsi_solver *solver, const struct lsi_clauses *clauses,
	struct lsi_answer *out, struct ls_error *why)
{
	int *number = number_variables(solver, clauses->variables);
	struct lsi_process_files files;
	int status;

	*out = (struct lsi_answer){ .verdict = LSI_UNDECIDED };
	if (!number)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the solver");
	status = lsi_files_open(&files, why);
	if (status == LS_OK)
		status = write_problem(files.problem, clauses, number, why);
	if (status == LS_OK)
		status = solve_in(solver, clauses, &files, out, why);
	lsi_files_close(&files);
	if (status == LS_OK && restore_numbers(out, number, clauses->variables) != LS_OK)
		status = lsi_error_set(why, LS_ERR_MEMORY, "no memory for the answer of the solver");
	lsi_free(number);
	return status;
}

void lsi_answer_fini(struct lsi_answer *answer)
{
	lsi_free(answer->value);
	lsi_free(answer->proof);
	*answer = (struct lsi_answer){ .verdict = LSI_UNDECIDED };
}
