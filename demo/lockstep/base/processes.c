#include "base/processes.h"

#include "base/mark.h"
#include "base/messages.h"
#include "base/text_file.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LSI_CHECKED
#define ASSERTIONS ", assertions"
#else
#define ASSERTIONS ""
#endif

#define ALONE \
	{ \
		.count = 1, .hosts = 1, .beside = 1, .library = "", .plugin = "" \
	}

static const struct processes no_world = ALONE;
static struct processes here = ALONE;

struct processes *processes_here(void)
{
	return &here;
}

static void be_silent(void)
{
	silence_messages(true);
	if (!freopen("/dev/null", "w", stdout))
		fclose(stdout);
}

void processes_begin(void)
{
	ls_world_launched(&here.number);
	if (here.number > 0)
		be_silent();
}

bool processes_is_first(void)
{
	return here.number == 0;
}

bool processes_read(const char *path)
{
	return processes_is_first() || !is_standard_input(path);
}

int processes_give_up(const struct ls_error *why)
{
	ls_world_abort(here.world, EXIT_RESOURCE, why->text);
	return EXIT_RESOURCE;
}

/* The launcher passes a signal to all processes; process 0 ends the run. */
static void ignore_signals(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
}

/* A process that has failed has printed its message. */
static int open_world(int failed)
{
	struct ls_error why = { .size = sizeof why };
	const int status = ls_world_open(&here.world, &why);

	if (status != LS_OK && failed)
		return failed;
	if (status == LS_ERR_STOPPED) {
		silence_messages(false);
		return print_error(EXIT_RESOURCE, "%s", why.text);
	}
	if (status != LS_OK)
		return print_ls_error(&why);
	here.count = ls_world_processes(here.world);
	here.number = ls_world_process(here.world);
	here.hosts = ls_world_hosts(here.world);
	here.library = ls_world_library(here.world);
	here.plugin = ls_world_plugin(here.world);
	if (!processes_is_first()) {
		ignore_signals();
		be_silent();
	}
	return EXIT_SUCCESS;
}

/* ---- Agreement */

enum { INPUTS = 6, ROW = 440, MARK = 16 /* digits before the text of a row */ };

/* An input in words, and the mark of its contents, 62 bits. */
struct input {
	char text[ROW - MARK];
	int64_t mark;
};

static void describe_build(struct input *input)
{
	const uint16_t order = 1;

	snprintf(input->text, sizeof input->text,
		"is lockstep %s (%s, %zu bits, %s-endian" ASSERTIONS ")", ls_version(), __VERSION__,
		8 * sizeof(void *), *(const unsigned char *)&order ? "little" : "big");
	input->mark = (int64_t)(mark_bytes(MARK_OF_NOTHING, input->text, strlen(input->text)) >> 2);
}

/* "runs allreduce -t star:4" */
static void describe_command(char *const *command, struct input *input)
{
	uint64_t mark = MARK_OF_NOTHING;
	size_t length = (size_t)snprintf(input->text, sizeof input->text, "runs");
	char *const *word = command + 1;

	for (; *word; word++) {
		const bool is_run = word == command + 1 && strcmp(*word, "run") == 0;

		mark = mark_bytes(mark, *word, strlen(*word) + 1);
		if (!is_run && length < sizeof input->text)
			length +=
				(size_t)snprintf(input->text + length, sizeof input->text - length, " %s", *word);
	}
	input->mark = (int64_t)(mark >> 2);
}

static void describe_file(const char *path, size_t bytes, uint64_t mark, struct input *input)
{
	snprintf(input->text, sizeof input->text, "reads %.300s of %zu bytes, checksum %08" PRIx32,
		path, bytes, (uint32_t)(mark >> 16));
	input->mark = (int64_t)(mark >> 2);
}

static void describe_plan(const struct same_input *same, struct input *input)
{
	const bool shared = same->plan_path && !is_standard_input(same->plan_path);
	const size_t bytes = shared ? same->plan_bytes : 0;

	describe_file(shared ? same->plan_path : "no plan", bytes,
		mark_bytes(MARK_OF_NOTHING, same->plan, bytes), input);
}

/* A file that no process can read is reported by what uses it. */
static void describe_contents(const char *path, struct input *input)
{
	FILE *file = path ? fopen(path, "r") : NULL;
	uint64_t mark = MARK_OF_NOTHING;
	size_t bytes = 0, n;
	char part[4096];

	input->mark = 0;
	snprintf(input->text, sizeof input->text, "cannot read %.300s", path ? path : "a file");
	if (!file)
		return;
	while ((n = fread(part, 1, sizeof part, file)) > 0) {
		mark = mark_bytes(mark, part, n);
		bytes += n;
	}
	fclose(file);
	describe_file(path, bytes, mark, input);
}

