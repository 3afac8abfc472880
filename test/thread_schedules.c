/*
 * The core suite under many thread schedules.  Each seed runs in a process of its own, where the
 * scheduler decides every step; no seed may fail, and the same seed gives the same steps.  In
 * copies of the library with planted bugs, one of the first seeds must fail, and fail again alike.
 *
 *   LOCKSTEP_SCHEDULE=SEED build/schedule/test/thread_schedules   repeats one seed
 *   build/schedule/test/thread_schedules find FIRST COUNT         prints the first that fails, or 0
 *   LS_LONG=1                                                     10,000 seeds
 *
 * Only VARIANT=schedule builds it.
 */
#include "core_suite.h"
#include "scheduler/scheduler.h"

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

/* ---- Many seeds */

static void test_seeds(const char *program, int64_t seeds)
{
	static char text[OUTPUT];
	int64_t played = 0;

	for (int64_t seed = 1; seed <= seeds; seed++) {
		if (!in_slice(seed))
			continue;
		played++;
		CHECK(output_of(program, seed, text) == 0, "seed %" PRId64 ": %s", seed, text);
	}
	printf("%" PRId64 " seeds\n", played);
}

/* ---- Repeated */

static void test_repeats(const char *program, int repeats)
{
	static char first[10][OUTPUT], text[OUTPUT];
	int equal = 0;

	for (int i = 0; i < repeats; i++) {
		const int64_t seed = i % 10;

		if (!first[seed][0])
			output_of(program, seed + 1, first[seed]);
		equal += output_of(program, seed + 1, text) == 0 && strstr(text, "hash ")
			&& !strcmp(text, first[seed]);
	}
	CHECK(equal == repeats, "%d of %d runs have the same hash", equal, repeats);
	printf("%d of %d runs have the same hash\n", equal, repeats);
}

/* ---- Planted bugs */

/* The first seed that fails; 0: none. */
static int64_t failing_seed(const char *program, int64_t first, int64_t seeds)
{
	static char text[OUTPUT];

	for (int64_t seed = first; seed < first + seeds; seed++) {
		if (output_of(program, seed, text))
			return seed;
	}
	return 0;
}

static void test_planted(const char *program)
{
	enum { REPEATS = 3 };
	static char text[2][OUTPUT];
	const int64_t seed = failing_seed(program, 1, 200);

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
	if (argc > 3) {
		printf("seed %" PRId64 "\n", failing_seed(argv[0], atoll(argv[2]), atoll(argv[3])));
		return 0;
	}
	test_seeds(argv[0], is_long() ? 10000 : is_fast() ? 10 : 200);
	test_repeats(argv[0], is_fast() ? 4 : 100);
	test_all_planted(build ? build : "build/schedule");
	return test_result();
}
