/*
 * The core suite under many thread schedules.  Each seed runs in a process of its own, where the
 * scheduler decides every step; no seed may fail, and the same seed gives the same steps.  In
 * copies of the library with planted bugs, one of the first seeds must fail, and fail again alike.
 *
 *   LOCKSTEP_SCHEDULE=SEED build/schedule/test/thread_schedules   repeats one seed
 *   build/schedule/test/thread_schedules find FIRST COUNT         prints the first that fails
 *   LS_LONG=1                                                     10,000 seeds
 *
 * Only VARIANT=schedule builds it.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "core_suite.h"
#include "scheduler/scheduler.h"
#include "support/workers.h"

enum { STEPS_MOST = 2000000, OUTPUT = 1 << 16 }; /* of a case; of a run, bytes */

static void play_suite(uint64_t number)
{
	uint64_t seed = number;

	for (int i = 0; i < SUITE_CASES; i++) {
		guard("seed %" PRIu64 ": %s", number, suite_cases[i].name);
		schedule_draw();
		schedule_limit(STEPS_MOST);
		suite_cases[i].play(&seed);
	}
}

/* In a child of fork; its trace. */
static struct schedule_trace play_seed(uint64_t seed, int *status)
{
	static struct schedule_trace *trace;
	pid_t child;

	trace = trace ? trace : memory_of_all(sizeof *trace);
	fflush(NULL);
	child = fork();
	if (child < 0)
		exit(1);
	if (child == 0) {
		schedule_begin(seed);
		play_suite(seed);
		*trace = schedule_trace();
		exit(atomic_load(&test_failures) > 0);
	}
	if (waitpid(child, status, 0) != child)
		exit(1);
	return *trace;
}

/* ---- Many seeds */

static void test_seeds(int64_t first, int64_t seeds)
{
	int64_t steps = 0, played = 0;

	for (int64_t seed = first; seed < first + seeds; seed++) {
		int status = 0;

		if (!in_slice(seed))
			continue;
		steps += play_seed((uint64_t)seed, &status).steps;
		played++;
		CHECK(status == 0, "seed %" PRId64 ": status %x", seed, (unsigned)status);
	}
	printf("%" PRId64 " seeds, %" PRId64 " steps\n", played, steps);
}

/* ---- Repeated */

/* What a program prints under a seed, and the status of its end. */
static int output_of(const char *program, int64_t seed, char *text)
{
	char command[2048];
	FILE *output;
	size_t n;

	snprintf(command, sizeof command, "LOCKSTEP_SCHEDULE=%" PRId64 " %s 2>&1", seed, program);
	output = popen(command, "r");
	if (!output)
		exit(1);
	n = fread(text, 1, OUTPUT - 1, output);
	text[n] = 0;
	return pclose(output);
}

/* Of other processes, whose addresses differ. */
static void test_repeats(const char *program, int repeats)
{
	static char text[OUTPUT];
	char expected[32];
	int equal = 0;

	for (int i = 0; i < repeats; i++) {
		const int64_t seed = i % 10 + 1;
		int status = 0;

		snprintf(
			expected, sizeof expected, "hash %016" PRIx64, play_seed((uint64_t)seed, &status).hash);
		equal += output_of(program, seed, text) == 0 && strstr(text, expected);
	}
	CHECK(equal == repeats, "%d of %d runs have the same hash", equal, repeats);
	printf("%d of %d runs have the same hash\n", equal, repeats);
}

/* ---- Planted bugs */

static int find_failure(int64_t first, int64_t seeds)
{
	for (int64_t seed = first; seed < first + seeds; seed++) {
		int status = 0;

		play_seed((uint64_t)seed, &status);
		if (status)
			return printf("seed %" PRId64 "\n", seed) > 0 ? 0 : 1;
	}
	return 0;
}

static int64_t failing_seed(const char *program)
{
	char command[2048];
	int64_t seed = 0;
	FILE *output;

	snprintf(command, sizeof command, "%s find 2>/dev/null", program);
	output = popen(command, "r");
	if (!output)
		exit(1);
	if (fscanf(output, "seed %" SCNd64, &seed) != 1)
		seed = 0;
	pclose(output);
	return seed;
}

static void test_planted(const char *program)
{
	enum { REPEATS = 3 };
	static char text[2][OUTPUT];
	const int64_t seed = failing_seed(program);

	CHECK(seed > 0, "%s: no seed fails", program);
	if (!seed)
		return;
	printf("%s: seed %" PRId64 " fails\n", program, seed);

	const int status = output_of(program, seed, text[0]);

	CHECK(
		status != 0 && strstr(text[0], "schedule: the last steps") && strstr(text[0], "to repeat"),
		"%s: seed %" PRId64 ": %s", program, seed, text[0]);
	for (int i = 0; i < REPEATS; i++)
		CHECK(output_of(program, seed, text[1]) == status && !strcmp(text[0], text[1]),
			"%s: seed %" PRId64 " again:\n%s\nfirst:\n%s", program, seed, text[1], text[0]);
}

/* The first word of each line of the list is the name of a program. */
static void test_all_planted(const char *build)
{
	FILE *list = fopen("test/scheduler/schedule_plants.txt", "r");
	char name[64], program[1024];
	int planted = 0;

	while (list && fscanf(list, "%63s%*[^\n]", name) == 1) {
		snprintf(program, sizeof program, "%s/planted/%s", build, name);
		test_planted(program);
		planted++;
	}
	if (list)
		fclose(list);
	CHECK(planted > 0, "no list of planted bugs");
}

int main(int argc, char **argv)
{
	const char *build = getenv("LS_BUILD");

	if (getenv("LOCKSTEP_SCHEDULE")) {
		play_suite(schedule_trace().seed);
		return test_result();
	}
	if (argc > 1)
		return find_failure(argc > 2 ? atoll(argv[2]) : 1, argc > 3 ? atoll(argv[3]) : 1000);
	test_seeds(1, is_long() ? 10000 : is_fast() ? 10 : 200);
	test_repeats(argv[0], is_fast() ? 4 : 100);
	test_all_planted(build ? build : "build/schedule");
	return test_result();
}
