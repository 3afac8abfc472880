#include "cli/features.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LSI_HWLOC
#define HWLOC "yes"
#else
#define HWLOC "no"
#endif

#if defined(__linux__) && !defined(LSI_WAIT_PORTABLE)
#define WAIT "futex"
#else
#define WAIT "mutex and condition variable"
#endif

#ifdef LSI_CHECKED
#define ASSERTIONS "yes"
#else
#define ASSERTIONS "no"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZERS "address, undefined"
#elif defined(LSI_TSAN)
#define SANITIZERS "thread"
#else
#define SANITIZERS "none"
#endif

/* Those of lib/base/cpu.h; a run uses the strongest that the processor has. */
#if defined(__x86_64__)
#define INSTRUCTION_SETS "x86-64, AVX2, AVX-512"
#else
#define INSTRUCTION_SETS "baseline"
#endif

void print_features(void)
{
	static const char *const feature[][2] = {
		{ "compiler", __VERSION__ },
		{ "hwloc", HWLOC },
		{ "wait", WAIT },
		{ "assertions", ASSERTIONS },
		{ "sanitizers", SANITIZERS },
		{ "instruction sets", INSTRUCTION_SETS },
	};

	for (size_t i = 0; i < sizeof feature / sizeof *feature; i++)
		printf("%-17s %s\n", feature[i][0], feature[i][1]);
}

/*
 * LOCKSTEP_MPI names a plug-in, see world.h.  Every machine writes its trace to the file
 * LOCKSTEP_TRACE; LOCKSTEP_TRACE_TIMES=1: with times.
 */
static const char *const known[] = { "LOCKSTEP_MPI", "LOCKSTEP_TRACE", "LOCKSTEP_TRACE_TIMES" };
enum { KNOWN = sizeof known / sizeof *known };

static bool is_known(const char *name, size_t length)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (strlen(known[i]) == length && strncmp(known[i], name, length) == 0)
			return true;
	return false;
}

void add_environment(struct table *table)
{
	static const char prefix[] = "LOCKSTEP_";

	for (size_t i = 0; i < KNOWN; i++) {
		const char *value = getenv(known[i]);

		table_cells(table, 2, known[i], value && *value ? value : "not set");
	}
	for (char **variable = environ; *variable; variable++) {
		const size_t length = strcspn(*variable, "=");

		if (strncmp(*variable, prefix, strlen(prefix)) != 0 || is_known(*variable, length))
			continue;
		table_cell(table, "%.*s", (int)length, *variable);
		table_cell(table, "%s (unknown)", *variable + length + ((*variable)[length] == '='));
	}
}
