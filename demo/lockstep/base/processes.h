/*
 * The processes that mpirun or srun has started with one command.
 *
 * Process 0 acts.  The others wait until it ends, print nothing, and exit with its code; or all of
 * them execute a run together, and process 0 alone prints it.  Their command lines, plan files and
 * builds must be the same.
 */
#ifndef LOCKSTEP_BASE_PROCESSES_H
#define LOCKSTEP_BASE_PROCESSES_H

#include <lockstep.h>

#include <stdbool.h>
#include <stddef.h>

struct processes {
	ls_world *world; /* for sweeps and machines; NULL: one process */
	int count, hosts;
	int number;                   /* of this process, from 0 */
	const char *library, *plugin; /* "Open MPI 4.1.4", path; "": none */
	/* Of a run that all of them execute, see shared_run.h. */
	bool shares;
	int cores;  /* at process 0: of all processes */
	int beside; /* on this host, with this one */
	bool *near; /* by process: on this host, and may use cores of this one */
};

/* Those of this run of the tool, for every file of it. */
struct processes *processes_here(void);

/* Before the first output: processes other than 0 become silent. */
void processes_begin(void);
bool processes_is_first(void);
/* Whether this process reads a file that all of them read: process 0 alone has standard input. */
bool processes_read(const char *path);

/* What must be the same in all processes. */
struct same_input {
	char *const *command;  /* argv, NULL at the end */
	const char *plan_path; /* NULL: none */
	const char *plan;      /* its contents, if this process has read them */
	size_t plan_bytes;
	const char *network; /* the file of a graph:FILE that all of them read; NULL: none */
	const char *records; /* records beside that file, which may be missing; NULL: none */
	const char *map;     /* a file, or a name that is none; NULL: none */
};

/*
 * Open the world, and compare the inputs of all processes.  failed: exit code of what this process
 * has read so far.  Also after a failure all processes come here: one that ends before MPI starts
 * may leave the others waiting for it.  Process 0 reports the failure of another one.
 *
 * Returns    an exit code; 0 only if no process has failed
 */
int processes_join(const struct same_input *, int failed);

/*
 * All processes, if one of them has failed: process 0 reports the failure of another one, with its
 * exit code, unless it has failed itself.  Exit code.
 */
int processes_report_failure(int failed);
/* The transport of the world failed, so no agreement is possible: ends all processes. */
int processes_give_up(const struct ls_error *why);

/* The exit code of process 0, in all of them; the others wait for it.  Ends the world. */
int processes_end(int exit_code);

/* Before this process ends with a failure that no other one knows. */
void processes_fail(int exit_code);

/* "4 on 1 host", "4 on 2 hosts" */
void processes_text(char *text, size_t size);

#endif
