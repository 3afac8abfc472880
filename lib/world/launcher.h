/*
 * Programs such as mpirun and srun, which start several processes, and the plug-in of their MPI.
 */
#ifndef LSI_WORLD_LAUNCHER_H
#define LSI_WORLD_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

enum { LSI_FAMILIES = 3, LSI_PATH = 4096 };

/* The environment that a launcher gives to the processes that it starts. */
struct lsi_launcher {
	const char *name, *size, *rank;
	const char *proof;                    /* also set in a process, but not in a batch script */
	const char *family[LSI_FAMILIES + 1]; /* plug-ins that may serve it, the best first */
	const char *package;                  /* of Debian, with which plug-ins are built */
};

/* The launcher of this process; NULL: there is none, or it started one process. */
const struct lsi_launcher *lsi_launcher_find(int *processes, int *process);

/*
 * The plug-in for a launcher: in the build folder, if the running object lies in the tree where it
 * was built, else in lib/lockstep of the installation.  False: there is none.
 */
bool lsi_plugin_find(const struct lsi_launcher *, char path[LSI_PATH]);

#endif
