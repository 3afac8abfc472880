/*
 * Detection of the launcher by the variables that it sets in the processes it starts.
 *
 * The sizes alone decide how many processes there are; MPI is called only after its plug-in was
 * chosen.  So a program that no launcher started opens no file.
 */
#include "world/launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dlfcn.h>

/*
 * SLURM_NTASKS is also set in batch scripts, in which nothing is parallel.  "mpi" is the plug-in of
 * an mpicc that is of neither family by its name.
 */
static const struct lsi_launcher launchers[] = {
	{ "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK",
		{ "openmpi", "mpi" }, "libopenmpi-dev" },
	{ "mpirun", "PMI_SIZE", "PMI_RANK", "PMI_RANK", { "mpich", "mpi" }, "libmpich-dev" },
	{ "srun", "SLURM_NTASKS", "PMI_RANK", "PMI_RANK", { "mpich", "mpi", "openmpi" },
		"libmpich-dev" },
	{ "srun", "SLURM_NTASKS", "PMIX_RANK", "PMIX_RANK", { "openmpi", "mpi", "mpich" },
		"libopenmpi-dev" },
};

/* 0: not set, or no number. */
static int number_of(const char *variable)
{
	const char *text = secure_getenv(variable);
	char *end;
	const long number = text ? strtol(text, &end, 10) : 0;

	return text && *text && !*end && number > 0 && number <= INT_MAX ? (int)number : 0;
}

const struct lsi_launcher *lsi_launcher_find(int *processes, int *process)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const struct lsi_launcher *launcher = &launchers[i];

		*processes = number_of(launcher->size);
		*process = number_of(launcher->rank);
		if (*processes > 1 && secure_getenv(launcher->proof))
			return launcher;
	}
	*processes = 1;
	*process = 0;
	return NULL;
}

/* ---- Plug-ins */

static const char library[] = "liblockstep.so";

/* The path of the program or shared library that contains this code. */
static bool find_object(char path[LSI_PATH])
{
	Dl_info object;

	if (dladdr(launchers, &object) && strstr(object.dli_fname, library))
		return realpath(object.dli_fname, path) != NULL;

	const ssize_t length = readlink("/proc/self/exe", path, LSI_PATH - 1);

	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* Removes the last component of a path. */
static const char *cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	*slash = '\0';
	return slash + 1;
}

/*
 * The folder of plug-ins for the object at this path, in its place:
 *
 *   TREE/..                the build folder
 *   DIR/liblockstep.so.N   DIR/lockstep
 *   DIR/bin/PROGRAM        DIR/lib/lockstep
 *   any other program      the folder of the installation for which the library was built
 */
static void find_folder(char path[LSI_PATH])
{
	static const char tree[] = LSI_TREE "/";
	const bool is_built = strncmp(path, tree, strlen(tree)) == 0;
	const bool is_library = strncmp(cut(path), library, strlen(library)) == 0;
	char folder[LSI_PATH];

	snprintf(folder, sizeof folder, "%s", path);
	if (is_built)
		snprintf(path, LSI_PATH, "%s", LSI_BUILD);
	else if (is_library)
		snprintf(path, LSI_PATH, "%.*s/lockstep", LSI_PATH - 16, folder);
	else if (strcmp(cut(folder), "bin") == 0)
		snprintf(path, LSI_PATH, "%.*s/lib/lockstep", LSI_PATH - 16, folder);
	else
		snprintf(path, LSI_PATH, "%s", LSI_PLUGINS);
}

/* The current folder is never searched: a path is absolute, or stated by LOCKSTEP_MPI. */
bool lsi_plugin_find(const struct lsi_launcher *launcher, char path[LSI_PATH])
{
	char folder[LSI_PATH];

	if (!find_object(folder))
		return false;
	find_folder(folder);
	for (const char *const *family = launcher->family; *family; family++) {
		snprintf(path, LSI_PATH, "%.*s/lockstep-%s.so", LSI_PATH - 32, folder, *family);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}
