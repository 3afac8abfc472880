#include "cli/launcher.h"

#include "base/messages.h"
#include "base/number.h"

/* The environment that a launcher gives to the processes that it starts. */
struct launcher {
	const char *name, *size, *rank;
	const char *proof; /* also set in a process, but not in a batch script; NULL: not needed */
};

static const struct launcher launchers[] = {
	{ "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL },
	{ "mpirun", "PMI_SIZE", "PMI_RANK", NULL },
	{ "srun", "SLURM_NTASKS", "PMI_RANK", "PMI_RANK" },
	{ "srun", "SLURM_NTASKS", "PMIX_RANK", "PMIX_RANK" },
};

/* 0: not set, or no number. */
static int64_t number_of(const char *variable)
{
	const char *text = getenv(variable);
	int64_t number;

	return text && read_int(text, &number) ? number : 0;
}

int check_launcher(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const struct launcher *launcher = &launchers[i];
		const int64_t processes = number_of(launcher->size);

		if (processes < 2 || (launcher->proof && !getenv(launcher->proof)))
			continue;
		if (number_of(launcher->rank) > 0)
			return EXIT_UNAVAILABLE;
		return print_error(EXIT_UNAVAILABLE,
			"%s started %lld processes, but this version runs in one; try without %s",
			launcher->name, (long long)processes, launcher->name);
	}
	return EXIT_SUCCESS;
}
