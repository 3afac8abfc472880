/*
 * One run of a solver:
 *
 *   TMPDIR/lockstep-XXXXXX/problem.cnf    p cnf 387 1242, then the clauses
 *                          answer         its standard output: s and v lines
 *                          proof          of an s line UNSATISFIABLE
 *
 * The folder is removed at the end.  Limits of the operating system bound the CPU time of the
 * program and the size of its files, so that no program can hang the search or fill the disk.
 */
#include "find/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

enum { FILE_BYTES_MAX = 1 << 30, WAIT_NS = 2000000, WALL_FACTOR = 20, WALL_SECONDS = 10 };

/* The files of one run, in a folder of their own. */
struct folder {
	char path[PATH_MAX - 16], problem[PATH_MAX], answer[PATH_MAX], proof[PATH_MAX];
};

static int folder_make(struct folder *f, struct ls_error *why)
{
	const char *parent = getenv("TMPDIR");

	if (!parent || !*parent)
		parent = "/tmp";
	if ((size_t)snprintf(f->path, sizeof f->path, "%s/lockstep-XXXXXX", parent) >= sizeof f->path
		|| !mkdtemp(f->path)) {
		*f->path = '\0';
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"cannot make a folder in %s for the solver: %s; try another TMPDIR", parent,
			strerror(errno));
	}
	snprintf(f->problem, sizeof f->problem, "%s/problem.cnf", f->path);
	snprintf(f->answer, sizeof f->answer, "%s/answer", f->path);
	snprintf(f->proof, sizeof f->proof, "%s/proof", f->path);
	return LS_OK;
}

static void folder_remove(const struct folder *f)
{
	if (!*f->path)
		return;
	unlink(f->problem);
	unlink(f->answer);
	unlink(f->proof);
	rmdir(f->path);
}

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

/* The formula in the form DIMACS. */
static int write_problem(
	const struct folder *f, const struct lsi_clauses *c, const int *number, struct ls_error *why)
{
	FILE *file = fopen(f->problem, "we");
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
	}
	if (!failed)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_UNSUPPORTED,
		"cannot write %s for the solver: %s; try another TMPDIR", f->problem, strerror(errno));
}

/* The whole file with a 0 behind it; NULL: unreadable, too long or no memory. */
static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	struct stat state;
	char *text = NULL;

	if (file && fstat(fileno(file), &state) == 0 && state.st_size < FILE_BYTES_MAX)
		text = lsi_alloc((size_t)state.st_size + 1);
	if (text) {
		*length = fread(text, 1, (size_t)state.st_size, file);
		text[*length] = '\0';
	}
	if (file)
		fclose(file);
	return text;
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
	struct arguments *out, const struct lsi_solver *solver, const char *program, struct folder *f)
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
	out->at[n++] = f->problem;
	out->at[n++] = f->proof;
	out->at[n] = NULL;
}

/* Start it with the answer file as standard output; an errno. */
static int start(const struct lsi_solver *solver, struct folder *f, pid_t *child)
{
	const char *program = solver->program ? solver->program : LSI_SOLVER;
	posix_spawn_file_actions_t actions;
	struct arguments arguments;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	list_arguments(&arguments, solver, program, f);
	failed = posix_spawn_file_actions_addopen(
		&actions, STDOUT_FILENO, f->answer, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (!failed)
		failed =
			posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!failed)
		failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!failed)
		failed = posix_spawnp(child, program, &actions, NULL, arguments.at, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/*
 * The hard limit of the CPU time lies a second above the soft one: a program that ignores the
 * signal of the latter is ended by the former.
 */
static void limit_resources(pid_t child, double budget)
{
	const rlim_t seconds = (rlim_t)ceil(budget);

	prlimit(child, RLIMIT_CPU, &(struct rlimit){ seconds, seconds + 1 }, NULL);
	prlimit(child, RLIMIT_FSIZE, &(struct rlimit){ FILE_BYTES_MAX, FILE_BYTES_MAX }, NULL);
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Wait for the end of the program, at most a multiple of its budget; returns its wait status. */
static int await(pid_t child, double budget, double *seconds)
{
	const double end = seconds_now() + WALL_FACTOR * budget + WALL_SECONDS;
	struct rusage usage = { 0 };
	int status = 0;

	for (;;) {
		const pid_t ended = wait4(child, &status, WNOHANG, &usage);

		if (ended == child || (ended < 0 && errno != EINTR))
			break;
		if (seconds_now() > end)
			kill(child, SIGKILL);
		nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
	}
	*seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
	return status;
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
static int read_end(const struct lsi_solver *solver, const struct folder *f, int status,
	int variables, struct lsi_answer *out, struct ls_error *why)
{
	size_t length = 0;
	char *text = read_file(f->answer, &length);
	int failed = text ? read_answer(text, variables, out) : LS_ERR_MEMORY;

	lsi_free(text);
	if (failed)
		return lsi_error_set(why, failed, "no memory for the answer of the solver");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return refuse_missing(solver, out, why);
	if (out->verdict == LSI_UNDECIDED && WIFEXITED(status) && out->seconds < solver->budget)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"'%s' does not answer as a solver of DIMACS files does (exit code %d); try another "
			"--solver",
			solver->program ? solver->program : LSI_SOLVER, WEXITSTATUS(status));
	if (out->verdict == LSI_UNSATISFIABLE)
		out->proof = read_file(f->proof, &out->proof_bytes);
	return LS_OK;
}

/* One run on the problem in the folder. */
static int solve_in(const struct lsi_solver *solver, const struct lsi_clauses *clauses,
	struct folder *f, struct lsi_answer *out, struct ls_error *why)
{
	pid_t child = 0;
	const int failed = start(solver, f, &child);

	if (failed == ENOENT)
		return refuse_missing(solver, out, why);
	if (failed)
		return lsi_error_set(
			why, LS_ERR_UNSUPPORTED, "cannot start the solver: %s; try --solver", strerror(failed));
	limit_resources(child, solver->budget);

	const int status = await(child, solver->budget, &out->seconds);

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
	struct folder folder;
	int status;

	*out = (struct lsi_answer){ .verdict = LSI_UNDECIDED };
	if (!number)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the solver");
	status = folder_make(&folder, why);
	if (status == LS_OK)
		status = write_problem(&folder, clauses, number, why);
	if (status == LS_OK)
		status = solve_in(solver, clauses, &folder, out, why);
	folder_remove(&folder);
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
