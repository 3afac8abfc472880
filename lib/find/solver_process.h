/*
 * One run of a program on files without names:
 *
 *   /proc/self/fd/0    its standard input: the problem
 *                 1    its standard output: the answer
 *                 3    the proof
 *
 * The files lie in TMPDIR, and no name leads to them.  So nothing of them is left, however the
 * caller ends.
 *
 * The program gets a process group of its own, which is killed when the program ends.  The group is
 * led by a watcher, a process that waits until the caller is no more, and then kills the group.  So
 * no process that the program has started goes on after it, or after a caller that was killed,
 * unless it has left the group.
 */
#ifndef LSI_FIND_SOLVER_PROCESS_H
#define LSI_FIND_SOLVER_PROCESS_H

#include <stddef.h>

#include <lockstep/status.h>

/* No program can fill the disk: a file has fewer bytes. */
enum { LSI_FILE_BYTES_MAX = 1 << 30 };

/* The arguments by which the program opens the files. */
#define LSI_PROBLEM_PATH "/proc/self/fd/0"
#define LSI_PROOF_PATH   "/proc/self/fd/3"

/* Descriptors; -1: not open. */
struct lsi_process_files {
	int problem, answer, proof;
};

/* LS_OK; LS_ERR_UNSUPPORTED: TMPDIR takes no files.  Close them in all cases. */
int lsi_files_open(struct lsi_process_files *, struct ls_error *why_or_null);
void lsi_files_close(struct lsi_process_files *);

/* The whole file with a 0 behind it; NULL: unreadable, no memory, or too long: *length > 0. */
char *lsi_file_read(int descriptor, size_t *length);

/*
 * Run arguments[0], found in PATH.  The budget is CPU time.  A program that waits is charged a
 * twentieth of the elapsed time, and is killed after twenty budgets and ten seconds.
 *
 * Returns an errno if the program did not start.  *status is that of wait, and *seconds what the
 * budget is charged.
 */
int lsi_process_run(char *const *arguments, const struct lsi_process_files *, double budget,
	int *status, double *seconds);

#endif
