/*
 * The processes that mpirun or srun has started with one command.
 *
 * Process 0 executes the verb.  The others wait until it ends, print nothing, and exit with its
 * code.  Their command lines, plan files and builds must be the same.
 */
#ifndef LOCKSTEP_BASE_PROCESSES_H
#define LOCKSTEP_BASE_PROCESSES_H

#include <lockstep.h>

#include <stdbool.h>
#include <stddef.h>

struct processes {
	ls_world *world; /* for sweeps and machines; NULL: one process */
	int count, hosts;
	const char *library, *plugin; /* "Open MPI 4.1.4", path; "": none */
	/* Of the last run: messages between nodes of different processes. */
	int64_t crossing_messages, crossing_bytes;
};

/* Those of this run of the tool, for every file of it. */
struct processes *processes_here(void);

/* Before the first output: processes other than 0 become silent. */
void processes_begin(void);
/* After the command line was read without an error; exit code. */
int processes_open(void);
bool processes_is_first(void);

/* What must be the same in all processes. */
struct same_input {
	char *const *command;  /* argv, NULL at the end */
	const char *plan_path; /* NULL: none, or standard input, which process 0 alone has */
	const char *plan;
	size_t plan_bytes;
};

/*
 * Compare the inputs of all processes.  failed: exit code of what this process has read so far.
 * Process 0 reports the failure of another one.  Exit code, the same in all processes.
 */
int processes_agree(const struct same_input *, int failed);

/* The exit code of process 0, in all of them; the others wait for it.  Ends the world. */
int processes_end(int exit_code);

/* Before this process ends with a failure that no other one knows. */
void processes_fail(int exit_code);

/* "4 on 1 host", "4 on 2 hosts" */
void processes_text(char *text, size_t size);

#endif