/* Process 0 names the first process whose row differs from its own. */
static int report_difference(const struct input *input)
{
	struct ls_error why = { .size = sizeof why };
	char row[ROW] = "", *rows = require_memory(calloc((size_t)here.count, ROW));
	int other = 1;

	snprintf(row, sizeof row, "%0*" PRIx64 "%s", MARK, (uint64_t)input->mark, input->text);
	if (ls_world_gather(here.world, row, rows, ROW, &why) != LS_OK)
		return processes_give_up(&why);
	while (other < here.count - 1 && strncmp(rows + other * ROW, rows, MARK) == 0)
		other++;
	if (processes_is_first())
		print_error(EXIT_USAGE, "process %d %s; process 0 %s", other, rows + other * ROW + MARK,
			rows + MARK);
	free(rows);
	return EXIT_USAGE;
}

int processes_report_failure(int failed)
{
	struct ls_error why = { .size = sizeof why };
	struct failure {
		int exit_code;
		char text[ROW];
	} mine = { .exit_code = failed };
	struct failure *all = require_memory(calloc((size_t)here.count, sizeof *all));
	int other = 1;

	snprintf(mine.text, sizeof mine.text, "process %d on %s: %.300s", here.number,
		ls_world_host(here.world), last_message());
	if (ls_world_gather(here.world, &mine, all, sizeof mine, &why) != LS_OK)
		return processes_give_up(&why);
	while (other < here.count - 1 && !all[other].exit_code)
		other++;
	if (!failed && processes_is_first())
		failed = print_error(all[other].exit_code, "%s", all[other].text);
	free(all);
	return failed ? failed : EXIT_USAGE;
}

static int agree(const struct same_input *same, int failed)
{
	struct ls_error why = { .size = sizeof why };
	struct input input[INPUTS];
	int64_t least[2 * INPUTS + 1];

	describe_build(&input[0]);
	describe_command(same->command, &input[1]);
	describe_plan(same, &input[2]);
	describe_contents(same->network, &input[3]);
	describe_contents(same->map, &input[4]);
	describe_contents(same->records, &input[5]);
	for (int i = 0; i < INPUTS; i++) {
		least[2 * i] = input[i].mark;
		least[2 * i + 1] = -input[i].mark;
	}
	least[2 * INPUTS] = !failed;
	if (ls_world_least(here.world, least, 2 * INPUTS + 1, &why) != LS_OK)
		return processes_give_up(&why);
	if (!least[2 * INPUTS])
		return processes_report_failure(failed);
	for (int i = 0; i < INPUTS; i++)
		if (least[2 * i] != -least[2 * i + 1])
			return report_difference(&input[i]);
	return EXIT_SUCCESS;
}

/* ---- Begin and end */

/*
 * srun without an interface for MPI starts copies that know nothing of each other.  A batch script,
 * in which nothing is parallel, has no job step.
 */
static void note_copies(void)
{
	const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *number = getenv("SLURM_PROCID");
	const char *off = getenv("LOCKSTEP_MPI");

	if (!tasks || atoi(tasks) < 2 || !number || atoi(number) > 0
		|| (off && strcmp(off, "off") == 0))
		return;
	print_error(EXIT_SUCCESS,
		"note: srun started %d processes without MPI, so each is a copy of its own; try srun "
		"--mpi=pmix or --mpi=pmi2, or LOCKSTEP_MPI=off",
		atoi(tasks));
}

int processes_join(const struct same_input *same, int failed)
{
	const int unopened = open_world(failed);

	/* Open MPI ends all processes when one fails: process 0 prints first. */
	if (unopened && !processes_is_first())
		sleep(1);
	if (unopened)
		return unopened;
	if (here.count == 1 && ls_world_launched(NULL) == 1)
		note_copies();
	return here.count > 1 ? agree(same, failed) : failed;
}

int processes_end(int exit_code)
{
	struct ls_error why = { .size = sizeof why };
	int32_t code = exit_code;

	if (here.world && ls_world_broadcast(here.world, &code, sizeof code, &why) != LS_OK)
		return processes_give_up(&why);
	ls_world_close(here.world);
	free(here.near);
	here = no_world;
	return code;
}

void processes_fail(int exit_code)
{
	if (processes_is_first())
		processes_end(exit_code);
	else
		ls_world_abort(here.world, exit_code, last_message());
}

void processes_text(char *text, size_t size)
{
	snprintf(text, size, "%d on %d host%s", here.count, here.hosts, here.hosts == 1 ? "" : "s");
}
